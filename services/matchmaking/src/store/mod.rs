//! What outlives a call: the tickets that wait (live state), and the matches, the tickets in them and the
//! sides players had (database).
//!
//! A row of `match_tickets` is what makes a ticket become at most one game, whatever live state believes.

pub mod history;
pub mod matches;
pub mod ticket;

mod migration;
mod names;
mod payload;
mod queue;

pub use migration::Migrator;
pub use payload::told;
pub use queue::{Queue, Queued};
