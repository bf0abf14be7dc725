use core::fmt;

use crate::{Refusal, RefusalKind, go};

/// Why an act is refused. The position is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// A reason that Go has too; a [`go::Illegal::Ko`] is the simplest case of article 32 (article 24).
    Go(go::Illegal),
    /// A real move would make the opponent face board and virtual stones that it has faced (article 32.1).
    ShapeAgain,
    /// A virtual move would make the opponent face a board that it has faced (article 32.2).
    BoardAgain,
    /// A point on which a living stone stands was given to somebody.
    StoneThere,
    /// One point was given to two.
    NamedTwice,
    /// No point is shared, so there is nothing to fill.
    NothingToFill,
    /// The side has demanded that neutral points be filled as often as it may.
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

    const fn detail(self) -> &'static str {
        match self {
            Illegal::Go(_) => "the rules of Go forbid it",
            Illegal::ShapeAgain => "the other side would face this board with these virtual stones again",
            Illegal::BoardAgain => "the other side would face this board again by a virtual move",
            Illegal::StoneThere => "a stone stands on a point that is to be given to somebody",
            Illegal::NamedTwice => "a point cannot be given to two",
            Illegal::NothingToFill => "no point is shared",
            Illegal::TooManyDemands => {
                "you have demanded to fill as often as you may; propose, accept or reject"
            }
        }
    }
}

impl From<go::Illegal> for Illegal {
    fn from(illegal: go::Illegal) -> Illegal {
        Illegal::Go(illegal)
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        match illegal {
            Illegal::Go(illegal) => illegal.into(),
            Illegal::ShapeAgain | Illegal::BoardAgain => {
                Refusal::illegal(illegal.reason(), illegal.detail()).of_kind(RefusalKind::Forbidden)
            }
            _ => Refusal::illegal(illegal.reason(), illegal.detail()),
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::Go(illegal) => illegal.fmt(f),
            _ => f.write_str(self.detail()),
        }
    }
}

impl core::error::Error for Illegal {}
