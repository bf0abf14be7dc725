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

mod counts;
mod game;
pub(crate) mod options;
pub(crate) mod score;
mod variant;

pub use crate::goban::*;
pub(crate) use crate::goban::{act, consent, effects, setup};
pub use game::GoGame;
pub use options::Start;
pub use score::Score;
pub use variant::VARIANT;
pub(crate) use variant::{BOARDS, FAMILY};
