//! What the games on a Go board have in common: Go, Tianyi Go and Ji Ping Dian Go stand on it.
//!
//! It has two layers that do not know each other's business:
//!
//! * the **engine**, [`Board`] and [`Area`], knows stones, chains, liberties and who encloses what, and
//!   nothing of turns; it also removes a chain that takes its own last liberty, which other rules allow;
//! * the **rules**, [`Position`], know turns, the forbidden points (articles 5 and 19), repetition
//!   (articles 6 and 20), the end of the game and its disputes (articles 7, 13 and 21), with every debatable
//!   point a field of [`Rules`]. *Article* means one of the Chinese competition rules of 1988. What is agreed on
//!   ([`Terms`]) and how it is counted ([`Count`]) is each game's own.
//!
//! Beside both stands a judgement that is no rule: [`suggest_dead`] says which stones seem dead at the end, by what
//! is alive for certain ([`PassAlive`]) and by playouts. What is dead, the players agree on.
//!
//! It knows none of the games that stand on it.
//!
//! ```
//! use rules::goban::{Area, Board, Colour, Point, Size};
//!
//! let mut board = Board::new(Size::NINE, Size::NINE);
//! board.put(Point::parse("E5", Size::NINE).unwrap(), Colour::Black, |_, _| ());
//! assert_eq!(Area::of(&board).held(Colour::Black), 81);
//! ```

pub(crate) mod act;
pub(crate) mod agreement;
mod area;
pub(crate) mod board;
mod colour;
mod conduct;
mod dead;
pub(crate) mod effects;
pub(crate) mod history;
mod illegal;
pub(crate) mod options;
mod pass_alive;
mod phase;
mod playout;
pub(crate) mod point;
mod position;
mod quarter;
mod repetition;
mod rules;
pub(crate) mod score;
mod seats;
pub(crate) mod setup;
pub mod sgf;
mod size;
mod stops;
pub(crate) mod variant;

pub(crate) use act::AGREEMENT;
pub use act::{Act, Move};
pub use agreement::{Agreement, Proposal, Terms, canonical_chains};
pub use area::Area;
pub use board::{Board, Consequence, Stone};
pub use colour::Colour;
pub use conduct::CONDUCT;
pub use dead::suggest_dead;
pub use illegal::Illegal;
pub use options::Start;
pub use pass_alive::PassAlive;
pub use phase::{Ending, Notice, Phase};
pub use point::{NotationError, Point};
pub use position::Position;
pub use quarter::QuarterZi;
pub use repetition::Repetition;
pub use rules::{HandicapBonus, IllegalMove, LongCycle, Rules};
pub use score::{Count, Score};
pub use seats::Seats;
pub use setup::{Setup, SetupError};
pub use size::Size;

/// The most turns, passes included, after which no stone can be played any more.
///
/// Under [`Repetition::Simple`] a game can go round for ever; this bounds the memory of one game. The
/// longest games on 19 x 19 have about 500 turns.
pub const MAX_TURNS: usize = 10_000;

/// The most proposals of dead stones in one agreement phase, so that two players cannot fill a log.
pub const MAX_PROPOSALS: u16 = 200;
