//! Incidents, as they are logged and told.

use api::{
    DecodeError, ProtoEnum as _,
    federation::v1::{self as pb, event_log_body as body, event_log_body::Fact as Wire},
    reason,
    time::timestamp,
};
use pairing::{Number, ResultCode};
use rules::IncidentKind;

use super::{enums, log};
use crate::core::event::{
    BoardId, Event, IncidentState, Matter, Notice, Report, Ruling, Sanction, Sealed, fact::IncidentFact,
    incident::Incident,
};

api::proto_enum!(Sanction = pb::EventSanction { Nothing, Admonition, Warning, Violation, Loss, Expulsion });
api::proto_enum!(IncidentState = pb::EventIncidentState { Open, Ruled, Appealed, Final });
api::proto_enum!(
    Matter = pb::GameMatter {
        Call,
        CallAnswered,
        Incident,
        Claim,
        ClaimDecided,
        Appeal,
        AppealDecided,
        LateResult
    }
);

/// A board, where 0 stands for none.
pub(crate) fn board_if_any(round: u32, table: u32) -> Result<Option<BoardId>, DecodeError> {
    let round = u16::try_from(round).map_err(|_| DecodeError("a round"))?;
    Ok((round > 0).then_some(BoardId { round, table }))
}

fn number_if_any(number: u32) -> Option<Number> {
    (number > 0).then_some(Number(number))
}

fn number(number: Option<Number>) -> u32 {
    number.map_or(0, |number| number.0)
}

impl From<&Report> for pb::event_log_body::IncidentReported {
    fn from(report: &Report) -> Self {
        Self {
            number: report.number,
            kind: report.kind.number(),
            round: report.board.map_or(0, |board| board.round.into()),
            table: report.board.map_or(0, |board| board.table),
            accused: number(report.accused),
            reporter: number(report.reporter),
            text_hash: report.text.0.to_vec(),
        }
    }
}

impl TryFrom<pb::event_log_body::IncidentReported> for Report {
    type Error = DecodeError;

    fn try_from(it: pb::event_log_body::IncidentReported) -> Result<Report, DecodeError> {
        Ok(Report {
            number: it.number,
            kind: IncidentKind::of(it.kind).ok_or(DecodeError("the kind of an incident"))?,
            board: board_if_any(it.round, it.table)?,
            accused: number_if_any(it.accused),
            reporter: number_if_any(it.reporter),
            text: Sealed(log::digest(&it.text_hash)?),
        })
    }
}

impl From<&IncidentFact> for Wire {
    fn from(fact: &IncidentFact) -> Wire {
        match fact {
            IncidentFact::Reported(report) => Wire::IncidentReported(report.into()),
            IncidentFact::Ruled { number, ruling, granted, reason } => {
                Wire::IncidentRuled(body::IncidentRuled {
                    number: *number,
                    ruling: Some(ruling.into()),
                    granted: *granted,
                    reason_hash: reason.0.to_vec(),
                })
            }
            IncidentFact::Appealed { number, appellant, text } => {
                Wire::RulingAppealed(body::RulingAppealed {
                    number: *number,
                    appellant: appellant.0,
                    text_hash: text.0.to_vec(),
                })
            }
            IncidentFact::Noticed { board, notice } => Wire::GameNoticed(body::GameNoticed {
                round: board.round.into(),
                table: board.table,
                notice: Some(notice.into()),
            }),
        }
    }
}

impl TryFrom<Wire> for IncidentFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<IncidentFact, DecodeError> {
        Ok(match fact {
            Wire::IncidentReported(it) => IncidentFact::Reported(it.try_into()?),
            Wire::IncidentRuled(it) => IncidentFact::Ruled {
                number: it.number,
                ruling: it.ruling.ok_or(DecodeError("a ruling"))?.try_into()?,
                granted: it.granted,
                reason: Sealed(log::digest(&it.reason_hash)?),
            },
            Wire::RulingAppealed(it) => IncidentFact::Appealed {
                number: it.number,
                appellant: Number(it.appellant),
                text: Sealed(log::digest(&it.text_hash)?),
            },
            Wire::GameNoticed(it) => IncidentFact::Noticed {
                board: BoardId { round: log::small(it.round)?, table: it.table },
                notice: it.notice.ok_or(DecodeError("what a game tells"))?.try_into()?,
            },
            _ => return Err(DecodeError("nothing about an incident")),
        })
    }
}

