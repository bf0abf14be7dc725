//! What results say of play that is hardly honest: of who loses on purpose to be rated lower, and of who lets others win.
//!
//! Nothing here punishes anybody. What is found is a statistic with the games it rests on, for a person who looks at them.
//!
//! The crate is pure: it does no I/O, reads no clock and draws no lots.
#![forbid(unsafe_code)]

mod game;

pub use game::{Ending, Game, Player};
