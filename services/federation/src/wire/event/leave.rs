//! Leave: in settings, in logs, and as it is told and asked for.

use std::time::Duration;

use api::{
    DecodeError,
    federation::v1::{self as pb, event_log_body::Fact as Wire},
    proto_enum, reason,
    time::{duration, moment, timestamp},
};
use pairing::Number;
use time::OffsetDateTime;

use super::{
    log,
    request::{moment_if_any, moment_of, why, why_if_any},
    settings::time_span,
};
use crate::core::event::{
    BadSettings, Event, Leave, LeaveFact, LeaveSettings, LeaveState, Sealed, Whose,
    leave::{self, Span},
};

proto_enum!(LeaveState = pb::LeaveState { Announced, On, Over, Cancelled });

impl TryFrom<pb::EventLeave> for LeaveSettings {
    type Error = BadSettings;

    fn try_from(it: pb::EventLeave) -> Result<LeaveSettings, BadSettings> {
        let none = Duration::ZERO;
        let player = time_span("leave.player_budget_duration", it.player_budget_duration, none)?;
        let team = time_span("leave.team_budget_duration", it.team_budget_duration, none)?;
        let longest = player.max(team).min(leave::LONGEST_MAX);
        Ok(LeaveSettings {
            player,
            team,
            notice: time_span("leave.notice_duration", it.notice_duration, leave::NOTICE)?,
            shortest: time_span("leave.shortest_duration", it.shortest_duration, leave::SHORTEST)?,
            longest: time_span("leave.longest_duration", it.longest_duration, longest)?,
            spans_max: if it.spans_max == 0 { leave::SPANS } else { it.spans_max },
        })
    }
}

impl From<&LeaveSettings> for pb::EventLeave {
    fn from(it: &LeaveSettings) -> pb::EventLeave {
        pb::EventLeave {
            player_budget_duration: Some(duration(it.player)),
            team_budget_duration: Some(duration(it.team)),
            notice_duration: Some(duration(it.notice)),
            shortest_duration: Some(duration(it.shortest)),
            longest_duration: Some(duration(it.longest)),
            spans_max: it.spans_max,
        }
    }
}

/// Leave that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// For whom; none for oneself.
    pub whose: Option<Whose>,
    /// From when on; none for now.
    pub from: Option<OffsetDateTime>,
    /// Until when.
    pub until: OffsetDateTime,
    /// Why it is granted; none where it is taken.
    pub reason: Option<String>,
}

impl TryFrom<pb::TakeLeaveRequest> for Wish {
    type Error = api::Error;

    fn try_from(it: pb::TakeLeaveRequest) -> Result<Wish, api::Error> {
        Ok(Wish {
            whose: whose_if_any(it.number, it.team)?,
            from: moment_if_any("from_time", it.from_time)?,
            until: moment_of("until_time", it.until_time)?,
            reason: reason_if_any(it.reason)?,
        })
    }
}

/// Why something is granted; none where nothing is said.
pub(crate) fn reason_if_any(reason: String) -> Result<Option<String>, api::Error> {
    let said = why_if_any(reason)?;
    if said.is_empty() { Ok(None) } else { why(said).map(Some) }
}

/// A player or a team that a request names, and not both.
pub(crate) fn whose_if_any(number: u32, team: u32) -> Result<Option<Whose>, api::Error> {
    match (number, team) {
        (0, 0) => Ok(None),
        (number, 0) => Ok(Some(Whose::Player(Number(number)))),
        (0, team) => Ok(Some(Whose::Team(Number(team)))),
        _ => Err(api::Error::invalid(reason::UNKNOWN_VALUE, "team", "a player or a team, and not both")),
    }
}

/// The numbers of a player and of a team, of which one is 0.
const fn numbers(whose: Whose) -> (u32, u32) {
    match whose {
        Whose::Player(number) => (number.0, 0),
        Whose::Team(team) => (0, team.0),
    }
}

/// Leave as it is told.
pub(crate) fn told(leave: &Leave, now: OffsetDateTime) -> pb::Leave {
    use api::ProtoEnum as _;
    let (number, team) = numbers(leave.whose);
    pb::Leave {
        leave: leave.number,
        number,
        team,
        from_time: Some(timestamp(leave.span.from)),
        until_time: Some(timestamp(leave.span.until)),
        granted: leave.granted,
        state: leave.state(now).number(),
    }
}

/// Until when a player, or a team, is on leave; none where it is not.
pub(crate) fn until(event: &Event, whose: Whose, now: OffsetDateTime) -> Option<prost_types::Timestamp> {
    let until = match whose {
        Whose::Player(number) => event.on_leave_until(number, now),
        Whose::Team(_) => {
            let held = event.leaves.of(whose).find(|it| it.state(now) == LeaveState::On);
            held.map(|it| it.span.until)
        }
    };
    until.map(timestamp)
}

impl From<&LeaveFact> for Wire {
    fn from(fact: &LeaveFact) -> Wire {
        let hash = |reason: Option<Sealed>| reason.map(|it| it.0.to_vec()).unwrap_or_default();
        match *fact {
            LeaveFact::Taken { leave, whose, span, reason } => {
                let (number, team) = numbers(whose);
                Wire::LeaveTaken(pb::LeaveTaken {
                    leave,
                    number,
                    team,
                    from_time: Some(timestamp(span.from)),
                    until_time: Some(timestamp(span.until)),
                    reason_hash: hash(reason),
                })
            }
            LeaveFact::Ended { leave, until, reason } => Wire::LeaveEnded(pb::LeaveEnded {
                leave,
                until_time: Some(timestamp(until)),
                reason_hash: hash(reason),
            }),
            LeaveFact::Begun { leave } => Wire::LeaveBegun(pb::LeaveBegun { leave }),
            LeaveFact::Over { leave } => Wire::LeaveOver(pb::LeaveOver { leave }),
        }
    }
}

impl TryFrom<Wire> for LeaveFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<LeaveFact, DecodeError> {
        let at = |time: Option<prost_types::Timestamp>| {
            time.as_ref().and_then(moment).ok_or(DecodeError("a moment"))
        };
        Ok(match fact {
            Wire::LeaveTaken(it) => LeaveFact::Taken {
                leave: it.leave,
                whose: whose_if_any(it.number, it.team).ok().flatten().ok_or(DecodeError("whose leave"))?,
                span: Span { from: at(it.from_time)?, until: at(it.until_time)? },
                reason: log::sealed(&it.reason_hash)?,
            },
            Wire::LeaveEnded(it) => LeaveFact::Ended {
                leave: it.leave,
                until: at(it.until_time)?,
                reason: log::sealed(&it.reason_hash)?,
            },
            Wire::LeaveBegun(it) => LeaveFact::Begun { leave: it.leave },
            Wire::LeaveOver(it) => LeaveFact::Over { leave: it.leave },
            _ => return Err(DecodeError("nothing about leave")),
        })
    }
}
