use alloc::format;
use core::fmt;

use super::{Orientation, Phase, Point};
use crate::{Refusal, RefusalKind};

/// Which rule a turn breaks. The position is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Illegal {
    /// The game has ended.
    GameOver,
    /// This phase takes another kind of turn.
    WrongPhase(Phase),
    /// A stone stands where the turn, or a jump of it, ends.
    Occupied(Point),
    /// The centre is kept for the last stone (rule 7).
    CentreReserved,
    /// The first stones stand round the centre (rule 6).
    RingFirst,
    /// No stone of the mover stands there.
    NotYourStone(Point),
    /// The turn ends where it begins.
    NoDisplacement(Point),
    /// The points are not orthogonal neighbours, and the mover does not fly (rules 13 and 14).
    NotAdjacent {
        /// Where the stone stands.
        from: Point,
        /// Where it was to go.
        to: Point,
    },
    /// The leg does not pass exactly one point, with an enemy stone on it (rule 15).
    BadJump {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A chain of one jump while flight bars it (rule 17).
    SingleJumpInFlight,
    /// A stone to be removed is no enemy stone, or has left the board.
    NotEnemyStone(Point),
    /// A stone to be removed stands in a square while there are loose ones (rule 21).
    ProtectedSquare(Point),
    /// So many more stones have to be removed (rule 19).
    TooFewRemovals(u8),
    /// More stones are named than are owed (rule 20).
    TooManyRemovals,
    /// Nothing has earned a removal: no displacement stands before it, or the line chosen makes no spear that
    /// counts (rules 23 to 27).
    NoRemovalDue(Option<Orientation>),
    /// The removals of the turn come first; only where sub-actions are played singly.
    RemovalPending(u8),
    /// The position has not come back, and nothing has been taken, often enough.
    NotClaimable,
}

impl Illegal {
    /// The stable name of the broken rule: `OCCUPIED`, `RING_FIRST`.
    pub const fn reason(self) -> &'static str {
        match self {
            Illegal::GameOver => "GAME_OVER",
            Illegal::WrongPhase(_) => "WRONG_PHASE",
            Illegal::Occupied(_) => "OCCUPIED",
            Illegal::CentreReserved => "CENTRE_RESERVED",
            Illegal::RingFirst => "RING_FIRST",
            Illegal::NotYourStone(_) => "NOT_YOUR_STONE",
            Illegal::NoDisplacement(_) => "NO_DISPLACEMENT",
            Illegal::NotAdjacent { .. } => "NOT_ADJACENT",
            Illegal::BadJump { .. } => "BAD_JUMP",
            Illegal::SingleJumpInFlight => "SINGLE_JUMP_IN_FLIGHT",
            Illegal::NotEnemyStone(_) => "NOT_ENEMY_STONE",
            Illegal::ProtectedSquare(_) => "PROTECTED_SQUARE",
            Illegal::TooFewRemovals(_) => "TOO_FEW_REMOVALS",
            Illegal::TooManyRemovals => "TOO_MANY_REMOVALS",
            Illegal::NoRemovalDue(_) => "NO_REMOVAL_DUE",
            Illegal::RemovalPending(_) => "REMOVAL_PENDING",
            Illegal::NotClaimable => "NOT_CLAIMABLE",
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::GameOver => f.write_str("the game has ended"),
            Illegal::WrongPhase(Phase::Place) => f.write_str("a stone is placed now: name one point"),
            Illegal::WrongPhase(Phase::Open) => {
                f.write_str("enemy stones are removed now: name them, like *C3*D4")
            }
            Illegal::WrongPhase(Phase::Move) => f.write_str("a stone is moved now: name its way, like E4-E5"),
            Illegal::Occupied(at) => write!(f, "a stone stands on {at}"),
            Illegal::CentreReserved => f.write_str("E5 is kept for the last stone"),
            Illegal::RingFirst => f.write_str("the first stones are placed round E5"),
            Illegal::NotYourStone(at) => write!(f, "the mover has no stone on {at}"),
            Illegal::NoDisplacement(at) => write!(f, "the stone on {at} does not go anywhere"),
            Illegal::NotAdjacent { from, to } => write!(f, "{to} is no neighbour of {from}"),
            Illegal::BadJump { from, to } => write!(f, "{from} to {to} jumps no enemy stone"),
            Illegal::SingleJumpInFlight => {
                f.write_str("in the flying phase a chain takes at least two stones")
            }
            Illegal::NotEnemyStone(at) => write!(f, "no enemy stone stands on {at}"),
            Illegal::ProtectedSquare(at) => {
                write!(f, "the stone on {at} stands in a square, and there are loose ones")
            }
            Illegal::TooFewRemovals(left) => write!(f, "{left} more enemy stones have to be removed"),
            Illegal::TooManyRemovals => f.write_str("more stones are named than are to be removed"),
            Illegal::NoRemovalDue(None) => f.write_str("nothing has earned a removal"),
            Illegal::NoRemovalDue(Some(Orientation::Row)) => f.write_str("no row makes a spear that counts"),
            Illegal::NoRemovalDue(Some(Orientation::Column)) => {
                f.write_str("no column makes a spear that counts")
            }
            Illegal::RemovalPending(left) => write!(f, "{left} enemy stones have to be removed first"),
            Illegal::NotClaimable => f.write_str("there is no draw to claim yet"),
        }
    }
}

impl core::error::Error for Illegal {}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        match illegal {
            Illegal::GameOver => Refusal::game_over(),
            Illegal::NotClaimable => Refusal::illegal(illegal.reason(), format!("{illegal}")),
            other => Refusal::illegal(other.reason(), format!("{other}")).of_kind(RefusalKind::Forbidden),
        }
    }
}
