//! Ji Ping Dian Go (計枰點圍棋): Go by territory and stones alike, in the wording of its author Yanlai (燕來).
//!
//! What sets it apart from Go, with which it shares the board and the records of [`crate::goban`]:
//!
//! * a turn may be a *virtual move* (虛著, article 19): a stone put beside the board, which asks to go on;
//! * nothing may fall back (禁倒退, article 32): no real move may make the opponent face a *whole* shape again,
//!   board and virtual stones, and no virtual move a *board*. So play always ends, and suicide is allowed;
//! * who makes more moves before the first stop pays for them, a point each (多下貼點, article 38), so that
//!   neutral points need not be filled;
//! * five ways of counting, article 40 to 43, come to the same: [`Settlement::count`] shows each with its
//!   boards.
//!
//! [`Position`] is the game with its exact types, every debatable point of the text a field of [`Rules`];
//! [`VARIANT`] puts it behind the frame that a server runs, and [`sgf`] reads and writes records. *Article*
//! in these pages means an article of the author's text.
//!
//! ```
//! use rules::jpd::{Illegal, Move, Position, Rules};
//! use rules::goban::{Point, Size};
//!
//! let mut position = Position::new(Size::NINE, Rules::default());
//! position.play(Move::Play(Point::parse("E5", Size::NINE).unwrap()))?;
//! position.play(Move::Virtual)?;
//! // White faced this board just now; an answer by a virtual move would make it face the board again.
//! assert_eq!(position.play(Move::Virtual), Err(Illegal::BoardAgain));
//! assert_eq!(position.legal_moves().count(), 80 + 1);
//! # Ok::<(), Illegal>(())
//! ```
//!
//! What it is not: it does not know clocks, resignations or arbiters, and it proposes no dead stones; what is
//! dead and whose a point is, the players agree on.

mod act;
mod counting;
mod faced;
mod game;
mod gather;
mod half_points;
mod illegal;
mod layout;
mod ledger;
mod methods;
mod options;
mod phase;
mod position;
mod rules;
mod score;
mod settlement;
pub mod sgf;
mod stops;
mod tally;
mod terms;
mod turn;
mod variant;

pub use act::{Act, Move};
pub use counting::{Counting, Method, Step};
pub use game::JpdGame;
pub use half_points::HalfPoints;
pub use illegal::Illegal;
pub use layout::{Cell, Layout};
pub use ledger::Ledger;
pub use options::Start;
pub use phase::{Ending, Phase};
pub use position::Position;
pub use rules::{Compensation, Filling, Memory, NaturalEnd, Rules};
pub use score::Score;
pub use settlement::Settlement;
pub use tally::Tally;
pub use terms::Terms;
pub use variant::VARIANT;
