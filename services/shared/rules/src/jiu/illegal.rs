use super::{Phase, Point};
use crate::Refusal;
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Which rule a turn breaks. The position is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The game has ended.
    #[error("the game has ended")]
    GameOver,
    /// This phase takes another kind of turn.
    #[error("{}", wanted(*.0))]
    WrongPhase(Phase),
    /// A stone stands where the turn ends, or where a jump would land.
    #[error("a stone stands on {0}")]
    Occupied(Point),
    /// The first two stones are placed on the two centre points (Article 3.1).
    #[error("the first two stones are placed on G7 and H8")]
    OpeningPoint,
    /// The stone to be lifted is the mover's own centre stone (Article 3.2), on this point.
    #[error("the stone to be lifted is that on {0}")]
    LiftPoint(Point),
    /// No stone of the mover stands there, or it is moved twice.
    #[error("the mover has no stone to move on {0}")]
    NotYourStone(Point),
    /// The leg is neither a step nor a jump, and the mover does not fly.
    #[error("{from} to {to} is neither a step nor a jump")]
    NotAdjacent {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// The leg has the length of a jump, but jumps no enemy stone.
    #[error("{from} to {to} jumps no enemy stone")]
    NoJump {
        /// Where the leg starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// Competitive rules: a chain of one jump while the opponent flies.
    #[error("while the opponent flies, a chain of one jump is not allowed")]
    OneJumpForbidden,
    /// The turn names other jumped stones than these.
    #[error("the path jumps {}", listed(jumped))]
    JumpMismatch {
        /// What the path does jump, in order.
        jumped: Vec<Point>,
    },
    /// A printed turn does not name the stones that it jumps.
    #[error("the path jumps {}, and no TC says so", listed(jumped))]
    JumpUnsaid {
        /// What the path jumps, in order.
        jumped: Vec<Point>,
    },
    /// Two stones moved together do not make a lan (Article 3.3.6).
    #[error("two stones moved together must fill two adjacent lines")]
    NotLan,
    /// Three stones moved together do not make a songran (Article 3.3.8).
    #[error("three stones moved together must fill three adjacent lines")]
    NotSongran,
    /// The turn names more or fewer stones to remove than it has earned.
    #[error("the turn removes exactly {owed} stones of choice, and {named} are named")]
    MustRemove {
        /// How many there must be.
        owed: u8,
        /// How many there are.
        named: usize,
    },
    /// A stone to be removed is no enemy stone, or has been jumped already.
    #[error("no enemy stone is left on {0}")]
    NotEnemy(Point),
    /// A stone to be removed is named twice.
    #[error("{0} is named twice")]
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

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        match illegal {
            Illegal::GameOver => Refusal::game_over(),
            other => Refusal::illegal(other.reason(), format!("{other}")),
        }
    }
}

/// What a phase waits for.
const fn wanted(phase: Phase) -> &'static str {
    match phase {
        Phase::Place => "a stone is placed now: name one point",
        Phase::Lift => "the centre stone is lifted now: name its point",
        Phase::Move => "a stone is moved now: name its path",
    }
}

fn listed(points: &[Point]) -> String {
    let names: Vec<_> = points.iter().map(ToString::to_string).collect();
    if names.is_empty() { String::from("nothing") } else { names.join(",") }
}
