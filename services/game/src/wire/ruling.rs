//! Acts of officials.

use api::game::v1::{self as pb, ruling::Act as ActPb};
use rules::Side;

use super::{
    DecodeError, Numbered as _,
    adjournment::{ruling_from_pb as seal_ruling_from_pb, ruling_to_pb as seal_ruling_to_pb},
    incident::{incident_to_pb, report_from_pb},
    moment, optional_moment,
    progress::{pause_from_pb, pause_to_pb},
};
use crate::core::{ClaimDecision, DeclaredResult, OfficialAct, Ruling};

pub(super) fn ruling_to_pb(ruling: &Ruling) -> pb::Ruling {
    use pb::ruling as kind;
    let act = match &ruling.act {
        OfficialAct::AnswerCall(call) => ActPb::AnswerCall(kind::AnswerCall { call: *call }),
        OfficialAct::RecordIncident(report) => ActPb::RecordIncident(incident_to_pb(&report.incident)),
        OfficialAct::AddTime(side, span) => ActPb::AddTime(kind::AddTime {
            side: side.number(),
            added_duration: Some(api::time::duration(*span)),
        }),
        OfficialAct::DeductTime(side, span) => ActPb::DeductTime(kind::DeductTime {
            side: side.number(),
            deducted_duration: Some(api::time::duration(*span)),
        }),
        OfficialAct::Pause(reason) => ActPb::Pause(kind::Pause { reason: pause_to_pb(*reason) }),
        OfficialAct::Resume(reason) => ActPb::Resume(kind::Resume { reason: pause_to_pb(*reason) }),
        OfficialAct::VoidMoves(ply) => ActPb::VoidMoves(kind::VoidMoves { ply: *ply }),
        OfficialAct::CorrectColours => ActPb::CorrectColours(kind::CorrectColours {}),
        OfficialAct::NoteColours => ActPb::NoteColours(kind::NoteColours {}),
        OfficialAct::RepeatAnnouncement(from) => {
            ActPb::RepeatAnnouncement(kind::RepeatAnnouncement { from_time: from.map(api::time::timestamp) })
        }
        OfficialAct::Confirm => ActPb::Confirm(kind::Confirm {}),
        OfficialAct::Declare(declared) => {
            ActPb::Declare(kind::Declare { result: declared_to_pb(Some(*declared)) })
        }
        OfficialAct::Annul => ActPb::Annul(kind::Annul {}),
        OfficialAct::DecideClaim(answer) => ActPb::DecideClaim(answer_to_pb(*answer)),
        OfficialAct::DecideAppeal(answer) => ActPb::DecideAppeal(answer_to_pb(*answer)),
        OfficialAct::BeginSealing => ActPb::BeginSealing(kind::BeginSealing {}),
        OfficialAct::SetResumption(at) => {
            ActPb::SetResumption(kind::SetResumption { resumption_time: Some(api::time::timestamp(*at)) })
        }
        OfficialAct::RuleOnSealed(ruling) => ActPb::RuleOnSealed(seal_ruling_to_pb(ruling)),
    };
    pb::Ruling { reason: ruling.reason.clone(), act: Some(act) }
}

/// An act of an official as it is asked for or stored.
pub(crate) fn ruling_from_pb(ruling: &pb::Ruling) -> Result<Ruling, DecodeError> {
    let side = |side| Side::of(side).ok_or(DecodeError("a side"));
    let span = |span: &Option<prost_types::Duration>| {
        span.as_ref().and_then(api::time::span).ok_or(DecodeError("a duration"))
    };
    let act = match ruling.act.as_ref().ok_or(DecodeError("an act"))? {
        ActPb::AnswerCall(answer) => OfficialAct::AnswerCall(answer.call),
        ActPb::RecordIncident(incident) => OfficialAct::RecordIncident(report_from_pb(incident)?),
        ActPb::AddTime(add) => OfficialAct::AddTime(side(add.side)?, span(&add.added_duration)?),
        ActPb::DeductTime(deduct) => {
            OfficialAct::DeductTime(side(deduct.side)?, span(&deduct.deducted_duration)?)
        }
        ActPb::Pause(pause) => OfficialAct::Pause(pause_from_pb(pause.reason)?),
        ActPb::Resume(resume) => OfficialAct::Resume(pause_from_pb(resume.reason)?),
        ActPb::VoidMoves(void) => OfficialAct::VoidMoves(void.ply),
        ActPb::CorrectColours(_) => OfficialAct::CorrectColours,
        ActPb::NoteColours(_) => OfficialAct::NoteColours,
        ActPb::RepeatAnnouncement(repeat) => {
            OfficialAct::RepeatAnnouncement(optional_moment(repeat.from_time.as_ref(), "from time")?)
        }
        ActPb::Confirm(_) => OfficialAct::Confirm,
        ActPb::Declare(declare) => {
            OfficialAct::Declare(declared_from_pb(declare.result)?.ok_or(DecodeError("a result"))?)
        }
        ActPb::Annul(_) => OfficialAct::Annul,
        ActPb::DecideClaim(answer) => OfficialAct::DecideClaim(answer_from_pb(answer)?),
        ActPb::DecideAppeal(answer) => OfficialAct::DecideAppeal(answer_from_pb(answer)?),
        ActPb::BeginSealing(_) => OfficialAct::BeginSealing,
        ActPb::SetResumption(set) => {
            OfficialAct::SetResumption(moment(set.resumption_time.as_ref(), "resumption time")?)
        }
        ActPb::RuleOnSealed(ruling) => {
            OfficialAct::RuleOnSealed(seal_ruling_from_pb(Some(ruling)).ok_or(DecodeError("a ruling"))?)
        }
    };
    Ok(Ruling { reason: ruling.reason.clone(), act })
}

fn answer_to_pb(answer: ClaimDecision) -> pb::ruling::Decide {
    pb::ruling::Decide { claim: answer.claim, upheld: answer.upheld, result: declared_to_pb(answer.result) }
}

fn answer_from_pb(answer: &pb::ruling::Decide) -> Result<ClaimDecision, DecodeError> {
    Ok(ClaimDecision { claim: answer.claim, upheld: answer.upheld, result: declared_from_pb(answer.result)? })
}

fn declared_to_pb(declared: Option<DeclaredResult>) -> i32 {
    let declared = match declared {
        None => pb::DeclaredResult::Unspecified,
        Some(DeclaredResult::Draw) => pb::DeclaredResult::Draw,
        Some(DeclaredResult::Loss(Side::First)) => pb::DeclaredResult::FirstLoses,
        Some(DeclaredResult::Loss(Side::Second)) => pb::DeclaredResult::SecondLoses,
        Some(DeclaredResult::BothLose) => pb::DeclaredResult::BothLose,
        Some(DeclaredResult::Replay) => pb::DeclaredResult::Replay,
    };
    declared as i32
}

fn declared_from_pb(declared: i32) -> Result<Option<DeclaredResult>, DecodeError> {
    Ok(match pb::DeclaredResult::try_from(declared).map_err(|_| DecodeError("a result"))? {
        pb::DeclaredResult::Unspecified => None,
        pb::DeclaredResult::Draw => Some(DeclaredResult::Draw),
        pb::DeclaredResult::FirstLoses => Some(DeclaredResult::Loss(Side::First)),
        pb::DeclaredResult::SecondLoses => Some(DeclaredResult::Loss(Side::Second)),
        pb::DeclaredResult::BothLose => Some(DeclaredResult::BothLose),
        pb::DeclaredResult::Replay => Some(DeclaredResult::Replay),
    })
}
