use core::fmt;

use super::{Phase, Point};
use crate::prelude::*;

reasons! {
    /// Which rule a turn breaks. The position is as it was.
    #[non_exhaustive]
    pub enum Illegal {
        /// The game has ended.
        GameOver => "GAME_OVER" as Turn ("the game has ended"),
        /// This phase takes another kind of turn.
        WrongPhase(Phase) => "WRONG_PHASE" (fmt = wanted),
        /// A stone stands where the turn ends, or where a jump would land.
        Occupied(Point) => "OCCUPIED" ("a stone stands on {0}"),
        /// The first two stones are placed on the two centre points (Article 3.1).
        OpeningPoint => "OPENING_POINT" ("the first two stones are placed on G7 and H8"),
        /// The stone to be lifted is the mover's own centre stone (Article 3.2), on this point.
        LiftPoint(Point) => "LIFT_POINT" ("the stone to be lifted is that on {0}"),
        /// No stone of the mover stands there, or it is moved twice.
        NotYourStone(Point) => "NOT_YOUR_STONE" ("the mover has no stone to move on {0}"),
        /// The leg is neither a step nor a jump, and the mover does not fly.
        NotAdjacent {
            /// Where the leg starts.
            from: Point,
            /// Where it ends.
            to: Point,
        } => "NOT_ADJACENT" ("{from} to {to} is neither a step nor a jump"),
        /// The leg has the length of a jump, but jumps no enemy stone.
        NoJump {
            /// Where the leg starts.
            from: Point,
            /// Where it ends.
            to: Point,
        } => "NO_JUMP" ("{from} to {to} jumps no enemy stone"),
        /// Competitive rules: a chain of one jump while the opponent flies.
        OneJumpForbidden => "ONE_JUMP_FORBIDDEN" ("while the opponent flies, a chain of one jump is not allowed"),
        /// The turn names other jumped stones than these.
        JumpMismatch {
            /// What the path does jump, in order.
            jumped: Vec<Point>,
        } => "JUMP_MISMATCH" ("the path jumps {}", listed(jumped)),
        /// A printed turn does not name the stones that it jumps.
        JumpUnsaid {
            /// What the path jumps, in order.
            jumped: Vec<Point>,
        } => "JUMP_UNSAID" ("the path jumps {}, and no TC says so", listed(jumped)),
        /// Two stones moved together do not make a lan (Article 3.3.6).
        NotLan => "NOT_LAN" ("two stones moved together must fill two adjacent lines"),
        /// Three stones moved together do not make a songran (Article 3.3.8).
        NotSongran => "NOT_SONGRAN" ("three stones moved together must fill three adjacent lines"),
        /// The turn names more or fewer stones to remove than it has earned.
        MustRemove {
            /// How many there must be.
            owed: u8,
            /// How many there are.
            named: usize,
        } => "MUST_REMOVE" ("the turn removes exactly {owed} stones of choice, and {named} are named"),
        /// A stone to be removed is no enemy stone, or has been jumped already.
        NotEnemy(Point) => "NOT_ENEMY_STONE" ("no enemy stone is left on {0}"),
        /// A stone to be removed is named twice.
        RemovedTwice(Point) => "REMOVED_TWICE" ("{0} is named twice"),
    }
}

/// What a phase waits for.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "so it is called")]
fn wanted(phase: &Phase, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match phase {
        Phase::Place => "a stone is placed now: name one point",
        Phase::Lift => "the centre stone is lifted now: name its point",
        Phase::Move => "a stone is moved now: name its path",
    })
}

fn listed(points: &[Point]) -> String {
    let names: Vec<_> = points.iter().map(ToString::to_string).collect();
    if names.is_empty() { String::from("nothing") } else { names.join(",") }
}
