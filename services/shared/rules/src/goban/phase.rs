use alloc::vec::Vec;

use super::{Colour, Point, Score};

/// How far a game has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Black places handicap stones.
    Handicap {
        /// How many are still to be placed.
        left: u8,
    },
    /// The players take turns.
    Play,
    /// Both have confirmed the end and are to agree on the dead stones (articles 8 and 21.3).
    Agreement(Agreement),
    /// They did not agree and play on, no board being allowed twice (articles 20.2 and 21.3).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// The state of the talk about dead stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// A proposal which chains are dead, to which its proposer has agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who made it.
    pub by: Colour,
    /// The first stone, in reading order, of each dead chain, in reading order.
    pub dead: Vec<Point>,
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the count.
    Scored(Score),
    /// By a long cycle, as a draw.
    CycleDraw,
    /// By a long cycle, to be played again.
    CycleReplay,
}

/// The last move brought back a board in a long cycle (article 20.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How many times the board has been there since the last pass; 2 for the first recurrence.
    pub occurrence: u32,
    /// Whether an arbiter has been asked.
    pub arbiter_asked: bool,
}
