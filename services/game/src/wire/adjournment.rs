//! Who has come, and how an adjournment stands.

use api::game::v1 as pb;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use rules::Side;

use super::{DecodeError, Numbered as _, moment, optional_moment, optional_number, span_or};
use crate::core::{Adjournment, AdjournmentStep, CheckIn, SealRuling, Sealed, SealedMove};

pub(super) fn check_in_to_pb(check_in: &CheckIn) -> pb::CheckIn {
    let since = |side: Side| check_in.since[side.index()].map(api::time::timestamp);
    let late = |side: Side| Some(check_in.late[side.index()]).filter(|late| !late.is_zero());
    pb::CheckIn {
        first_since_time: since(Side::First),
        second_since_time: since(Side::Second),
        first_late_duration: late(Side::First).map(api::time::duration),
        second_late_duration: late(Side::Second).map(api::time::duration),
        start_time: Some(api::time::timestamp(check_in.start)),
        limit_time: Some(api::time::timestamp(check_in.limit)),
    }
}

pub(super) fn check_in_from_pb(check_in: &pb::CheckIn) -> Result<CheckIn, DecodeError> {
    let late = |late: Option<&prost_types::Duration>| span_or(late, std::time::Duration::ZERO);
    Ok(CheckIn {
        since: [
            optional_moment(check_in.first_since_time.as_ref(), "there since")?,
            optional_moment(check_in.second_since_time.as_ref(), "there since")?,
        ],
        late: [late(check_in.first_late_duration.as_ref())?, late(check_in.second_late_duration.as_ref())?],
        start: moment(check_in.start_time.as_ref(), "start of play")?,
        limit: moment(check_in.limit_time.as_ref(), "limit of lateness")?,
    })
}

/// No adjournment is not written.
pub(super) fn adjournment_to_pb(adjournment: &Adjournment) -> Option<pb::Adjournment> {
    (*adjournment != Adjournment::NONE).then(|| pb::Adjournment {
        sealing_time: adjournment.sealing.map(api::time::timestamp),
        sealer: optional_number(adjournment.sealer),
        commitment: adjournment.commitment.map(Vec::from).unwrap_or_default(),
        resumption_time: adjournment.resumption.map(api::time::timestamp),
        announced: adjournment.announced,
        undecided: adjournment.undecided,
        act: adjournment.act.clone(),
    })
}

pub(super) fn adjournment_from_pb(adjournment: Option<&pb::Adjournment>) -> Result<Adjournment, DecodeError> {
    let Some(adjournment) = adjournment else { return Ok(Adjournment::NONE) };
    Ok(Adjournment {
        sealing: optional_moment(adjournment.sealing_time.as_ref(), "time of sealing")?,
        sealer: Side::of(adjournment.sealer),
        commitment: match adjournment.commitment.as_slice() {
            [] => None,
            bytes => Some(bytes.try_into().map_err(|_| DecodeError("a commitment"))?),
        },
        resumption: optional_moment(adjournment.resumption_time.as_ref(), "time of a resumption")?,
        announced: adjournment.announced,
        undecided: adjournment.undecided,
        act: adjournment.act.clone(),
    })
}

