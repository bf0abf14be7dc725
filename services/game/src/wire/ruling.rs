//! Acts of officials.

use api::{
    ProtoEnum, Unspecified,
    game::v1::{self as pb, ruling::Act as ActPb},
    proto_enum,
};
use rules::Side;

use super::{DecodeError, moment, optional_moment, progress::pause};
use crate::core::{ClaimDecision, DeclaredResult, OfficialAct, Ruling};

impl From<&Ruling> for pb::Ruling {
    fn from(ruling: &Ruling) -> Self {
        use pb::ruling as kind;
        let act = match &ruling.act {
            OfficialAct::AnswerCall(call) => ActPb::AnswerCall(kind::AnswerCall { call: *call }),
            OfficialAct::RecordIncident(report) => ActPb::RecordIncident((&report.incident).into()),
            OfficialAct::AddTime(side, span) => ActPb::AddTime(kind::AddTime {
                side: side.number(),
                added_duration: Some(api::time::duration(*span)),
            }),
            OfficialAct::DeductTime(side, span) => ActPb::DeductTime(kind::DeductTime {
                side: side.number(),
                deducted_duration: Some(api::time::duration(*span)),
            }),
            OfficialAct::Pause(reason) => ActPb::Pause(kind::Pause { reason: reason.number() }),
            OfficialAct::Resume(reason) => ActPb::Resume(kind::Resume { reason: reason.number() }),
            OfficialAct::VoidMoves(ply) => ActPb::VoidMoves(kind::VoidMoves { ply: *ply }),
            OfficialAct::CorrectColours => ActPb::CorrectColours(kind::CorrectColours {}),
            OfficialAct::NoteColours => ActPb::NoteColours(kind::NoteColours {}),
            OfficialAct::RepeatAnnouncement(from) => ActPb::RepeatAnnouncement(kind::RepeatAnnouncement {
                from_time: from.map(api::time::timestamp),
            }),
            OfficialAct::Confirm => ActPb::Confirm(kind::Confirm {}),
            OfficialAct::Declare(declared) => ActPb::Declare(kind::Declare { result: declared.number() }),
            OfficialAct::Annul => ActPb::Annul(kind::Annul {}),
            OfficialAct::DecideClaim(answer) => ActPb::DecideClaim((*answer).into()),
            OfficialAct::DecideAppeal(answer) => ActPb::DecideAppeal((*answer).into()),
            OfficialAct::BeginSealing => ActPb::BeginSealing(kind::BeginSealing {}),
            OfficialAct::SetResumption(at) => {
                ActPb::SetResumption(kind::SetResumption { resumption_time: Some(api::time::timestamp(*at)) })
            }
            OfficialAct::RuleOnSealed(ruling) => ActPb::RuleOnSealed(ruling.into()),
        };
        pb::Ruling { reason: ruling.reason.clone(), act: Some(act) }
    }
}

/// An act of an official as it is asked for or stored.
impl TryFrom<&pb::Ruling> for Ruling {
    type Error = DecodeError;

    fn try_from(ruling: &pb::Ruling) -> Result<Self, DecodeError> {
        let side = |side| Side::of(side).ok_or(DecodeError("a side"));
        let span = |span: &Option<prost_types::Duration>| {
            span.as_ref().and_then(api::time::span).ok_or(DecodeError("a duration"))
        };
        let act = match ruling.act.as_ref().ok_or(DecodeError("an act"))? {
            ActPb::AnswerCall(answer) => OfficialAct::AnswerCall(answer.call),
            ActPb::RecordIncident(incident) => OfficialAct::RecordIncident(incident.try_into()?),
            ActPb::AddTime(add) => OfficialAct::AddTime(side(add.side)?, span(&add.added_duration)?),
            ActPb::DeductTime(deduct) => {
                OfficialAct::DeductTime(side(deduct.side)?, span(&deduct.deducted_duration)?)
            }
            ActPb::Pause(paused) => OfficialAct::Pause(pause(paused.reason)?),
            ActPb::Resume(resume) => OfficialAct::Resume(pause(resume.reason)?),
            ActPb::VoidMoves(void) => OfficialAct::VoidMoves(void.ply),
            ActPb::CorrectColours(_) => OfficialAct::CorrectColours,
            ActPb::NoteColours(_) => OfficialAct::NoteColours,
            ActPb::RepeatAnnouncement(repeat) => {
                OfficialAct::RepeatAnnouncement(optional_moment(repeat.from_time.as_ref(), "from time")?)
            }
            ActPb::Confirm(_) => OfficialAct::Confirm,
            ActPb::Declare(declare) => OfficialAct::Declare(declare.result().try_into()?),
            ActPb::Annul(_) => OfficialAct::Annul,
            ActPb::DecideClaim(answer) => OfficialAct::DecideClaim(answer.try_into()?),
            ActPb::DecideAppeal(answer) => OfficialAct::DecideAppeal(answer.try_into()?),
            ActPb::BeginSealing(_) => OfficialAct::BeginSealing,
            ActPb::SetResumption(set) => {
                OfficialAct::SetResumption(moment(set.resumption_time.as_ref(), "resumption time")?)
            }
            ActPb::RuleOnSealed(ruling) => OfficialAct::RuleOnSealed(ruling.try_into()?),
        };
        Ok(Ruling { reason: ruling.reason.clone(), act })
    }
}

impl From<ClaimDecision> for pb::ruling::Decide {
    fn from(answer: ClaimDecision) -> Self {
        pb::ruling::Decide { claim: answer.claim, upheld: answer.upheld, result: answer.result.number() }
    }
}

impl TryFrom<&pb::ruling::Decide> for ClaimDecision {
    type Error = DecodeError;

    fn try_from(answer: &pb::ruling::Decide) -> Result<Self, DecodeError> {
        Ok(ClaimDecision {
            claim: answer.claim,
            upheld: answer.upheld,
            result: ProtoEnum::of(answer.result).ok_or(DecodeError("a result"))?,
        })
    }
}

proto_enum!(DeclaredResult = pb::DeclaredResult);

impl From<DeclaredResult> for pb::DeclaredResult {
    fn from(declared: DeclaredResult) -> Self {
        match declared {
            DeclaredResult::Draw => pb::DeclaredResult::Draw,
            DeclaredResult::Loss(Side::First) => pb::DeclaredResult::FirstLoses,
            DeclaredResult::Loss(Side::Second) => pb::DeclaredResult::SecondLoses,
            DeclaredResult::BothLose => pb::DeclaredResult::BothLose,
            DeclaredResult::Replay => pb::DeclaredResult::Replay,
        }
    }
}

impl TryFrom<pb::DeclaredResult> for DeclaredResult {
    type Error = Unspecified;

    fn try_from(declared: pb::DeclaredResult) -> Result<Self, Unspecified> {
        match declared {
            pb::DeclaredResult::Draw => Ok(DeclaredResult::Draw),
            pb::DeclaredResult::FirstLoses => Ok(DeclaredResult::Loss(Side::First)),
            pb::DeclaredResult::SecondLoses => Ok(DeclaredResult::Loss(Side::Second)),
            pb::DeclaredResult::BothLose => Ok(DeclaredResult::BothLose),
            pb::DeclaredResult::Replay => Ok(DeclaredResult::Replay),
            pb::DeclaredResult::Unspecified => Err(Unspecified),
        }
    }
}
