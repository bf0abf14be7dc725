//! The tables of the game service: games, their logs, outages, the outbox.

mod availability;
mod chat;
mod entity;
mod eyes;
pub(crate) mod imports;
mod journal;
mod lists;
mod migration;
mod migration_broadcast;
mod migration_chat;
mod migration_dead;
mod migration_reads;
mod pack;
mod reader;
pub(crate) mod sealing_key;
pub(crate) mod summary;

pub(crate) use availability::{Availability, GAP_MIN, Outage};
pub(crate) use chat::{ChatStore, Message, Report, ReportPlace, Sent};
pub(crate) use entity::{
    events::{self, Model as EventRow},
    games,
};
pub(crate) use eyes::Eyes;
pub(crate) use journal::{Append, Appended, DueTime, Journal, JournalError, NewGame};
pub(crate) use lists::{Entry, GameFilter, Place};
pub(crate) use migration::Migrator;
pub(crate) use pack::{PACK_EVENTS, pack, unpack};
pub(crate) use reader::{LOG_PAGE, Reader, StoreError};

use time::OffsetDateTime;

/// Microseconds since the epoch, as the tables hold time.
pub(crate) fn micros(time: OffsetDateTime) -> i64 {
    i64::try_from(time.unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX)
}

/// The time of microseconds since the epoch.
pub(crate) fn from_micros(micros: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
