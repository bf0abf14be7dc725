//! What is kept, and how: five tables on SQLite or PostgreSQL, and throttles in the live state.
//!
//! Nothing is decided here. Whatever two replicas might do at once is settled by a unique key or by comparing
//! a revision.
//!
//! The database is secret: it holds the seeds of the keys that sign tokens, and the hashes of passwords. Of
//! refresh tokens and personal access tokens it holds digests only.

pub mod access_token;
pub mod account;
pub mod key;
pub mod role;
pub mod session;

mod micros;
mod migration;
mod throttle;

pub use migration::Migrator;
pub use throttle::{Address, Secret, Throttle};

use sea_orm::DbErr;

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused.
    #[error("the database refused")]
    Database(#[from] DbErr),
    /// A row that this service cannot have written.
    #[error("the table {0} holds a row that makes no sense")]
    Inconsistent(&'static str),
}
