//! What is kept, and how: two tables on SQLite or PostgreSQL.
//!
//! Nothing is decided here. Writes are compare-and-swapped, so that any number of replicas may share the
//! tables.

mod change;
mod code;
mod migration;
mod read;
mod standing;
mod write;
mod writer;

pub use migration::Migrator;
pub use read::{changes_of, count_games, history, of_account, one, ranked};
pub use writer::Writer;

use sea_orm::DbErr;

use crate::core::book::Contradiction;

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The game is known otherwise.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// Other replicas were faster again and again.
    #[error("other writers were faster too often")]
    Contended,
    /// The service is stopping.
    #[error("no more results are taken")]
    Stopped,
    /// The transaction that the game was part of failed; the cause is in the log.
    #[error("the transaction failed")]
    Failed,
    /// The database refused.
    #[error("the database refused")]
    Database(#[from] DbErr),
    /// A row that this service cannot have written.
    #[error("the table {0} holds a row that makes no sense")]
    Inconsistent(&'static str),
}
