//! What outlives a call: the tickets that wait (live state), and the matches, the tickets in them and the
//! sides players had (database).
//!
//! A row of `match_tickets` is what makes a ticket become at most one game, whatever live state believes.

pub(crate) mod history;
pub(crate) mod matches;
pub(crate) mod ticket;

mod migration;
mod names;
mod payload;
mod queue;

pub(crate) use migration::Migrator;
pub(crate) use payload::decode_status;
pub(crate) use queue::{News, Queue, Queued};
