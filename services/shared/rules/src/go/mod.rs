//! Go (围棋) on boards from 5 x 5 to 25 x 25 under the Chinese competition rules of 1988.
//!
//! The play is that of [`crate::goban`]. What is Go's own is the count by stones ([`Score`], articles 9 and 11), for
//! which dead chains are all there is to agree on ([`Dead`]), and its records ([`sgf`]).
//!
//! ```
//! use rules::go::Position;
//! use rules::goban::{Illegal, Move, Point, Rules, Size};
//!
//! let mut position = Position::new(Size::NINE, Rules::default());
//! let centre = Point::parse("E5", Size::NINE).unwrap();
//! position.play(Move::Play(centre))?;
//! assert_eq!(position.play(Move::Play(centre)), Err(Illegal::Occupied));
//! assert_eq!(position.legal_moves().count(), 80 + 1);
//! # Ok::<(), Illegal>(())
//! ```
//!
//! What it is not: it does not know clocks, warnings, resignations or arbiters.

mod counts;
mod game;
mod options;
mod score;
pub mod sgf;
mod variant;

use crate::goban;

pub use game::GoGame;
pub use options::Start;
pub use score::{Dead, Score};
pub use variant::VARIANT;

/// A position of Go.
pub type Position = goban::Position<Dead>;

/// How far a game of Go has come.
pub type Phase = goban::Phase<Dead>;

/// How a game of Go ended by its rules.
pub type Ending = goban::Ending<Score>;

/// Whatever a player of Go may do.
pub type Act = goban::Act<Dead>;
