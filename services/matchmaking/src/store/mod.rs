//! What outlives a call: the tickets that wait (live state), and the matches, the tickets in them, the sides players had, and
//! who does not queue for a while (database).
//!
//! A row of `match_tickets` is what makes a ticket become at most one game, whatever live state believes; a row of
//! `noted_games` is what makes the end of a game count once, however often it is told.

pub(crate) mod block;
pub(crate) mod challenge;
pub(crate) mod history;
pub(crate) mod matches;
pub(crate) mod noted;
pub(crate) mod offer;
pub(crate) mod pause;
pub(crate) mod ticket;

mod migration;
mod names;
mod payload;
mod queue;

pub(crate) use migration::Migrator;
pub(crate) use payload::{decode_block, decode_status};
pub(crate) use queue::{News, Proposal, Queue, Queued};
