//! What is kept, and how: eight tables on SQLite or PostgreSQL, and throttles in the live state.
//!
//! Nothing is decided here. Whatever two replicas might do at once is settled by a unique key or by comparing
//! a revision.
//!
//! The database is secret: it holds the hashes of passwords, and the seeds of the keys that sign tokens, these sealed
//! with a key that is elsewhere. Of refresh tokens, personal access tokens and addresses it holds digests only.

pub mod access_token;
pub mod account;
pub mod guest_request;
pub mod key;
pub mod place;
pub mod role;
pub mod server_secret;
pub mod session;

mod batch;
mod micros;
mod migration;
mod throttle;

pub use migration::Migrator;
pub use throttle::{Address, Secret, Standing, Throttle};

use chassis::vault::VaultError;
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
    /// A sealed secret cannot be opened.
    #[error(transparent)]
    Vault(#[from] VaultError),
}
