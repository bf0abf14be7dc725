//! What a game looks like in a terminal: the board, the clocks, what happened, how it ended.
//!
//! Everything here is drawn from what the server tells. It knows no rules of any game, does no I/O and reads no
//! clock: text comes out, and whoever called it writes it.

mod board;
mod clock;
mod ink;
mod office;
mod outcome;
mod sides;
mod story;
mod text;

pub use board::Picture;
pub use clock::{Left, left};
pub use ink::{Ink, Style};
pub use outcome::{outcome_line, reason_name};
pub use sides::Sides;
pub use story::{point_in_time, tell};
pub use text::{clip, plain, wrap};
