//! The one writer of a process: results that arrive while a transaction is under way share the next one.
//!
//! A commit waits for the disk; a transaction for each game would be limited by that, not by the work.

use std::{mem, sync::Arc};

use chassis::{Database, Lifecycle, database::StoreError};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::store::write;
use crate::{
    core::{book::Changes, game::Game},
    error::Error,
};

/// Games of one transaction at most: enough that the commit no longer counts, few enough that the statements
/// stay below SQLite's 32,766 parameters (2 × 15 a game) and nobody waits long.
const BATCH_MAX: usize = 128;
/// Games that may wait for the next transaction; whoever comes then waits for a place.
const WAITING_MAX: usize = 1024;

/// The handle of the writer; clones share it.
#[derive(Clone, Debug)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
}

/// A game and who waits for what it did.
#[derive(Debug)]
struct Job {
    game: Game,
    answer: oneshot::Sender<Result<Changes, Error>>,
}

impl Writer {
    /// Starts the writer. When the lifecycle is stopped it finishes what it has taken, and takes no more.
    pub fn start(database: Database, lifecycle: &Lifecycle) -> Writer {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        // Who runs has it; who takes over after a panic finds what still waits.
        let (waiting, stop) = (Arc::new(Mutex::new(receiver)), lifecycle.soft());
        lifecycle.supervise(("rating", "writer"), move || {
            run(database.clone(), Arc::clone(&waiting), stop.clone())
        });
        Writer { jobs: sender }
    }

    /// Enters a game, and says what it did.
    ///
    /// The game is entered even if the caller no longer waits for the answer.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn enter(&self, game: Game) -> Result<Changes, Error> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job { game, answer }).await.map_err(|_| StoreError::Stopped)?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }
}

async fn run(database: Database, waiting: Arc<Mutex<mpsc::Receiver<Job>>>, stop: CancellationToken) {
    let mut waiting = waiting.lock().await;
    let mut jobs = Vec::with_capacity(BATCH_MAX);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled(), if !waiting.is_closed() => waiting.close(),
            taken = waiting.recv_many(&mut jobs, BATCH_MAX) => {
                if taken == 0 {
                    return;
                }
                commit(&database, mem::take(&mut jobs)).await;
            }
        }
    }
}

async fn commit(database: &Database, jobs: Vec<Job>) {
    let (games, waiters): (Vec<_>, Vec<_>) = jobs.into_iter().map(|job| (job.game, job.answer)).unzip();
    match write::enter(database, &games).await {
        Ok(answers) => {
            for (waiter, answer) in waiters.into_iter().zip(answers) {
                let _no_longer_waits = waiter.send(answer.map_err(Error::from));
            }
        }
        Err(error) => {
            tracing::error!(
                games = games.len(),
                error = &error as &dyn std::error::Error,
                "rating games failed"
            );
            for waiter in waiters {
                let _no_longer_waits = waiter.send(Err(error.clone().into()));
            }
        }
    }
}
