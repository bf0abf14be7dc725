//! Who has come, and how an adjournment stands.

use api::{ProtoEnum as _, game::v1 as pb};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use rules::Side;

use super::{DecodeError, moment, optional_moment, span_or};
use crate::core::{Adjournment, AdjournmentStep, CheckIn, SealRuling, Sealed, SealedMove};

impl From<&CheckIn> for pb::CheckIn {
    fn from(check_in: &CheckIn) -> Self {
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
}

impl TryFrom<&pb::CheckIn> for CheckIn {
    type Error = DecodeError;

    fn try_from(check_in: &pb::CheckIn) -> Result<Self, DecodeError> {
        let late = |late: Option<&prost_types::Duration>| span_or(late, std::time::Duration::ZERO);
        Ok(CheckIn {
            since: [
                optional_moment(check_in.first_since_time.as_ref(), "there since")?,
                optional_moment(check_in.second_since_time.as_ref(), "there since")?,
            ],
            late: [
                late(check_in.first_late_duration.as_ref())?,
                late(check_in.second_late_duration.as_ref())?,
            ],
            start: moment(check_in.start_time.as_ref(), "start of play")?,
            limit: moment(check_in.limit_time.as_ref(), "limit of lateness")?,
        })
    }
}

impl From<&Adjournment> for pb::Adjournment {
    fn from(adjournment: &Adjournment) -> Self {
        pb::Adjournment {
            sealing_time: adjournment.sealing.map(api::time::timestamp),
            sealer: adjournment.sealer.number(),
            commitment: adjournment.commitment.map(Vec::from).unwrap_or_default(),
            resumption_time: adjournment.resumption.map(api::time::timestamp),
            announced: adjournment.announced,
            undecided: adjournment.undecided,
            act: adjournment.act.clone(),
        }
    }
}

impl TryFrom<&pb::Adjournment> for Adjournment {
    type Error = DecodeError;

    fn try_from(adjournment: &pb::Adjournment) -> Result<Self, DecodeError> {
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
}

/// A step as everybody may read it; what is sealed in it is left behind.
impl From<&AdjournmentStep> for pb::AdjournmentStep {
    fn from(step: &AdjournmentStep) -> Self {
        use pb::adjournment_step::{
            MoveHeld, MoveOpened, MoveRuled, MoveSealed, ResumptionAnnounced, ResumptionSet, SealingBegun,
            Step,
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
                Step::MoveRuled(MoveRuled { ruling: Some(ruling.into()), reason: reason.clone() })
            }
        };
        pb::AdjournmentStep { step: Some(step) }
    }
}

/// A step, with what was sealed in it.
impl TryFrom<(&pb::AdjournmentStep, Option<String>)> for AdjournmentStep {
    type Error = DecodeError;

    fn try_from((step, sealed): (&pb::AdjournmentStep, Option<String>)) -> Result<Self, DecodeError> {
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
            Step::ResumptionAnnounced(announced) => AdjournmentStep::ResumptionAnnounced(moment(
                announced.resumption_time.as_ref(),
                "a resumption",
            )?),
            Step::MoveOpened(opened) => AdjournmentStep::Opened {
                salt: opened.salt.as_slice().try_into().map_err(|_| DecodeError("a salt"))?,
                act: opened.act.clone(),
            },
            Step::MoveHeld(held) => AdjournmentStep::Held { reason: held.reason.clone() },
            Step::MoveRuled(ruled) => AdjournmentStep::Ruled {
                ruling: ruled.ruling.as_ref().ok_or(DecodeError("a ruling"))?.try_into()?,
                reason: ruled.reason.clone(),
            },
        })
    }
}

impl TryFrom<&pb::SealRuling> for SealRuling {
    type Error = DecodeError;

    fn try_from(ruling: &pb::SealRuling) -> Result<Self, DecodeError> {
        use pb::seal_ruling::Ruling;
        Ok(match ruling.ruling.as_ref().ok_or(DecodeError("a ruling"))? {
            Ruling::Act(act) => SealRuling::Act(act.clone()),
            Ruling::TurnBack(_) => SealRuling::TurnBack,
        })
    }
}

impl From<&SealRuling> for pb::SealRuling {
    fn from(ruling: &SealRuling) -> Self {
        use pb::seal_ruling::{Ruling, TurnBack};
        let ruling = match ruling {
            SealRuling::Act(act) => Ruling::Act(act.clone()),
            SealRuling::TurnBack => Ruling::TurnBack(TurnBack {}),
        };
        pb::SealRuling { ruling: Some(ruling) }
    }
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
