//! Starting and stopping: every background task is tracked, told to stop, and waited for.

use std::{future::Future, time::Duration};

use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

/// The tasks of a process and the two ways to end them.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    soft: CancellationToken,
    hard: CancellationToken,
    tasks: TaskTracker,
    last: TaskTracker,
}

impl Lifecycle {
    /// A lifecycle with no tasks yet.
    pub fn new() -> Self {
        Lifecycle::default()
    }

    /// Starts a task that ends by itself soon after [`Lifecycle::soft`] is cancelled; whatever is left when
    /// the drain is over is dropped at its next await.
    pub fn spawn<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let hard = self.hard.clone();
        let task = async move {
            tokio::select! {
                () = task => {}
                () = hard.cancelled() => tracing::warn!("task {name} was cut off"),
            }
        };
        self.tasks.spawn(task.instrument(tracing::info_span!("task", name)));
    }

    /// Starts a task that others rely on until they have ended; it is dropped after them.
    pub fn spawn_last<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let hard = self.hard.clone();
        let task = async move {
            tokio::select! {
                () = task => {}
                () = hard.cancelled() => {}
            }
        };
        self.last.spawn(task.instrument(tracing::info_span!("task", name)));
    }

    /// Runs work to its end even if nobody waits for the answer any more.
    pub fn run<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(work)
    }

    /// Cancelled when no new work should be taken.
    pub fn soft(&self) -> CancellationToken {
        self.soft.clone()
    }

    /// Tells every task to stop, and waits until all have or the deadline is over; then cuts the rest off.
    pub async fn drain(&self, deadline: Duration) {
        self.soft.cancel();
        self.tasks.close();
        if tokio::time::timeout(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!("{} tasks did not end within {} s", self.tasks.len(), deadline.as_secs());
        }
        self.hard.cancel();
        self.last.close();
        self.tasks.wait().await;
        self.last.wait().await;
    }
}