impl From<&Ruling> for pb::EventRuling {
    fn from(ruling: &Ruling) -> pb::EventRuling {
        let code = |side: usize| ruling.codes.map_or(0, |codes| enums::code_number(codes[side]));
        pb::EventRuling { sanction: ruling.sanction.number(), first: code(0), second: code(1) }
    }
}

impl TryFrom<pb::EventRuling> for Ruling {
    type Error = DecodeError;

    fn try_from(it: pb::EventRuling) -> Result<Ruling, DecodeError> {
        let sanction = Sanction::of(it.sanction).ok_or(DecodeError("a sanction"))?;
        let code = |number| enums::code(number).ok_or(DecodeError("a result of both sides, or of neither"));
        let codes: Option<[ResultCode; 2]> = match (it.first, it.second) {
            (0, 0) => None,
            (first, second) => Some([code(first)?, code(second)?]),
        };
        Ok(Ruling { sanction, codes })
    }
}

impl From<&Notice> for pb::GameNotice {
    fn from(notice: &Notice) -> pb::GameNotice {
        pb::GameNotice {
            matter: notice.matter.number(),
            game_sequence: notice.game_sequence,
            number: notice.number,
            player: number(notice.player),
            kind: notice.incident.map_or(0, |(kind, _)| kind.number()),
            sanction: notice.incident.map_or(0, |(_, sanction)| sanction.number()),
        }
    }
}

impl TryFrom<pb::GameNotice> for Notice {
    type Error = DecodeError;

    fn try_from(it: pb::GameNotice) -> Result<Notice, DecodeError> {
        let incident = match IncidentKind::of(it.kind) {
            None => None,
            Some(kind) => Some((kind, Sanction::of(it.sanction).ok_or(DecodeError("a sanction"))?)),
        };
        Ok(Notice {
            matter: Matter::of(it.matter).ok_or(DecodeError("what a game tells"))?,
            game_sequence: it.game_sequence,
            number: it.number,
            player: number_if_any(it.player),
            incident,
        })
    }
}

/// The kind of a request.
pub(crate) fn kind(number: i32) -> Result<IncidentKind, api::Error> {
    IncidentKind::of(number)
        .ok_or_else(|| api::Error::invalid(reason::UNKNOWN_VALUE, "kind", "there is no such incident"))
}

/// The ruling of a request.
pub(crate) fn ruling(ruling: Option<pb::EventRuling>) -> Result<Ruling, api::Error> {
    let bad = |message: &str| api::Error::invalid(reason::BAD_EVENT_RULING, "ruling", message);
    let ruling = ruling.ok_or_else(|| bad("required"))?;
    ruling.try_into().map_err(|error: DecodeError| bad(error.0))
}

/// An incident as it is told, with its texts for whoever may read them: what was reported, what the appeal says, and the
/// reasons of rulings in their order.
pub(crate) fn incident(
    event: &Event,
    it: &Incident,
    now: time::OffsetDateTime,
    text: impl Fn(&Sealed) -> Option<String>,
    may_read_report: bool,
) -> pb::EventIncident {
    let private = |sealed: &Sealed| if may_read_report { text(sealed) } else { None };
    let steps = it.steps.iter().map(|step| pb::event_incident::Step {
        role: step.role.number(),
        account_id: step.by.to_string(),
        time: Some(timestamp(step.at)),
        ruling: Some((&step.ruling).into()),
        granted: step.granted,
        reason: text(&step.reason).unwrap_or_default(),
    });
    let state = event.incident_state(it, now);
    let deadline = event.appeal_deadline(it).filter(|_| state == IncidentState::Ruled);
    let report = pb::event_log_body::IncidentReported::from(&it.report);
    pb::EventIncident {
        number: report.number,
        kind: report.kind,
        round: report.round,
        table: report.table,
        accused: report.accused,
        reporter: report.reporter,
        report_time: Some(timestamp(it.reported)),
        state: state.number(),
        steps: steps.collect(),
        appeal_deadline_time: deadline.map(timestamp),
        text: private(&it.report.text).unwrap_or_default(),
        appeal_text: it.appeal.as_ref().and_then(|(_, sealed)| private(sealed)).unwrap_or_default(),
    }
}
