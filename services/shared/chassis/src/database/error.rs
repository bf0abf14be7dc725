//! Why something could not be stored or read, and trying again where others were faster.

use sea_orm::DbErr;

use super::is_conflict;
use crate::vault::VaultError;

/// Attempts at a write that others may get in the way of. Each failure means that somebody else got through.
const ATTEMPTS_MAX: u32 = 32;

/// Why something could not be stored or read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused, or does not answer.
    #[error("the database refused")]
    Database(#[source] DbErr),
    /// Somebody else was first: he has written a row of the same unique key, or over the one that was read.
    #[error("others wrote the same rows first")]
    Contended,
    /// The table holds a row that this service cannot have written.
    #[error("the table {0} holds a row that makes no sense")]
    Corrupt(&'static str),
    /// A sealed secret cannot be opened.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The service is stopping.
    #[error("nothing more is written")]
    Stopped,
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if is_conflict(&error) { StoreError::Contended } else { StoreError::Database(error) }
    }
}

/// An error that may mean that somebody else was first.
pub trait Contention {
    /// Whether it does, so that the same attempt may succeed now.
    fn is_contended(&self) -> bool;
}

impl Contention for StoreError {
    fn is_contended(&self) -> bool {
        matches!(self, StoreError::Contended)
    }
}

/// Tries until nobody else is first, at most 32 times. Every attempt has to read anew what it decides by.
///
/// # Errors
/// Those of the last attempt.
pub async fn retry_contended<T, E, F>(attempt: impl Fn() -> F) -> Result<T, E>
where
    E: Contention,
    F: Future<Output = Result<T, E>>,
{
    let mut attempts = 1;
    loop {
        match attempt().await {
            Err(error) if error.is_contended() && attempts < ATTEMPTS_MAX => attempts += 1,
            outcome => return outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::ready,
        sync::atomic::{AtomicU32, Ordering},
    };

    use super::*;

    #[tokio::test]
    async fn who_is_second_tries_again_and_other_failures_are_final() {
        let tried = AtomicU32::new(0);
        let outcome = async |attempt: fn(u32) -> Result<u32, StoreError>| {
            tried.store(0, Ordering::SeqCst);
            let outcome = retry_contended(|| ready(attempt(tried.fetch_add(1, Ordering::SeqCst) + 1))).await;
            (outcome.map_err(|error| error.is_contended()), tried.load(Ordering::SeqCst))
        };
        let third = |nth| if nth == 3 { Ok(nth) } else { Err(StoreError::Contended) };
        assert_eq!(outcome(third).await, (Ok(3), 3));
        assert_eq!(outcome(|_| Err(StoreError::Contended)).await, (Err(true), ATTEMPTS_MAX));
        assert_eq!(outcome(|_| Err(StoreError::Corrupt("games"))).await, (Err(false), 1));
    }
}
