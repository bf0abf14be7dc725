//! Enums and their numbers in messages.

use api::{Unspecified, clock::v1::PauseReason as PausePb, game::v1 as pb, proto_enum};

use crate::core::{AbandonmentClaim, ClaimKind, ClaimState, PauseReason, Stage, chat::Room};

proto_enum!(AbandonmentClaim = pb::AbandonmentClaim { Win, Draw });
proto_enum!(ClaimKind = pb::ClaimKind { Conduct, Count, Decision, NoWinningForce, Other });
proto_enum!(ClaimState = pb::ClaimState { Open, Decided, Appealed, Final });
proto_enum!(Room = pb::ChatRoom { Players, Spectators });
proto_enum!(Stage = pb::Stage { Waiting, Playing, Sealing, Adjourned, Ended, Final });
proto_enum!(PauseReason = PausePb);

impl From<PauseReason> for PausePb {
    fn from(reason: PauseReason) -> Self {
        match reason {
            PauseReason::Players => PausePb::Players,
            PauseReason::Arbiter => PausePb::Arbiter,
            PauseReason::EventBreak => PausePb::EventBreak,
            PauseReason::Leave => PausePb::Leave,
            PauseReason::Maintenance => PausePb::Maintenance,
        }
    }
}

/// A platform that was down is no pause: that time is given back.
impl TryFrom<PausePb> for PauseReason {
    type Error = Unspecified;

    fn try_from(reason: PausePb) -> Result<Self, Unspecified> {
        match reason {
            PausePb::Players => Ok(PauseReason::Players),
            PausePb::Arbiter => Ok(PauseReason::Arbiter),
            PausePb::EventBreak => Ok(PauseReason::EventBreak),
            PausePb::Leave => Ok(PauseReason::Leave),
            PausePb::Maintenance => Ok(PauseReason::Maintenance),
            PausePb::ServerOutage | PausePb::Unspecified => Err(Unspecified),
        }
    }
}
