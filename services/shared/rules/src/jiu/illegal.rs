use alloc::{format, string::ToString, vec::Vec};
use core::fmt;

use super::{Phase, Point};
use crate::Refusal;

/// Which rule a turn breaks. The position is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Illegal {
    /// The game has ended.
    GameOver,
    /// This phase takes another kind of turn.
    WrongPhase(Phase),
    /// A stone stands where the turn ends, or where a jump would land.
    Occupied(Point),
    /// The first two stones are placed on the two centre points (Article 3.1).
    OpeningPoint,
    /// The stone to be lifted is the mover's own centre stone (Article 3.2), on this point.
    LiftPoint(Point),
    /// No stone of the mover stands there, or it is moved twice.
    NotYourStone(Point),
    /// The leg is neither a step nor a jump, and the mover does not fly.
    NotAdjacent {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// The leg has the length of a jump, but jumps no enemy stone.
    NoJump {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// Competitive rules: a chain of one jump while the opponent flies.
    OneJumpForbidden,
    /// The turn names other jumped stones than these.
    JumpMismatch {
        /// What the path does jump, in order.
        jumped: Vec<Point>,
    },
    /// A printed turn does not name the stones that it jumps.
    JumpUnsaid {
        /// What the path jumps, in order.
        jumped: Vec<Point>,
    },
    /// Two stones moved together do not make a lan (Article 3.3.6).
    NotLan,
    /// Three stones moved together do not make a songran (Article 3.3.8).
    NotSongran,
    /// The turn names more or fewer stones to remove than it has earned.
    MustRemove {
        /// How many there must be.
        owed: u8,
        /// How many there are.
        named: usize,
    },
    /// A stone to be removed is no enemy stone, or has been jumped already.
    NotEnemy(Point),
    /// A stone to be removed is named twice.
    RemovedTwice(Point),
}

impl Illegal {
    /// The stable name of the broken rule: `OCCUPIED`, `MUST_REMOVE`.
    pub const fn reason(&self) -> &'static str {
        match self {
            Illegal::GameOver => "GAME_OVER",
            Illegal::WrongPhase(_) => "WRONG_PHASE",
            Illegal::Occupied(_) => "OCCUPIED",
            Illegal::OpeningPoint => "OPENING_POINT",
            Illegal::LiftPoint(_) => "LIFT_POINT",
            Illegal::NotYourStone(_) => "NOT_YOUR_STONE",
            Illegal::NotAdjacent { .. } => "NOT_ADJACENT",
            Illegal::NoJump { .. } => "NO_JUMP",
            Illegal::OneJumpForbidden => "ONE_JUMP_FORBIDDEN",
            Illegal::JumpMismatch { .. } => "JUMP_MISMATCH",
            Illegal::JumpUnsaid { .. } => "JUMP_UNSAID",
            Illegal::NotLan => "NOT_LAN",
            Illegal::NotSongran => "NOT_SONGRAN",
            Illegal::MustRemove { .. } => "MUST_REMOVE",
            Illegal::NotEnemy(_) => "NOT_ENEMY_STONE",
            Illegal::RemovedTwice(_) => "REMOVED_TWICE",
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::GameOver => f.write_str("the game has ended"),
            Illegal::WrongPhase(Phase::Place) => f.write_str("a stone is placed now: name one point"),
            Illegal::WrongPhase(Phase::Lift) => f.write_str("the centre stone is lifted now: name its point"),
            Illegal::WrongPhase(Phase::Move) => f.write_str("a stone is moved now: name its path"),
            Illegal::Occupied(at) => write!(f, "a stone stands on {at}"),
            Illegal::OpeningPoint => f.write_str("the first two stones are placed on G7 and H8"),
            Illegal::LiftPoint(at) => write!(f, "the stone to be lifted is that on {at}"),
            Illegal::NotYourStone(at) => write!(f, "the mover has no stone to move on {at}"),
            Illegal::NotAdjacent { from, to } => write!(f, "{from} to {to} is neither a step nor a jump"),
            Illegal::NoJump { from, to } => write!(f, "{from} to {to} jumps no enemy stone"),
            Illegal::OneJumpForbidden => {
                f.write_str("while the opponent flies, a chain of one jump is not allowed")
            }
            Illegal::JumpMismatch { jumped } if jumped.is_empty() => f.write_str("the path jumps nothing"),
            Illegal::JumpMismatch { jumped } => {
                let jumped: Vec<_> = jumped.iter().map(ToString::to_string).collect();
                write!(f, "the path jumps {}", jumped.join(","))
            }
            Illegal::JumpUnsaid { jumped } => {
                let jumped: Vec<_> = jumped.iter().map(ToString::to_string).collect();
                write!(f, "the path jumps {}, and no TC says so", jumped.join(","))
            }
            Illegal::NotLan => f.write_str("two stones moved together must fill two adjacent lines"),
            Illegal::NotSongran => f.write_str("three stones moved together must fill three adjacent lines"),
            Illegal::MustRemove { owed, named } => {
                write!(f, "the turn removes exactly {owed} stones of choice, and {named} are named")
            }
            Illegal::NotEnemy(at) => write!(f, "no enemy stone is left on {at}"),
            Illegal::RemovedTwice(at) => write!(f, "{at} is named twice"),
        }
    }
}

impl core::error::Error for Illegal {}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        match illegal {
            Illegal::GameOver => Refusal::game_over(),
            other => Refusal::illegal(other.reason(), format!("{other}")),
        }
    }
}
