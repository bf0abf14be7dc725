//! Jirige (吉日格棋), the Mongolian game on 9 x 9 points, under the competition rules of 2020-1-12.
//!
//! Dark and light place 41 and 40 stones until the board is full. Then each opens the way (开路) by removing
//! enemy stones, and they step, jump and, with few stones left, fly, and capture by jumping, by closing squares
//! (方) and by filling lines, which are spears (枪). *Rule* in these pages means a numbered rule of the rules page
//! of the project, which decides where the text of 2020 is silent or ambiguous; what may be read otherwise is
//! an option ([`Options`]). *Part* means a part of the text itself.
//!
//! [`Position`] is the game with its exact types. Players give it whole turns ([`Turn`], made from text), and it
//! plays them or says which rule forbids it ([`Illegal`]); a search gives it one [`Action`] at a time and takes
//! it back. [`VARIANT`] is the same game for a server that runs any game. [`parse_record`] and [`print_record`]
//! read and write records.
//!
//! What it is not: it knows neither players nor clocks, and does not think about which turn is good. Draw offers
//! and violations are counted by [`crate::Offers`] and [`crate::Violations`].
//!
//! ```
//! use rules::{RuleSet, Side, jirige};
//!
//! let mut game = (jirige::VARIANT.start)(&RuleSet::named(""))?;
//! let played = game.play(Side::First, "d4").unwrap();
//! assert_eq!(played.text, "D4");
//! assert_eq!(game.hints(Side::Second).len(), 7);
//! # Ok::<(), rules::OptionError>(())
//! ```

mod action;
mod apply;
mod board;
mod conduct;
mod effects;
mod ending;
mod game;
mod generate;
mod illegal;
mod legality;
mod line;
mod notation;
mod options;
mod perft;
mod play;
mod position;
mod print;
mod record;
mod setup;
mod setup_text;
mod spears;
mod turn;
mod variant;

pub use action::{Action, JUMPS_MAX, Path, Way};
pub use apply::Undo;
pub use board::{Board, Nine, Point, PointSet};
pub use generate::CHAINS_LISTED_MAX;
pub use illegal::Illegal;
pub use line::{Line, LineError, Orientation};
pub use notation::{TURN_BYTES_MAX, TurnError};
pub use options::{Blocked, FlightJumpScope, OpeningOrder, Options, SpearPlacement};
pub use perft::perft;
pub use play::LegalTurn;
pub use position::{FLYING_STONES, PLACEMENT_PLIES, Phase, Position};
pub use print::print_record;
pub use record::{RECORD_BYTES_MAX, parse_record};
pub use setup::{Setup, SetupError};
pub use spears::{Spears, SpearsError};
pub use turn::{REMOVED_MAX, Turn};
pub use variant::VARIANT;

pub use crate::grid::{BoardError, Direction, PointError};
