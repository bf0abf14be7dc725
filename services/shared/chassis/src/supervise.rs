//! Tasks that must run as long as the process does: one that panics is started again, and that is said.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, pin::pin, time::Duration};

use futures::FutureExt as _;
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::{
    Health, Lifecycle,
    health::PartName,
    limit::{Amount, Limit},
};

/// The pause before a task is started again for the first time; it doubles with each further time.
const PAUSE_MIN: Duration = Duration::from_millis(100);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// A task that has run for so long is taken to be well again.
const STEADY: Duration = Duration::from_secs(30);
/// After so many failures, none of them followed by a steady run, the service is no longer ready.
const FAILURES_MAX: u32 = 3;

/// The limits of supervision.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "pause before a panicked task is started again",
        amount: Amount::Time(PAUSE_MAX),
        setting: None,
        reason: "it doubles from 100 ms; more would leave what the task does undone for longer than a fault lasts",
    },
    Limit {
        name: "panics of a task until its service is not ready",
        amount: Amount::Count(FAILURES_MAX as u64),
        setting: None,
        reason: "one panic is an accident that a restart mends; three without 30 s between them are not",
    },
];

/// How a supervised task did lately.
struct Record {
    part: PartName,
    failures: u32,
    pause: Duration,
}

impl Lifecycle {
    /// Starts a task that runs until [`Lifecycle::stopping`] is cancelled. When it panics, or ends before, that is
    /// logged and counted, and `make` makes it anew after a pause; when it keeps failing, its service is not ready.
    pub fn supervise<M, F>(&self, part: PartName, make: M)
    where
        M: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let lifecycle = self.clone();
        let (service, task) = part;
        let keep = async move {
            let (mut record, stop) = (Record::new(part), lifecycle.stopping());
            loop {
                let why = match record.run(&lifecycle, &make).await {
                    Ok(()) if stop.is_cancelled() => return,
                    Ok(()) => "it ended before it was told to".to_owned(),
                    Err(why) => why,
                };
                let pause = record.note(&lifecycle, &why);
                if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                    return;
                }
            }
        };
        self.spawn(task, keep.instrument(tracing::info_span!("supervised", service)));
    }

    /// The same for a task that others rely on until they have ended: it is told so by what it waits for, and is
    /// dropped after them. Only a panic is a failure of it.
    pub fn supervise_last<M, F>(&self, part: PartName, make: M)
    where
        M: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let lifecycle = self.clone();
        self.spawn_last(part, async move {
            let mut record = Record::new(part);
            while let Err(why) = record.run(&lifecycle, &make).await {
                tokio::time::sleep(record.note(&lifecycle, &why)).await;
            }
        });
    }
}

impl Record {
    const fn new(part: PartName) -> Self {
        Record { part, failures: 0, pause: PAUSE_MIN }
    }

    /// Runs the task once, to its end; a panic is the error.
    async fn run<M, F>(&mut self, lifecycle: &Lifecycle, make: &M) -> Result<(), String>
    where
        M: Fn() -> F,
        F: Future<Output = ()>,
    {
        let began = Instant::now();
        let mut run = pin!(AssertUnwindSafe(async { make().await }).catch_unwind());
        let ended = loop {
            let failing = self.failures > 0;
            tokio::select! {
                biased;
                ended = &mut run => break ended,
                () = tokio::time::sleep_until(began + STEADY), if failing => self.recover(lifecycle),
            }
        };
        ended.map_err(|panic| format!("it panicked: {}", message(&*panic)))
    }

    /// Notes a failure; how long to pause after it.
    fn note(&mut self, lifecycle: &Lifecycle, why: &str) -> Duration {
        self.failures += 1;
        let (service, task) = self.part;
        let panics = lifecycle.health().panicked(self.part);
        let pause_ms = self.pause.as_millis();
        tracing::error!(
            service,
            task,
            panics,
            pause_ms,
            "{task} of {service} failed and starts again: {why}"
        );
        if self.failures >= FAILURES_MAX {
            let times = self.failures;
            lifecycle.health().failing(self.part, format!("it has failed {times} times in a row: {why}"));
        }
        let longer = (self.pause * 2).min(PAUSE_MAX);
        std::mem::replace(&mut self.pause, longer)
    }

    fn recover(&mut self, lifecycle: &Lifecycle) {
        if self.failures >= FAILURES_MAX {
            lifecycle.health().working(self.part);
        }
        (self.failures, self.pause) = (0, PAUSE_MIN);
    }
}

