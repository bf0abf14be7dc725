//! What the games on a Go board have in common: board, play, agreement about the end, and records in SGF.

pub(crate) mod act;
mod area;
pub(crate) mod board;
mod colour;
mod conduct;
pub(crate) mod consent;
mod dead;
pub(crate) mod effects;
pub(crate) mod history;
mod illegal;
mod pass_alive;
mod phase;
mod playout;
pub(crate) mod point;
mod position;
mod quarter;
mod repetition;
mod rules;
mod seats;
pub(crate) mod setup;
pub mod sgf;
mod size;
pub(crate) mod stops;

pub use act::{Act, ActError, Move};
pub use area::Area;
pub use board::{Board, Consequence, Stone};
pub use colour::Colour;
pub use conduct::CONDUCT;
pub use dead::suggest_dead;
pub use illegal::Illegal;
pub use pass_alive::PassAlive;
pub use phase::{Agreement, Ending, Notice, Phase, Proposal};
pub use point::Point;
pub use position::Position;
pub use quarter::QuarterZi;
pub use repetition::Repetition;
pub use rules::{HandicapBonus, IllegalMove, LongCycle, Rules};
pub use seats::Seats;
pub use setup::{Setup, SetupError};
pub use size::Size;

use crate::go::{Score, Start, score};

/// The most turns, passes included, after which no stone can be played any more.
///
/// Under [`Repetition::Simple`] a game can go round for ever; this bounds the memory of one game. The
/// longest games on 19 x 19 have about 500 turns.
pub const MAX_TURNS: usize = 10_000;

/// The most proposals of dead stones in one agreement phase, so that two players cannot fill a log.
pub const MAX_PROPOSALS: u16 = 200;
