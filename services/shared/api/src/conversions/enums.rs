//! Enums of the rules.

use rules::{
    Axes, Circumstance, IncidentKind, OfferRule, Reason, Remedy, RemovalCause, Sanction, Side, Verdict,
};

use crate::{Unspecified, board::v1 as board, game::v1 as game, proto_enum};

proto_enum!(Side = board::Side { First, Second });
proto_enum!(RemovalCause = board::RemovalCause { Captured, Chosen, Lifted, Dead });
proto_enum!(Axes = game::Axes { AcrossWithoutI, Across, Down });
proto_enum!(OfferRule = game::DrawOfferRule { Free, Alternate });
proto_enum!(Sanction = game::Sanction { Nothing, Admonition, Warning, Violation, Loss });
proto_enum!(
    Remedy = game::Remedy {
        Nothing,
        Void,
        Pass,
        Restored,
        Stands,
        ReasonablePoint,
        Rebuilt,
        FreeChoice,
        Reported,
        Draw,
        Replay,
    }
);
proto_enum!(
    IncidentKind = game::IncidentKind {
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
        WalkingAbout,
        WatchingOthers,
        Manners,
    }
);
proto_enum!(
    Circumstance = game::Circumstance {
        OnPurpose,
        Accident,
        OutsideCause,
        Agreed,
        ClaimedAtOnce,
        CannotRebuild,
        ArbiterPresent,
    }
);
proto_enum!(Verdict = board::Verdict);

impl From<Verdict> for board::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Win(Side::First) => board::Verdict::FirstWins,
            Verdict::Win(Side::Second) => board::Verdict::SecondWins,
            Verdict::Draw => board::Verdict::Draw,
            Verdict::BothLose => board::Verdict::BothLose,
            Verdict::Void => board::Verdict::Void,
        }
    }
}

impl TryFrom<board::Verdict> for Verdict {
    type Error = Unspecified;

    fn try_from(verdict: board::Verdict) -> Result<Self, Unspecified> {
        match verdict {
            board::Verdict::FirstWins => Ok(Verdict::Win(Side::First)),
            board::Verdict::SecondWins => Ok(Verdict::Win(Side::Second)),
            board::Verdict::Draw => Ok(Verdict::Draw),
            board::Verdict::BothLose => Ok(Verdict::BothLose),
            board::Verdict::Void => Ok(Verdict::Void),
            board::Verdict::Unspecified => Err(Unspecified),
        }
    }
}

/// Writes it for the reasons that every game knows; one that a rule names is told by its name beside.
macro_rules! reasons {
    ($($variant:ident),+ $(,)?) => {
        impl From<Reason> for board::Reason {
            fn from(reason: Reason) -> Self {
                match reason {
                    $(Reason::$variant => board::Reason::$variant,)+
                    Reason::Rule(_) => board::Reason::Rule,
                    _ => board::Reason::Unspecified,
                }
            }
        }

        impl TryFrom<board::Reason> for Reason {
            type Error = Unspecified;

            fn try_from(reason: board::Reason) -> Result<Self, Unspecified> {
                match reason {
                    $(board::Reason::$variant => Ok(Reason::$variant),)+
                    board::Reason::Rule | board::Reason::Unspecified => Err(Unspecified),
                }
            }
        }
    };
}

reasons! {
    Resignation, Time, Agreement, Aborted, Score, NoMoves, TooFewStones, Fourteen, Formation, Repetition, Quiet,
    Replay, Arbiter, Late, Warnings, Violations, Abandoned, NoWinningForce, Committee, NotAppeared,
}