/// A step as everybody may read it; what is sealed in it is left behind.
pub(super) fn step_to_pb(step: &AdjournmentStep) -> pb::AdjournmentStep {
    use pb::adjournment_step::{
        MoveHeld, MoveOpened, MoveRuled, MoveSealed, ResumptionAnnounced, ResumptionSet, SealingBegun, Step,
    };
    let at = |time: &time::OffsetDateTime| Some(api::time::timestamp(*time));
    let step = match step {
        AdjournmentStep::SealingBegun => Step::SealingBegun(SealingBegun {}),
        AdjournmentStep::Sealed(sealed) => {
            Step::MoveSealed(MoveSealed { commitment: sealed.commitment.to_vec() })
        }
        AdjournmentStep::ResumptionSet(time) => {
            Step::ResumptionSet(ResumptionSet { resumption_time: at(time) })
        }
        AdjournmentStep::ResumptionAnnounced(time) => {
            Step::ResumptionAnnounced(ResumptionAnnounced { resumption_time: at(time) })
        }
        AdjournmentStep::Opened { salt, act } => {
            Step::MoveOpened(MoveOpened { salt: salt.to_vec(), act: act.clone() })
        }
        AdjournmentStep::Held { reason } => Step::MoveHeld(MoveHeld { reason: reason.clone() }),
        AdjournmentStep::Ruled { ruling, reason } => {
            Step::MoveRuled(MoveRuled { ruling: Some(ruling_to_pb(ruling)), reason: reason.clone() })
        }
    };
    pb::AdjournmentStep { step: Some(step) }
}

/// A step, with what was sealed in it.
pub(super) fn step_from_pb(
    step: &pb::AdjournmentStep,
    sealed: Option<String>,
) -> Result<AdjournmentStep, DecodeError> {
    use pb::adjournment_step::Step;
    Ok(match step.step.as_ref().ok_or(DecodeError("a step of an adjournment"))? {
        Step::SealingBegun(_) => AdjournmentStep::SealingBegun,
        Step::MoveSealed(move_sealed) => AdjournmentStep::Sealed(SealedMove {
            commitment: move_sealed
                .commitment
                .as_slice()
                .try_into()
                .map_err(|_| DecodeError("a commitment"))?,
            sealed: sealed.map(Sealed),
        }),
        Step::ResumptionSet(set) => {
            AdjournmentStep::ResumptionSet(moment(set.resumption_time.as_ref(), "a resumption")?)
        }
        Step::ResumptionAnnounced(announced) => {
            AdjournmentStep::ResumptionAnnounced(moment(announced.resumption_time.as_ref(), "a resumption")?)
        }
        Step::MoveOpened(opened) => AdjournmentStep::Opened {
            salt: opened.salt.as_slice().try_into().map_err(|_| DecodeError("a salt"))?,
            act: opened.act.clone(),
        },
        Step::MoveHeld(held) => AdjournmentStep::Held { reason: held.reason.clone() },
        Step::MoveRuled(ruled) => AdjournmentStep::Ruled {
            ruling: ruling_from_pb(ruled.ruling.as_ref()).ok_or(DecodeError("a ruling"))?,
            reason: ruled.reason.clone(),
        },
    })
}

/// A ruling; none when nothing is said.
pub(crate) fn ruling_from_pb(ruling: Option<&pb::SealRuling>) -> Option<SealRuling> {
    use pb::seal_ruling::Ruling;
    Some(match ruling?.ruling.as_ref()? {
        Ruling::Act(act) => SealRuling::Act(act.clone()),
        Ruling::TurnBack(_) => SealRuling::TurnBack,
    })
}

pub(super) fn ruling_to_pb(ruling: &SealRuling) -> pb::SealRuling {
    use pb::seal_ruling::{Ruling, TurnBack};
    let ruling = match ruling {
        SealRuling::Act(act) => Ruling::Act(act.clone()),
        SealRuling::TurnBack => Ruling::TurnBack(TurnBack {}),
    };
    pb::SealRuling { ruling: Some(ruling) }
}

/// A sealed move as it is kept beside its event: the id of the key and the ciphertext.
pub(crate) fn encode_stored(key_id: &str, ciphertext: &[u8]) -> Sealed {
    Sealed(format!("{key_id} {}", STANDARD.encode(ciphertext)))
}

/// The same as they were.
pub(crate) fn decode_stored(sealed: &Sealed) -> Option<(&str, Vec<u8>)> {
    let (key_id, ciphertext) = sealed.0.rsplit_once(' ')?;
    Some((key_id, STANDARD.decode(ciphertext).ok()?))
}
