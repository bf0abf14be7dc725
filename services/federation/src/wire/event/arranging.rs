//! How games are arranged: in settings, in logs, and as it is told.

use std::time::Duration;

use api::{
    DecodeError, ProtoEnum as _,
    federation::v1::{self as pb, event_arranging as wire, event_log_body::Fact as Wire},
    time::{duration, moment, timestamp},
};
use pairing::Number;
use time::OffsetDateTime;

use super::{
    log::small,
    settings::{bad, time_span},
};
use crate::core::event::{
    Arranging, ArrangingFact, BadSettings, BoardId, BoardState, Event, Otherwise, Proposal, ProposalAnswer,
    arranging,
};

impl TryFrom<pb::EventArranging> for Arranging {
    type Error = BadSettings;

    fn try_from(it: pb::EventArranging) -> Result<Arranging, BadSettings> {
        let window = time_span("arranging.window_duration", it.window_duration, Duration::ZERO)?;
        let otherwise = match it.otherwise.ok_or_else(|| bad("arranging.otherwise", "required"))? {
            wire::Otherwise::ByEffort(it) => Otherwise::Effort {
                times: if it.times == 0 { arranging::TRIED } else { it.times },
                void: it.void,
            },
            wire::Otherwise::ByDefault(it) => {
                let after = time_span("arranging.by_default.after_duration", it.after_duration, window)?;
                Otherwise::Default { after }
            }
            wire::Otherwise::ByArbiter(_) => Otherwise::Arbiter,
        };
        let reminders = it.reminder_durations.into_iter();
        let reminders =
            reminders.map(|it| time_span("arranging.reminder_durations", Some(it), Duration::ZERO));
        Ok(Arranging {
            window,
            lead: time_span("arranging.lead_duration", it.lead_duration, arranging::LEAD)?,
            answer_within: time_span("arranging.answer_duration", it.answer_duration, arranging::ANSWER)?,
            times_max: if it.times_max == 0 { arranging::TIMES } else { it.times_max },
            reminders: reminders.collect::<Result<_, BadSettings>>()?,
            overlaps: it.overlaps,
            by_match: it.by_match,
            otherwise,
        })
    }
}

impl From<&Arranging> for pb::EventArranging {
    fn from(it: &Arranging) -> pb::EventArranging {
        let otherwise = match it.otherwise {
            Otherwise::Effort { times, void } => {
                wire::Otherwise::ByEffort(pb::ArrangedByEffort { times, void })
            }
            Otherwise::Default { after } => {
                wire::Otherwise::ByDefault(pb::ArrangedByDefault { after_duration: Some(duration(after)) })
            }
            Otherwise::Arbiter => wire::Otherwise::ByArbiter(pb::ArrangedByArbiter {}),
        };
        pb::EventArranging {
            window_duration: Some(duration(it.window)),
            lead_duration: Some(duration(it.lead)),
            answer_duration: Some(duration(it.answer_within)),
            times_max: it.times_max,
            reminder_durations: it.reminders.iter().copied().map(duration).collect(),
            overlaps: it.overlaps,
            by_match: it.by_match,
            otherwise: Some(otherwise),
        }
    }
}

fn proposal(number: Number, times: &[OffsetDateTime], until: OffsetDateTime) -> pb::GameProposal {
    pb::GameProposal {
        number: number.0,
        start_times: times.iter().copied().map(timestamp).collect(),
        answer_until_time: Some(timestamp(until)),
    }
}

/// How the arranging of a board stands, with what leave has moved; none where there is nothing to arrange.
pub(super) fn shown(event: &Event, board: BoardId, state: &BoardState) -> Option<pb::BoardArrangement> {
    let it = event.arrangement(board)?;
    let told = |(number, it): (&Number, &Proposal)| proposal(*number, &it.times, it.until);
    Some(pb::BoardArrangement {
        close_time: Some(timestamp(it.closes)),
        deadline_time: Some(timestamp(it.deadline)),
        proposals: it.proposals.iter().map(told).collect(),
        left_to_arbiter: it.left_to_arbiter && state.postponed.is_none(),
        agreed_at_table: it.agreed_at,
    })
}

impl From<&ArrangingFact> for Wire {
    fn from(fact: &ArrangingFact) -> Wire {
        match fact {
            ArrangingFact::Proposed { board, number, times, until } => Wire::GameProposed(pb::GameProposed {
                round: board.round.into(),
                table: board.table,
                proposal: Some(proposal(*number, times, *until)),
            }),
            ArrangingFact::Answered { board, number, answer } => {
                Wire::ProposalAnswered(pb::ProposalAnswered {
                    round: board.round.into(),
                    table: board.table,
                    number: number.0,
                    answer: answer.number(),
                })
            }
            ArrangingFact::Reminded { board, deadline } => Wire::ArrangingReminded(pb::ArrangingReminded {
                round: board.round.into(),
                table: board.table,
                deadline_time: Some(timestamp(*deadline)),
            }),
            ArrangingFact::LeftToArbiter { board } => {
                Wire::BoardUnarranged(pb::BoardUnarranged { round: board.round.into(), table: board.table })
            }
        }
    }
}

impl TryFrom<Wire> for ArrangingFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<ArrangingFact, DecodeError> {
        let board = |round, table| small(round).map(|round| BoardId { round, table });
        let at = |time: &prost_types::Timestamp| moment(time).ok_or(DecodeError("a moment"));
        let at_if_any =
            |time: Option<prost_types::Timestamp>| time.as_ref().ok_or(DecodeError("a moment")).and_then(at);
        Ok(match fact {
            Wire::GameProposed(it) => {
                let proposal = it.proposal.ok_or(DecodeError("a proposal"))?;
                ArrangingFact::Proposed {
                    board: board(it.round, it.table)?,
                    number: Number(proposal.number),
                    times: proposal.start_times.iter().map(at).collect::<Result<_, DecodeError>>()?,
                    until: at_if_any(proposal.answer_until_time)?,
                }
            }
            Wire::ProposalAnswered(it) => ArrangingFact::Answered {
                board: board(it.round, it.table)?,
                number: Number(it.number),
                answer: ProposalAnswer::of(it.answer).ok_or(DecodeError("an answer to a proposal"))?,
            },
            Wire::ArrangingReminded(it) => ArrangingFact::Reminded {
                board: board(it.round, it.table)?,
                deadline: at_if_any(it.deadline_time)?,
            },
            Wire::BoardUnarranged(it) => ArrangingFact::LeftToArbiter { board: board(it.round, it.table)? },
            _ => return Err(DecodeError("nothing about arranging")),
        })
    }
}
