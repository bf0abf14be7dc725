use core::fmt;

use super::{Orientation, Phase, Point};

reasons! {
    /// Which rule a turn breaks. The position is as it was.
    #[derive(Copy)]
    #[non_exhaustive]
    pub enum Illegal {
        /// The game has ended.
        GameOver => "GAME_OVER" as Turn ("the game has ended"),
        /// This phase takes another kind of turn.
        WrongPhase(Phase) => "WRONG_PHASE" as Forbidden (fmt = wanted),
        /// A stone stands where the turn, or a jump of it, ends.
        Occupied(Point) => "OCCUPIED" as Forbidden ("a stone stands on {0}"),
        /// The centre is kept for the last stone (rule 7).
        CentreReserved => "CENTRE_RESERVED" as Forbidden ("E5 is kept for the last stone"),
        /// The first stones stand round the centre (rule 6).
        RingFirst => "RING_FIRST" as Forbidden ("the first stones are placed round E5"),
        /// No stone of the mover stands there.
        NotYourStone(Point) => "NOT_YOUR_STONE" as Forbidden ("the mover has no stone on {0}"),
        /// The turn ends where it begins.
        NoDisplacement(Point) => "NO_DISPLACEMENT" as Forbidden ("the stone on {0} does not go anywhere"),
        /// The points are not orthogonal neighbours, and the mover does not fly (rules 13 and 14).
        NotAdjacent {
            /// Where the stone stands.
            from: Point,
            /// Where it was to go.
            to: Point,
        } => "NOT_ADJACENT" as Forbidden ("{to} is no neighbour of {from}"),
        /// The leg does not pass exactly one point, with an enemy stone on it (rule 15).
        BadJump {
            /// Where the leg starts.
            from: Point,
            /// Where it ends.
            to: Point,
        } => "BAD_JUMP" as Forbidden ("{from} to {to} jumps no enemy stone"),
        /// A chain of one jump while flight bars it (rule 17).
        SingleJumpInFlight => "SINGLE_JUMP_IN_FLIGHT" as Forbidden ("in the flying phase a chain takes at least two stones"),
        /// A stone to be removed is no enemy stone, or has left the board.
        NotEnemyStone(Point) => "NOT_ENEMY_STONE" as Forbidden ("no enemy stone stands on {0}"),
        /// A stone to be removed stands in a square while there are loose ones (rule 21).
        ProtectedSquare(Point) => "PROTECTED_SQUARE" as Forbidden ("the stone on {0} stands in a square, and there are loose ones"),
        /// So many more stones have to be removed (rule 19).
        TooFewRemovals(u8) => "TOO_FEW_REMOVALS" as Forbidden ("{0} more enemy stones have to be removed"),
        /// More stones are named than are owed (rule 20).
        TooManyRemovals => "TOO_MANY_REMOVALS" as Forbidden ("more stones are named than are to be removed"),
        /// Nothing has earned a removal: no displacement stands before it, or the line chosen makes no spear that
        /// counts (rules 23 to 27).
        NoRemovalDue(Option<Orientation>) => "NO_REMOVAL_DUE" as Forbidden (fmt = unearned),
        /// The removals of the turn come first; only where sub-actions are played singly.
        RemovalPending(u8) => "REMOVAL_PENDING" as Forbidden ("{0} enemy stones have to be removed first"),
        /// The position has not come back, and nothing has been taken, often enough.
        NotClaimable => "NOT_CLAIMABLE" ("there is no draw to claim yet"),
    }
}

/// What a phase waits for.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "so it is called")]
fn wanted(phase: &Phase, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match phase {
        Phase::Place => "a stone is placed now: name one point",
        Phase::Open => "enemy stones are removed now: name them, like *C3*D4",
        Phase::Move => "a stone is moved now: name its way, like E4-E5",
    })
}

/// Why nothing may be removed, when this line was to be a spear.
#[expect(clippy::trivially_copy_pass_by_ref, clippy::ref_option, reason = "so it is called")]
fn unearned(line: &Option<Orientation>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match line {
        None => "nothing has earned a removal",
        Some(Orientation::Row) => "no row makes a spear that counts",
        Some(Orientation::Column) => "no column makes a spear that counts",
    })
}
