//! What a game looks like in a terminal: the board, the clocks, what happened, how it ended.
//!
//! Everything here is drawn from what the server tells. It knows no rules of any game, does no I/O and reads no
//! clock: text comes out, and whoever called it writes it.

mod board;
mod clock;
mod colour;
mod events;
mod outcome;
mod rulings;
mod sides;
mod text;

pub use board::Picture;
pub use clock::{Left, left};
pub use colour::{Ink, Style};
pub use events::{point_in_time, tell};
pub use outcome::{outcome_line, reason_name};
pub use sides::Sides;
pub use text::{clip, plain, wrap};