/// Runs a task to its end; a panic of it is logged and counted.
pub async fn caught(health: &Health, part: PartName, task: impl Future<Output = ()>) {
    let Err(panic) = AssertUnwindSafe(task).catch_unwind().await else { return };
    let (why, panics) = (message(&*panic), health.panicked(part));
    let (service, task) = part;
    tracing::error!(service, task, panics, "{task} of {service} panicked: {why}");
}

/// What was said in a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&'static str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it did not say why")
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use super::*;
    use crate::health::PartState;

    const PART: PartName = ("game", "sweep");

    /// A task that panics so many times, and then runs until it is told to stop.
    fn frail(lifecycle: &Lifecycle, panics: u64) -> Arc<AtomicU64> {
        let starts: Arc<AtomicU64> = Arc::default();
        let (counted, stop) = (Arc::clone(&starts), lifecycle.stopping());
        lifecycle.supervise(PART, move || {
            let (nth, stop) = (counted.fetch_add(1, Ordering::SeqCst), stop.clone());
            async move {
                assert!(nth >= panics, "start {nth}");
                stop.cancelled().await;
            }
        });
        starts
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panicked_is_started_again_and_counted() {
        let lifecycle = Lifecycle::new();
        let starts = frail(&lifecycle, 1);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(starts.load(Ordering::SeqCst), 2);
        assert_eq!(lifecycle.health().panics()[&PART], 1);
        assert!(lifecycle.health().is_ready("game"), "one panic is an accident");
        lifecycle.drain(Duration::from_secs(1)).await;
        assert_eq!(starts.load(Ordering::SeqCst), 2, "what ends because it was told to is not started again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_keeps_panicking_makes_its_service_unready_until_it_runs_steadily() {
        let lifecycle = Lifecycle::new();
        let starts = frail(&lifecycle, 5);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(!lifecycle.health().is_ready("game"));
        let part = lifecycle.health().list().remove(0);
        assert_eq!(part.name, PART);
        assert!(matches!(part.state, PartState::Failing(why) if why.contains("start")), "it says why");
        tokio::time::sleep(STEADY * 2).await;
        assert_eq!(starts.load(Ordering::SeqCst), 6);
        assert!(lifecycle.health().is_ready("game"), "it runs");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_others_rely_on_is_started_again_and_ends_when_they_have() {
        let lifecycle = Lifecycle::new();
        let (queue, waiting) = tokio::sync::mpsc::channel::<u32>(8);
        let waiting = Arc::new(tokio::sync::Mutex::new(waiting));
        let sum: Arc<AtomicU64> = Arc::default();
        let summed = Arc::clone(&sum);
        lifecycle.supervise_last(PART, move || {
            let (waiting, sum) = (Arc::clone(&waiting), Arc::clone(&summed));
            async move {
                while let Some(number) = waiting.lock().await.recv().await {
                    assert!(number != 13, "it cannot count to 13");
                    sum.fetch_add(u64::from(number), Ordering::SeqCst);
                }
            }
        });
        let stop = lifecycle.stopping();
        lifecycle.spawn("who relies on it", async move {
            for number in [1, 13, 2] {
                queue.send(number).await.expect("it takes them");
            }
            stop.cancelled().await;
            queue.send(4).await.expect("it is still there");
            tokio::time::sleep(Duration::from_secs(1)).await;
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!((sum.load(Ordering::SeqCst), lifecycle.health().panics()[&PART]), (3, 1));
        assert!(lifecycle.health().is_ready("game"), "one panic is an accident");
        lifecycle.drain(Duration::from_secs(5)).await;
        assert_eq!(sum.load(Ordering::SeqCst), 7, "it works until those who rely on it have ended");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_ends_before_it_is_told_to_is_started_again_ever_more_rarely() {
        let lifecycle = Lifecycle::new();
        let starts: Arc<AtomicU64> = Arc::default();
        let counted = Arc::clone(&starts);
        lifecycle.supervise(PART, move || {
            counted.fetch_add(1, Ordering::SeqCst);
            std::future::ready(())
        });
        tokio::time::sleep(Duration::from_hours(1)).await;
        let starts = starts.load(Ordering::SeqCst);
        assert!((300..=400).contains(&starts), "every 10 s in the end: {starts}");
        lifecycle.drain(Duration::from_secs(1)).await;
    }
}
