//! What is kept, and how: eight tables on SQLite or PostgreSQL, and throttles in the live state.
//!
//! Nothing is decided here. Whatever two replicas might do at once is settled by a unique key or by comparing
//! a revision.
//!
//! The database is secret: it holds the hashes of passwords, and the seeds of the keys that sign tokens, these sealed
//! with a key that is elsewhere. Of refresh tokens, personal access tokens and addresses it holds digests only.

pub(crate) mod access_token;
pub(crate) mod account;
pub(crate) mod guest_request;
pub(crate) mod key;
pub(crate) mod place;
pub(crate) mod role;
pub(crate) mod server_secret;
pub(crate) mod session;

mod batch;
mod migration;
mod names;
mod throttle;

pub(crate) use migration::Migrator;
pub(crate) use throttle::Throttle;

use chassis::{database::StoreError, time::from_micros};
use time::OffsetDateTime;

/// The moment of a row of `table`.
fn moment(micros: i64, table: &'static str) -> Result<OffsetDateTime, StoreError> {
    from_micros(micros).ok_or(StoreError::Corrupt(table))
}
