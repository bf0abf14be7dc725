//! What is kept, and how. Nothing is decided here.

pub(crate) mod application;
pub(crate) mod award;
pub(crate) mod calendar;
pub(crate) mod club;
pub(crate) mod document;
pub(crate) mod event;
pub(crate) mod federation;
pub(crate) mod file;
pub(crate) mod invitation;
pub(crate) mod language;
pub(crate) mod league;
pub(crate) mod member;
pub(crate) mod member_number;
pub(crate) mod name;
pub(crate) mod names;
pub(crate) mod notice;
pub(crate) mod notice_box;
pub(crate) mod official;
pub(crate) mod proxy;
pub(crate) mod rating_list;
pub(crate) mod request;
pub(crate) mod stay;
pub(crate) mod team;
pub(crate) mod team_member;
pub(crate) mod title;

mod code;
mod migration;
mod migration_documents;
mod migration_notices;
mod migration_organisations;
mod migration_titles;

pub(crate) use migration::Migrator;

use chassis::{database::StoreError, time::from_micros};
use sea_orm::{ColumnTrait as _, EntityTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _, Select};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// Rows of one statement: far below SQLite's 32,766 parameters.
const CHUNK: usize = 500;

/// The rows of a query after an id, in the order of ids, so many at most.
fn page<E: EntityTrait>(query: Select<E>, id: E::Column, after: Option<Uuid>, count: u64) -> Select<E> {
    let query = match after {
        Some(after) => query.filter(id.gt(after)),
        None => query,
    };
    query.order_by_asc(id).limit(count)
}

/// The moment of a column.
fn moment(micros: i64, table: &'static str) -> Result<OffsetDateTime, StoreError> {
    from_micros(micros).ok_or(StoreError::Corrupt(table))
}

/// The day of a column.
fn day(julian: i32, table: &'static str) -> Result<Date, StoreError> {
    Date::from_julian_day(julian).map_err(|_| StoreError::Corrupt(table))
}
