use super::{Orientation, Phase, Point};
use crate::{Refusal, RefusalKind};
use alloc::format;

/// Which rule a turn breaks. The position is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The game has ended.
    #[error("the game has ended")]
    GameOver,
    /// This phase takes another kind of turn.
    #[error("{}", wanted(*.0))]
    WrongPhase(Phase),
    /// A stone stands where the turn, or a jump of it, ends.
    #[error("a stone stands on {0}")]
    Occupied(Point),
    /// The centre is kept for the last stone (rule 7).
    #[error("E5 is kept for the last stone")]
    CentreReserved,
    /// The first stones stand round the centre (rule 6).
    #[error("the first stones are placed round E5")]
    RingFirst,
    /// No stone of the mover stands there.
    #[error("the mover has no stone on {0}")]
    NotYourStone(Point),
    /// The turn ends where it begins.
    #[error("the stone on {0} does not go anywhere")]
    NoDisplacement(Point),
    /// The points are not orthogonal neighbours, and the mover does not fly (rules 13 and 14).
    #[error("{to} is no neighbour of {from}")]
    NotAdjacent {
        /// Where the stone stands.
        from: Point,
        /// Where it was to go.
        to: Point,
    },
    /// The leg does not pass exactly one point, with an enemy stone on it (rule 15).
    #[error("{from} to {to} jumps no enemy stone")]
    BadJump {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A chain of one jump while flight bars it (rule 17).
    #[error("in the flying phase a chain takes at least two stones")]
    SingleJumpInFlight,
    /// A stone to be removed is no enemy stone, or has left the board.
    #[error("no enemy stone stands on {0}")]
    NotEnemyStone(Point),
    /// A stone to be removed stands in a square while there are loose ones (rule 21).
    #[error("the stone on {0} stands in a square, and there are loose ones")]
    ProtectedSquare(Point),
    /// So many more stones have to be removed (rule 19).
    #[error("{0} more enemy stones have to be removed")]
    TooFewRemovals(u8),
    /// More stones are named than are owed (rule 20).
    #[error("more stones are named than are to be removed")]
    TooManyRemovals,
    /// Nothing has earned a removal: no displacement stands before it, or the line chosen makes no spear that
    /// counts (rules 23 to 27).
    #[error("{}", unearned(*.0))]
    NoRemovalDue(Option<Orientation>),
    /// The removals of the turn come first; only where sub-actions are played singly.
    #[error("{0} enemy stones have to be removed first")]
    RemovalPending(u8),
    /// The position has not come back, and nothing has been taken, often enough.
    #[error("there is no draw to claim yet")]
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

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        match illegal {
            Illegal::GameOver => Refusal::game_over(),
            Illegal::NotClaimable => Refusal::illegal(illegal.reason(), format!("{illegal}")),
            other => Refusal::illegal(other.reason(), format!("{other}")).of_kind(RefusalKind::Forbidden),
        }
    }
}

/// What a phase waits for.
const fn wanted(phase: Phase) -> &'static str {
    match phase {
        Phase::Place => "a stone is placed now: name one point",
        Phase::Open => "enemy stones are removed now: name them, like *C3*D4",
        Phase::Move => "a stone is moved now: name its way, like E4-E5",
    }
}

/// Why nothing may be removed, when this line was to be a spear.
const fn unearned(line: Option<Orientation>) -> &'static str {
    match line {
        None => "nothing has earned a removal",
        Some(Orientation::Row) => "no row makes a spear that counts",
        Some(Orientation::Column) => "no column makes a spear that counts",
    }
}
