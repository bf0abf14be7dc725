//! Hashes passwords beside the threads that answer calls, and never more at once than there are cores.
//!
//! A hash takes tens of milliseconds of a core and 19 MiB. Whoever comes while all cores are busy waits in a
//! queue; whoever finds the queue full is sent away, since waiting longer helps nobody.

use std::{fmt, sync::Arc, thread::available_parallelism};

use chassis::Ambient;
use tokio::sync::{Semaphore, TryAcquireError};

use crate::{
    core::password::{HashCost, HashError, Password, PasswordHash},
    error::IdentityError,
};

/// Calls that may wait for each core: a few seconds' worth.
const QUEUE_PER_CORE: usize = 32;

/// Hashes and compares passwords; clones share the queue.
#[derive(Clone)]
pub struct Hasher {
    ambient: Ambient,
    cost: HashCost,
    /// Compared against where there is no hash, so that it takes as long as where there is one.
    dummy: PasswordHash,
    places: Arc<Semaphore>,
    cores: Arc<Semaphore>,
}

impl Hasher {
    /// A hasher with its own queue.
    ///
    /// # Errors
    /// When the cost is out of range.
    pub fn new(ambient: Ambient, cost: HashCost) -> Result<Self, HashError> {
        let cores = available_parallelism().map_or(1, usize::from);
        let nobodys = Password::parse("no account has this password".to_owned()).expect("of good length");
        let dummy = nobodys.hash(cost, &ambient.bytes())?;
        Ok(Hasher {
            ambient,
            cost,
            dummy,
            places: Arc::new(Semaphore::new(cores * (1 + QUEUE_PER_CORE))),
            cores: Arc::new(Semaphore::new(cores)),
        })
    }

    /// The hash of a password.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, IdentityError> {
        let (cost, salt) = (self.cost, self.ambient.bytes());
        self.run(move || password.hash(cost, &salt)).await
    }

    /// Whether a password is the one of a hash; without a hash false, after the same work.
    pub async fn matches(
        &self,
        password: Password,
        hash: Option<PasswordHash>,
    ) -> Result<bool, IdentityError> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.dummy.clone());
        Ok(self.run(move || password.matches(&hash)).await? && exists)
    }

    /// Whether a hash was made at another cost than today's.
    pub fn is_outdated(&self, hash: &PasswordHash) -> bool {
        hash.is_outdated(self.cost)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, IdentityError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|error| match error {
            TryAcquireError::NoPermits | TryAcquireError::Closed => IdentityError::Overloaded,
        })?;
        let core = Arc::clone(&self.cores).acquire_owned().await.map_err(|_| IdentityError::Overloaded)?;
        // The permits go along: work that nobody waits for any more still keeps a core busy.
        let done = tokio::task::spawn_blocking(move || {
            let outcome = work();
            drop((core, place));
            outcome
        });
        Ok(done.await??)
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").field("cost", &self.cost).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures::future::join_all;
    use time::OffsetDateTime;

    use super::*;

    fn password() -> Password {
        Password::parse("correct horse".to_owned()).expect("of good length")
    }

    #[tokio::test]
    async fn a_missing_hash_matches_nothing() {
        let (ambient, _) = Ambient::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let hasher = Hasher::new(ambient, HashCost::LEAST).expect("a good cost");
        let hash = hasher.hash(password()).await.expect("hashes");
        assert!(hasher.matches(password(), Some(hash)).await.expect("compares"));
        assert!(!hasher.matches(password(), None).await.expect("compares"));
        let nobodys = Password::parse("no account has this password".to_owned()).expect("of good length");
        assert!(!hasher.matches(nobodys, None).await.expect("compares"));
    }

    #[tokio::test]
    async fn a_full_queue_turns_away() {
        let (ambient, _) = Ambient::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let hasher = Hasher::new(ambient, HashCost::LEAST).expect("a good cost");
        let places = hasher.places.available_permits();
        // No core is free, so that whoever has a place waits.
        let busy = hasher.cores.acquire_many(u32::try_from(hasher.cores.available_permits()).expect("few"));
        let busy = busy.await.expect("open");
        let waiting = tokio::spawn(join_all((0..places).map({
            let hasher = hasher.clone();
            move |_| {
                let hasher = hasher.clone();
                async move { hasher.hash(password()).await }
            }
        })));
        while hasher.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(hasher.hash(password()).await, Err(IdentityError::Overloaded)));
        drop(busy);
        assert!(waiting.await.expect("ends").into_iter().all(|hash| hash.is_ok()));
        assert!(hasher.hash(password()).await.is_ok());
    }
}
