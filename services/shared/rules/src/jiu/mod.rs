//! Jiu (久棋), the Tibetan game on 14 x 14 points, under the rules collected by the Aba Tibetan-chess association.
//!
//! White and Black place 98 stones each until the board is full; then each lifts his centre stone, and they
//! move, jump, and capture by closing squares and lines. *Article* in these pages means an article of those
//! rules. Where they are silent (draws, both sides at fourteen stones, what "separate" dalians are) the item
//! that decides says so.
//!
//! [`Position`] is the game with its exact types: it takes a [`Turn`], which is text well read, and makes of
//! it a [`LegalTurn`] or says which rule forbids it ([`Illegal`]). [`VARIANT`] is the same game for a server
//! that runs any game. [`parse_record`] and [`print_record`] read and write records, which [`crate::engine::check`] referees.
//!
//! What it is not: it knows neither players nor clocks, and does not think about which turn is good.
//!
//! ```
//! use rules::{RuleSet, Side, jiu};
//!
//! let mut game = (jiu::VARIANT.start)(&RuleSet::named("aba"))?;
//! let played = game.play(Side::First, "h8").unwrap();
//! assert_eq!(played.text, "H8");
//! assert_eq!(game.hints(Side::Second).len(), 1);
//! # Ok::<(), rules::OptionError>(())
//! ```

mod board;
mod conduct;
mod dalian;
mod ending;
mod entitlement;
mod game;
mod generate;
mod illegal;
mod legality;
mod notation;
mod options;
mod position;
mod print;
mod record;
mod salvage;
mod setup;
mod turn;
mod variant;

pub use board::{Board, Fourteen, Point, PointSet};
pub use dalian::Dalian;
pub use entitlement::{Crossing, Entitlement, Formation};
pub use generate::{CHAINS_LISTED_MAX, Displacement};
pub use illegal::Illegal;
pub use legality::{Kind, LegalTurn};
pub use notation::{TURN_BYTES_MAX, TurnError};
pub use options::Options;
pub use position::{FLYING_STONES, PLACEMENT_PLIES, Phase, Position};
pub use print::{join_placement, label, lacks_placement, print_record};
pub use record::{RECORD_BYTES_MAX, parse_record};
pub use setup::SetupError;
pub use turn::{Move, NAMED_MAX, PATH_POINTS_MAX, PATHS_MAX, Path, Turn};
pub use variant::VARIANT;

pub use crate::grid::{BoardError, Direction, PointError};
