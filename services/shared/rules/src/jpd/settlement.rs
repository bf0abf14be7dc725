use super::{Counting, HalfPoints, Layout, Method, Score, methods};
use crate::{
    goban::{Colour, Stone},
    prelude::*,
};

/// The end of a game as it is counted: a board whose every point is held by somebody, and what lies beside
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The board without the dead stones.
    pub layout: Layout,
    /// The dead stones.
    pub dead: Vec<Stone>,
    /// How many stones of each colour lie beside the board, Black's first: prisoners, and stones that
    /// virtual moves put there. The dead ones are not among them.
    pub beside: [i32; 2],
    /// How many more moves of the contest Black pays for; White does if it is negative (article 38).
    pub extra: i32,
    /// What Black gives for the first move (article 37).
    pub komi: HalfPoints,
}

impl Settlement {
    /// The score, by plain arithmetic.
    pub fn score(&self) -> Score {
        Score::of(&self.layout.ledger(), self.extra, self.komi)
    }

    /// Counts by a method, step by step.
    pub fn count(&self, method: Method) -> Counting {
        methods::count(self, method)
    }

    /// How many stones each bowl of a set for this board has: half of the points, rounded up. So 181 on 19
    /// lines and 25 on 7, as article 42 says.
    pub fn stock(&self) -> i32 {
        i32::try_from(self.layout.cells().len().div_ceil(2)).expect("a board has at most 65,280 points")
    }

    /// How many dead stones a colour has.
    pub(super) fn dead_of(&self, colour: Colour) -> i32 {
        let dead = self.dead.iter().filter(|stone| stone.colour == colour).count();
        i32::try_from(dead).expect("a board has at most 65,280 points")
    }
}
