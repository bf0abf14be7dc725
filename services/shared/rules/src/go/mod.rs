//! Go (围棋) on boards from 5 x 5 to 25 x 25 under the Chinese competition rules of 1988.
//!
//! The module has two layers that do not know each other's business:
//!
//! * the **engine**, [`Board`] and [`Area`], knows stones, chains, liberties and who encloses what, and
//!   nothing of turns; it also removes a chain that takes its own last liberty, which other rules allow;
//! * the **rules**, [`Position`], know turns, the forbidden points (articles 5 and 19), repetition
//!   (articles 6 and 20), the end of the game and its disputes (articles 7, 13 and 21) and the count by
//!   stones (articles 9 and 11), with every debatable point a field of [`Rules`].
//!
//! [`VARIANT`] puts both behind the frame that a server runs, and [`sgf`] reads and writes records.
//!
//! ```
//! use rules::go::{Illegal, Move, Point, Position, Rules, Size};
//!
//! let mut position = Position::new(Size::NINE, Rules::default());
//! let centre = Point::parse("E5", Size::NINE).unwrap();
//! position.play(Move::Play(centre))?;
//! assert_eq!(position.play(Move::Play(centre)), Err(Illegal::Occupied));
//! assert_eq!(position.legal_moves().count(), 80 + 1);
//! # Ok::<(), Illegal>(())
//! ```
//!
//! Beside both stands a judgement that is no rule: [`suggest_dead`] says which stones seem dead at the end, by what
//! is alive for certain ([`PassAlive`]) and by playouts. What is dead, the players agree on.
//!
//! What it is not: it does not know clocks, warnings, resignations or arbiters.

pub(crate) mod act;
mod area;
pub(crate) mod board;
mod colour;
mod conduct;
pub(crate) mod consent;
mod counts;
mod dead;
pub(crate) mod effects;
mod game;
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
pub(crate) mod sgf_dialect;
pub(crate) mod sgf_lex;
pub(crate) mod sgf_outcome;
pub(crate) mod sgf_read;
pub(crate) mod sgf_write;
mod size;
pub(crate) mod stops;
mod variant;

pub use act::{Act, ActError, Move};
pub use area::Area;
pub use board::{Board, Consequence, Stone};
pub use colour::Colour;
pub use conduct::CONDUCT;
pub use dead::suggest_dead;
pub use game::GoGame;
pub use illegal::Illegal;
pub use options::Start;
pub use pass_alive::PassAlive;
pub use phase::{Agreement, Ending, Notice, Phase, Proposal};
pub use point::Point;
pub use position::Position;
pub use quarter::QuarterZi;
pub use repetition::Repetition;
pub use rules::{HandicapBonus, IllegalMove, LongCycle, Rules};
pub use score::Score;
pub use seats::Seats;
pub use setup::{Setup, SetupError};
pub use size::Size;
pub use variant::VARIANT;
pub(crate) use variant::{BOARDS, FAMILY};

/// The most turns, passes included, after which no stone can be played any more.
///
/// Under [`Repetition::Simple`] a game can go round for ever; this bounds the memory of one game. The
/// longest games on 19 x 19 have about 500 turns.
pub const MAX_TURNS: usize = 10_000;

/// The most proposals of dead stones in one agreement phase, so that two players cannot fill a log.
pub const MAX_PROPOSALS: u16 = 200;
