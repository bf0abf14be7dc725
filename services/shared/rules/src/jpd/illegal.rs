use alloc::string::ToString as _;

use crate::{Refusal, RefusalKind, goban};

/// Why an act is refused. The position is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// A reason that Go has too; a [`goban::Illegal::Ko`] is the simplest case of article 32 (article 24).
    #[error(transparent)]
    Go(#[from] goban::Illegal),
    /// A real move would make the opponent face board and virtual stones that it has faced (article 32.1).
    #[error("the other side would face this board with these virtual stones again")]
    ShapeAgain,
    /// A virtual move would make the opponent face a board that it has faced (article 32.2).
    #[error("the other side would face this board again by a virtual move")]
    BoardAgain,
    /// A point on which a living stone stands was given to somebody.
    #[error("a stone stands on a point that is to be given to somebody")]
    StoneThere,
    /// One point was given to two.
    #[error("a point cannot be given to two")]
    NamedTwice,
    /// No point is shared, so there is nothing to fill.
    #[error("no point is shared")]
    NothingToFill,
    /// The side has demanded that neutral points be filled as often as it may.
    #[error("you have demanded to fill as often as you may; propose, accept or reject")]
    TooManyDemands,
}

impl Illegal {
    /// The stable name of the rule that was broken.
    pub const fn reason(self) -> &'static str {
        match self {
            Illegal::Go(illegal) => illegal.reason(),
            Illegal::ShapeAgain => "SHAPE_AGAIN",
            Illegal::BoardAgain => "BOARD_AGAIN",
            Illegal::StoneThere => "STONE_THERE",
            Illegal::NamedTwice => "NAMED_TWICE",
            Illegal::NothingToFill => "NOTHING_TO_FILL",
            Illegal::TooManyDemands => "TOO_MANY_DEMANDS",
        }
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        match illegal {
            Illegal::Go(illegal) => illegal.into(),
            Illegal::ShapeAgain | Illegal::BoardAgain => {
                Refusal::illegal(illegal.reason(), illegal.to_string()).of_kind(RefusalKind::Forbidden)
            }
            _ => Refusal::illegal(illegal.reason(), illegal.to_string()),
        }
    }
}
