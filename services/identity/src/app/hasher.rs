//! Hashes passwords beside the threads that answer calls, and never more at once than half the cores, or four: the other
//! half is for those who play while somebody guesses passwords.
//!
//! A hash takes tens of milliseconds of a core and 19 MiB. That memory is kept as long as somebody hashes and goes from
//! one to the next: every thread that took it anew would leave its own behind in the allocator. Whoever comes while all
//! places are taken waits in a queue; whoever finds the queue full is sent away, since waiting longer helps nobody.

use std::{fmt, sync::Arc, thread::available_parallelism};

use chassis::{Env, background};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, TryAcquireError};

use crate::{
    core::{
        limit::{HASHED_AT_ONCE_MAX, HASHES_WAITING_MAX},
        password::{HashCost, HashError, Memory, Password, PasswordHash},
    },
    error::{Error, Result},
};

/// Hashes and compares passwords; clones share the queue.
#[derive(Clone)]
pub(crate) struct Hasher {
    env: Env,
    cost: HashCost,
    /// Compared against where there is no hash, so that it takes as long as where there is one.
    dummy: PasswordHash,
    places: Arc<Semaphore>,
    cores: Arc<Semaphore>,
    spare: Arc<Mutex<Spare>>,
}

/// The memory that is not in use while somebody hashes, and how many do.
#[derive(Default)]
struct Spare {
    memories: Vec<Memory>,
    hashing: usize,
}

/// The memory of one who hashes, until it is dropped, were it by a panic.
struct Borrowed {
    memory: Memory,
    spare: Arc<Mutex<Spare>>,
}

impl Hasher {
    /// A hasher with its own queue.
    ///
    /// # Errors
    /// When the cost is out of range.
    pub(crate) fn new(env: Env, cost: HashCost) -> Result<Self, HashError> {
        let cores = available_parallelism().map_or(1, usize::from);
        Hasher::with_cores(env, cost, cores)
    }

    fn with_cores(env: Env, cost: HashCost, cores: usize) -> Result<Self, HashError> {
        let at_once = (cores / 2).clamp(1, HASHED_AT_ONCE_MAX);
        let nobodys = Password::parse("no account has this password".to_owned()).expect("of good length");
        let dummy = nobodys.hash(cost, &env.bytes(), &mut Memory::default())?;
        Ok(Hasher {
            env,
            cost,
            dummy,
            places: Arc::new(Semaphore::new(at_once + HASHES_WAITING_MAX)),
            cores: Arc::new(Semaphore::new(at_once)),
            spare: Arc::default(),
        })
    }

    /// The hash of a password.
    pub(crate) async fn hash(&self, password: Password) -> Result<PasswordHash> {
        let (cost, salt) = (self.cost, self.env.bytes());
        self.run(move |memory| password.hash(cost, &salt, memory)).await
    }

    /// Whether a password is the one of a hash; without a hash false, after the same work.
    pub(crate) async fn matches(&self, password: Password, hash: Option<PasswordHash>) -> Result<bool> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.dummy.clone());
        Ok(self.run(move |memory| password.matches(&hash, memory)).await? && exists)
    }

    /// Whether a password is too common for an account of this name. That takes long enough to be done here.
    pub(crate) async fn is_common(&self, password: &Password, name: &str) -> Result<bool> {
        let (password, name) = (password.clone(), name.to_owned());
        self.run(move |_| Ok(password.is_common(&name))).await
    }

    /// Whether a hash was made at another cost than today's.
    pub(crate) fn is_outdated(&self, hash: &PasswordHash) -> bool {
        hash.is_outdated(self.cost)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> Result<T, HashError> + Send + 'static,
    ) -> Result<T> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|error| match error {
            TryAcquireError::NoPermits | TryAcquireError::Closed => Error::Overloaded,
        })?;
        let core = Arc::clone(&self.cores).acquire_owned().await.map_err(|_| Error::Overloaded)?;
        // The permits go along: work that nobody waits for any more still keeps a core busy.
        let spare = Arc::clone(&self.spare);
        let done = background::spawn(move || {
            let mut borrowed = Borrowed::of(spare);
            let outcome = work(&mut borrowed.memory);
            drop(borrowed);
            drop((core, place));
            outcome
        });
        Ok(done.await??)
    }
}

