//! Enums and their numbers in messages.

use api::{
    Unspecified, board::v1 as board_pb, clock::v1::PauseReason as PausePb, game::v1 as pb,
    identity::v1::Role as RolePb, proto_enum,
};
use rules::{
    Axes, Circumstance, IncidentKind, OfferRule, Reason, Remedy, RemovalCause, Sanction, Side, Verdict,
};

use crate::core::{AbandonmentClaim, ClaimKind, ClaimState, PauseReason, Role, Stage, chat::Room};

proto_enum!(AbandonmentClaim = pb::AbandonmentClaim { Win, Draw });
proto_enum!(ClaimKind = pb::ClaimKind { Conduct, Count, Decision, NoWinningForce, Other });
proto_enum!(ClaimState = pb::ClaimState { Open, Decided, Appealed, Final });
proto_enum!(Room = pb::ChatRoom { Players, Spectators });
proto_enum!(Stage = pb::Stage { Waiting, Playing, Sealing, Adjourned, Ended, Final });

impl From<PauseReason> for PausePb {
    fn from(reason: PauseReason) -> Self {
        match reason {
            PauseReason::Players => PausePb::Players,
            PauseReason::Arbiter => PausePb::Arbiter,
            PauseReason::EventBreak => PausePb::EventBreak,
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
            PausePb::ServerOutage | PausePb::Unspecified => Err(Unspecified),
        }
    }
}

/// An enum of another crate, for which only that crate could write what `proto_enum!` does.
pub(crate) trait Numbered: Sized {
    /// Its number.
    fn number(self) -> i32;
    /// What has this number.
    fn of(number: i32) -> Option<Self>;
}

/// Writes it for an enum whose proto has the same variants, and perhaps one that is `Unspecified` there.
macro_rules! numbered {
    (@unspecified $plain:ident) => {
        None
    };
    (@unspecified $plain:ident $nothing:ident) => {
        Some($plain::$nothing)
    };
    ($plain:ident = $proto:ty { $($variant:ident),+ $(,)? } $(or $nothing:ident)?) => {
        impl Numbered for $plain {
            fn number(self) -> i32 {
                match self {
                    $($plain::$variant => <$proto>::$variant as i32,)+
                    $($plain::$nothing => <$proto>::Unspecified as i32,)?
                }
            }

            fn of(number: i32) -> Option<Self> {
                match <$proto>::try_from(number).ok()? {
                    $(<$proto>::$variant => Some($plain::$variant),)+
                    <$proto>::Unspecified => numbered!(@unspecified $plain $($nothing)?),
                }
            }
        }
    };
}

numbered!(Axes = pb::Axes { AcrossWithoutI, Across, Down });
numbered!(OfferRule = pb::DrawOfferRule { Free, Alternate });
numbered!(RemovalCause = board_pb::RemovalCause { Captured, Chosen, Lifted, Dead });
numbered!(Role = RolePb { ChiefArbiter, Deputy, Arbiter, Committee, Scorer });
numbered!(Sanction = pb::Sanction { Admonition, Warning, Violation, Loss } or Nothing);
numbered!(
    IncidentKind = pb::IncidentKind {
        TwoMoves,
        TakeBack,
        ForbiddenMove,
        WrongCapture,
        ClockPress,
        Talking,
        Disturbing,
        RepeatedOffer,
        Questions,
        RefusingToSign,
        Leaving,
        MovedStone,
        ScatteredBoard,
        Other,
    }
);
numbered!(
    Circumstance = pb::Circumstance {
        OnPurpose,
        Accident,
        OutsideCause,
        Agreed,
        ClaimedAtOnce,
        CannotRebuild,
        ArbiterPresent,
    }
);
numbered!(Remedy = pb::Remedy {
    Void, Pass, Restored, Stands, ReasonablePoint, Rebuilt, FreeChoice, Reported, Draw, Replay,
} or Nothing);

/// Writes it for what `api` converts.
macro_rules! converted {
    ($($plain:ident = $proto:ty),+ $(,)?) => {
        $(impl Numbered for $plain {
            fn number(self) -> i32 {
                <$proto>::from(self) as i32
            }

            fn of(number: i32) -> Option<Self> {
                <$proto>::try_from(number).ok()?.try_into().ok()
            }
        })+
    };
}

converted!(Side = board_pb::Side, Verdict = board_pb::Verdict);

/// The proto of a reason, but for those that a rule names.
macro_rules! reasons {
    ($($variant:ident),+ $(,)?) => {
        impl Numbered for Reason {
            fn number(self) -> i32 {
                match self {
                    $(Reason::$variant => board_pb::Reason::$variant as i32,)+
                    Reason::Rule(_) => board_pb::Reason::Rule as i32,
                    _ => board_pb::Reason::Unspecified as i32,
                }
            }

            fn of(number: i32) -> Option<Self> {
                match board_pb::Reason::try_from(number).ok()? {
                    $(board_pb::Reason::$variant => Some(Reason::$variant),)+
                    board_pb::Reason::Rule | board_pb::Reason::Unspecified => None,
                }
            }
        }
    };
}

reasons! {
    Resignation, Time, Agreement, Aborted, Score, NoMoves, TooFewStones, Fourteen, Formation, Repetition, Quiet,
    Replay, Arbiter, Late, Warnings, Violations, Abandoned, NoWinningForce, Committee, NotAppeared,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_proto_of_its_own_and_the_same_name() {
        for reason in Reason::ALL {
            assert_eq!(Reason::of(reason.number()), Some(reason));
            let proto = board_pb::Reason::try_from(reason.number()).expect("a proto");
            let name = proto.as_str_name().trim_start_matches("REASON_");
            assert_eq!(name.to_ascii_lowercase().replace('_', "-"), reason.name());
        }
    }
}
