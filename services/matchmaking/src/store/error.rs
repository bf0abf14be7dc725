//! What can go wrong with the store.

use sea_orm::DbErr;

/// Why the store could not answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or could not be reached.
    #[error("the database failed")]
    Database(#[from] DbErr),
    /// A row of this table does not make sense.
    #[error("a row of {0} does not make sense")]
    Inconsistent(&'static str),
    /// Others wrote the same rows again and again.
    #[error("too many tried to write the same matches")]
    Contended,
}