impl Borrowed {
    fn of(spare: Arc<Mutex<Spare>>) -> Self {
        let memory = {
            let mut spare = spare.lock();
            spare.hashing += 1;
            spare.memories.pop().unwrap_or_default()
        };
        Borrowed { memory, spare }
    }
}

impl Drop for Borrowed {
    /// The last who hashes lets all go.
    fn drop(&mut self) {
        let mut spare = self.spare.lock();
        spare.hashing -= 1;
        spare.memories.push(std::mem::take(&mut self.memory));
        if spare.hashing == 0 {
            spare.memories = Vec::new();
        }
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
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let hasher = Hasher::new(env, HashCost::LEAST).expect("a good cost");
        let hash = hasher.hash(password()).await.expect("hashes");
        assert!(hasher.matches(password(), Some(hash)).await.expect("compares"));
        assert!(!hasher.matches(password(), None).await.expect("compares"));
        let nobodys = Password::parse("no account has this password".to_owned()).expect("of good length");
        assert!(!hasher.matches(nobodys, None).await.expect("compares"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn however_many_cores_there_are_four_passwords_are_hashed_at_once_in_four_memories() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let cost = HashCost { memory_kib: 1024, ..HashCost::LEAST };
        let hasher = Hasher::with_cores(env, cost, 64).expect("a good cost");
        assert_eq!(hasher.cores.available_permits(), HASHED_AT_ONCE_MAX);
        for (cores, at_once) in [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4)] {
            let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
            let hasher = Hasher::with_cores(env, HashCost::LEAST, cores).expect("a good cost");
            assert_eq!(
                hasher.cores.available_permits(),
                at_once,
                "of {cores} cores half are left to those who play"
            );
        }
        // One hashes without end, so that memory is kept.
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let (begin, first) = tokio::sync::oneshot::channel();
        let endless = tokio::spawn({
            let hasher = hasher.clone();
            let work = move |_: &mut Memory| {
                let _is_waited_for = begin.send(());
                Ok(stopped.recv().is_err())
            };
            async move { hasher.run(work).await }
        });
        first.await.expect("it begins");
        let done = join_all((0..100).map(|_| hasher.hash(password()))).await;
        assert!(done.into_iter().all(|hash| hash.is_ok()));
        let kept = hasher.spare.lock().memories.len();
        assert!((1..HASHED_AT_ONCE_MAX).contains(&kept), "{kept}");
        drop(stop);
        assert!(endless.await.expect("ends").expect("works"));
        assert_eq!(hasher.spare.lock().memories.len(), 0);
    }

    #[tokio::test]
    async fn a_panic_leaves_no_memory_behind() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let hasher = Hasher::new(env, HashCost::LEAST).expect("a good cost");
        let outcome = hasher.run::<()>(|_| panic!("the work panics")).await;
        assert!(matches!(outcome, Err(Error::Cut(_))));
        hasher.hash(password()).await.expect("others go on");
        let spare = hasher.spare.lock();
        assert_eq!((spare.hashing, spare.memories.len()), (0, 0));
    }

    #[tokio::test]
    async fn a_full_queue_turns_away() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let hasher = Hasher::new(env, HashCost::LEAST).expect("a good cost");
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
        assert!(matches!(hasher.hash(password()).await, Err(Error::Overloaded)));
        assert!(matches!(hasher.is_common(&password(), "anna").await, Err(Error::Overloaded)));
        drop(busy);
        assert!(waiting.await.expect("ends").into_iter().all(|hash| hash.is_ok()));
        assert!(hasher.hash(password()).await.is_ok());
    }
}
