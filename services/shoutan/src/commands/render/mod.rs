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

pub(super) use board::BoardView;
pub(super) use clock::{Remaining, remaining};
pub(super) use events::{planned_maintenance, point_in_time, tell};
pub(super) use outcome::{outcome_line, reason_name};
pub(super) use sides::Sides;
pub(super) use style::{ALARM, FAINT, STRONG, paint};
pub(super) use text::{clip, sanitize, wrap};
