//! The tables of the game service: games, their logs, outages, the outbox.

pub(crate) mod availability;
pub(crate) mod chat;
mod columns;
mod entity;
pub(crate) mod finished;
pub(crate) mod imports;
mod journal;
pub(crate) mod lists;
pub(crate) mod log;
pub(crate) mod maintenance;
mod migration;
mod migration_broadcast;
mod migration_chat;
mod migration_dead;
mod migration_maintenance;
mod migration_packed;
mod migration_parts;
mod migration_reads;
pub(crate) mod names;
mod pack;
pub(crate) mod sealing_key;
pub(crate) mod summary;
mod visibility;

pub(crate) use chassis::time::to_micros as micros;

pub(crate) use availability::{GAP_MIN, Outage};
pub(crate) use chat::{Message, Report, Reported, Sent};
pub(crate) use entity::{
    events::{self, Model as EventRow},
    games,
};
pub(crate) use journal::{Append, Appended, DueTime, Journal, METRICS as JOURNAL_METRICS, NewGame};
pub(crate) use lists::Entry;
pub(crate) use log::LOG_PAGE;
pub(crate) use migration::Migrator;
pub(crate) use pack::{PACK_EVENTS, pack, unpack};
pub(crate) use visibility::Visibility;

use time::OffsetDateTime;

/// The time of microseconds since the epoch.
pub(crate) fn from_micros(micros: i64) -> OffsetDateTime {
    chassis::time::from_micros(micros).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
