//! Starting and stopping: every background task is tracked, told to stop, and waited for.

use std::{future::Future, time::Duration};

use tokio::sync::oneshot;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

use crate::{Health, Metrics, health::PartName, supervise, trace};

/// The work has ended without an answer: it panicked, or was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was cut off")]
pub struct Aborted;

/// The tasks of a process and the two ways to end them.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    stopping: CancellationToken,
    aborting: CancellationToken,
    tasks: TaskTracker,
    last: TaskTracker,
    health: Health,
    metrics: Metrics,
}

impl Lifecycle {
    /// A lifecycle with no tasks yet.
    pub fn new() -> Self {
        Lifecycle::default()
    }

    /// Starts a task that ends by itself soon after [`Lifecycle::stopping`] is cancelled; whatever is left when
    /// the drain is over is dropped at its next await. A panic of it is logged and counted; a task that must go
    /// on after one is [supervised](Lifecycle::supervise).
    pub fn spawn<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (aborting, health) = (self.aborting.clone(), self.health.clone());
        let task = async move {
            tokio::select! {
                biased;
                () = aborting.cancelled() => tracing::warn!("task {name} was cut off"),
                () = supervise::caught(&health, ("process", name), task) => {}
            }
        };
        self.tasks.spawn(task.instrument(tracing::info_span!("task", name)));
    }

    /// Starts a task that others rely on until they have ended; it is dropped after them.
    pub(crate) fn spawn_last<F>(&self, (service, name): PartName, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let aborting = self.aborting.clone();
        let task = async move {
            let _aborted = aborting.run_until_cancelled(task).await;
        };
        self.last.spawn(task.instrument(tracing::info_span!("task", service, name)));
    }

    /// Runs work to its end even if nobody waits for the answer any more; like every task it is dropped at its
    /// next await when the drain is over.
    ///
    /// # Errors
    /// The future that is returned answers with [`Aborted`] when there is no answer.
    pub fn run_detached<F>(&self, work: F) -> impl Future<Output = Result<F::Output, Aborted>> + Send + use<F>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (aborting, work) = (self.aborting.clone(), trace::kept(work));
        let (reply, answer) = oneshot::channel();
        self.tasks.spawn(async move {
            if let Some(output) = aborting.run_until_cancelled(work).await {
                let _nobody_may_wait = reply.send(output);
            }
        });
        async move { answer.await.map_err(|_| Aborted) }
    }

    /// How the parts of the process do.
    pub const fn health(&self) -> &Health {
        &self.health
    }

    /// What the process measures.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Cancelled when no new work should be taken.
    pub fn stopping(&self) -> CancellationToken {
        self.stopping.clone()
    }

    /// Cancelled when everything is cut off.
    pub fn aborting(&self) -> CancellationToken {
        self.aborting.clone()
    }

    /// Tells every task to stop, and waits until all have or the deadline is over; then cuts the rest off.
    pub async fn drain(&self, deadline: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!("{} tasks did not end within {} s", self.tasks.len(), deadline.as_secs());
        }
        self.abort();
        self.last.close();
        self.tasks.wait().await;
        self.last.wait().await;
    }

    /// Drops every task at its next await, as the death of the process would: none of them is told before.
    pub fn abort(&self) {
        self.aborting.cancel();
    }
}
