//! What a game looks like in a terminal: the board, the clocks, what happened, how it ended.
//!
//! Everything here is drawn from what the server tells. It knows no rules of any game, does no I/O and reads no
//! clock: text comes out, and whoever called it writes it.

mod board;
mod clock;
mod events;
mod outcome;
mod rulings;
mod sides;
mod style;
mod text;

pub use board::BoardView;
pub use clock::{Remaining, remaining};
pub use events::{point_in_time, tell};
pub use outcome::{outcome_line, reason_name};
pub use sides::Sides;
pub use style::{ALARM, FAINT, STRONG, paint};
pub use text::{clip, sanitize, wrap};
