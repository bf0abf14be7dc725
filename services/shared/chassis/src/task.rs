//! Work that is done again and again.

use std::{error::Error, sync::Arc, time::Duration};

use backon::{BackoffBuilder as _, ExponentialBuilder};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{Lifecycle, health::PartName};

/// The pauses after failures in a row, none of them longer than the period. No call hurries them: what is down is
/// left alone for a while.
const PAUSES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(100))
    .with_max_delay(Duration::from_secs(5))
    .without_max_times();

impl Lifecycle {
    /// Does work now and then once a period, until [`Lifecycle::stopping`] is cancelled: work under way is finished.
    /// That it fails is logged once, and once that it works again; after a panic it goes on, as what is
    /// [supervised](Lifecycle::supervise) does.
    pub fn every<W, F, E>(&self, part: PartName, period: Duration, work: W)
    where
        W: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Error + 'static,
    {
        self.every_or_when(part, period, &Arc::default(), work);
    }

    /// The same, and before the period is over whenever `called` is notified.
    pub fn every_or_when<W, F, E>(&self, part: PartName, period: Duration, called: &Arc<Notify>, work: W)
    where
        W: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Error + 'static,
    {
        let (stop, called, work) = (self.stopping(), Arc::clone(called), Arc::new(work));
        self.supervise(part, move || {
            repeat(part, period, stop.clone(), Arc::clone(&called), Arc::clone(&work))
        });
    }
}

async fn repeat<W, F, E>(
    (service, task): PartName,
    period: Duration,
    stop: CancellationToken,
    called: Arc<Notify>,
    work: Arc<W>,
) where
    W: Fn() -> F,
    F: Future<Output = Result<(), E>>,
    E: Error + 'static,
{
    let mut pauses = None;
    loop {
        let pause = match work().await {
            Ok(()) => {
                if pauses.take().is_some() {
                    tracing::info!(service, task, "{task} of {service} works again");
                }
                None
            }
            Err(error) => {
                if pauses.is_none() {
                    let error = &error as &dyn Error;
                    tracing::warn!(service, task, error, "{task} of {service} fails; it is tried again");
                }
                pauses.get_or_insert_with(|| PAUSES.build()).next()
            }
        };
        let next = async {
            match pause {
                Some(pause) => tokio::time::sleep(pause.min(period)).await,
                None => drop(tokio::time::timeout(period, called.notified()).await),
            }
        };
        if stop.run_until_cancelled(next).await.is_none() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const PART: PartName = ("game", "sweep");

    /// Work that fails the second to the fifth time and panics the seventh, and how often it was done.
    fn start(lifecycle: &Lifecycle, period: Duration, called: &Arc<Notify>) -> Arc<AtomicU32> {
        let done: Arc<AtomicU32> = Arc::default();
        let counted = Arc::clone(&done);
        lifecycle.every_or_when(PART, period, called, move || {
            let nth = counted.fetch_add(1, Ordering::SeqCst) + 1;
            async move {
                assert!(nth != 7, "the seventh");
                if (2..=5).contains(&nth) { Err(std::fmt::Error) } else { Ok(()) }
            }
        });
        done
    }

    #[tokio::test(start_paused = true)]
    async fn work_is_done_at_once_every_period_and_sooner_when_called_or_after_a_failure() {
        let (lifecycle, called) = (Lifecycle::new(), Arc::default());
        let done = start(&lifecycle, Duration::from_mins(1), &called);
        let after = async |ms| {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            done.load(Ordering::SeqCst)
        };
        assert_eq!(after(1).await, 1, "at once");
        assert_eq!(after(59_000).await, 1, "not before its time");
        called.notify_one();
        assert_eq!(after(1).await, 2, "when it is called");
        called.notify_one();
        assert_eq!(after(90).await, 2, "after a failure no call counts");
        assert_eq!(after(20).await, 3, "100 ms later");
        assert_eq!(
            after(1600).await,
            8,
            "after 200, 400 and 800 ms it works, hears the call, and panics for once"
        );
        assert_eq!(lifecycle.health().panics()[&PART], 1);
        assert_eq!(after(59_000).await, 8, "a period begins anew");
        lifecycle.drain(Duration::from_secs(1)).await;
        assert_eq!(after(120_000).await, 8, "it ends when it is told to");
    }
}
