//! The Redis that a platform on one machine starts for itself, and keeps running.

use std::{path::Path, time::Duration};

use anyhow::Context as _;
use chassis::{
    Health,
    health::PartName,
    limit::{Amount, Limit},
    supervise,
};
use futures::{FutureExt as _, future::BoxFuture};
use live::{ChildRedis, Pulse};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

/// The pause before it is started again for the first time; it doubles with each further time.
const PAUSE_MIN: Duration = Duration::from_millis(100);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// A server that has run for so long is taken to be well again.
const STEADY: Duration = Duration::from_secs(30);
/// How often it is asked for a sign of life, and how long each may take.
const PULSE: Duration = Duration::from_secs(2);
/// After so many without an answer it hangs. One alone says little: this process may have been paused itself.
const SILENCES_MAX: u32 = 5;
/// How long it may be silent until it is killed.
const SILENCE_MAX: Duration = Duration::from_secs(PULSE.as_secs() * SILENCES_MAX as u64);

/// What it is to the health of the platform.
const PART: PartName = ("platform", "own Redis");

/// The limits of keeping it.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "pause before the platform's own Redis is started again",
        amount: Amount::Time(PAUSE_MAX),
        setting: None,
        reason: "it doubles from 100 ms, so that a server that cannot start does not take the machine's time",
    },
    Limit {
        name: "silence of the platform's own Redis until it is killed and started again",
        amount: Amount::Time(SILENCE_MAX),
        setting: None,
        reason: "a fork or a slow disk stops it for a second or two; a server that hangs stays so, and nobody can play",
    },
];

/// A running Redis that is started again whenever it ends or hangs.
#[derive(Debug)]
pub struct OwnRedis {
    url: String,
    stop: CancellationToken,
    kept: JoinHandle<ChildRedis>,
}

impl OwnRedis {
    /// Starts one in a folder, and watches over it.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(folder: &Path, health: Health) -> anyhow::Result<Self> {
        let redis = ChildRedis::start(folder).await.context("starting a Redis")?;
        let (url, stop) = (redis.url(), CancellationToken::new());
        health.working(PART);
        let kept = tokio::spawn(held(redis, health.clone(), stop.clone(), move |redis, stop| {
            keep(redis, health.clone(), stop).boxed()
        }));
        Ok(OwnRedis { url, stop, kept })
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends it in good order, when nobody needs it any more.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.stop.cancel();
        let redis = self.kept.await.context("the watch over the Redis was cut off")?;
        Ok(redis.stop().await?)
    }
}

/// Watches over what is held until `stop`. A panic of the watch ends neither it nor what is held.
async fn held<T, W>(mut held: T, health: Health, stop: CancellationToken, watch: W) -> T
where
    W: Fn(&mut T, CancellationToken) -> BoxFuture<'_, ()>,
{
    while !stop.is_cancelled() {
        supervise::caught(&health, PART, watch(&mut held, stop.clone())).await;
        let _stopped = stop.run_until_cancelled(sleep(PAUSE_MIN)).await;
    }
    held
}

/// Starts it again whenever it ends or hangs, until `stop`.
async fn keep(redis: &mut ChildRedis, health: Health, stop: CancellationToken) {
    let mut pause = PAUSE_MIN;
    loop {
        let began = Instant::now();
        let Some(how) = stop.run_until_cancelled(failure(redis)).await else { return };
        if began.elapsed() >= STEADY {
            pause = PAUSE_MIN;
        }
        health.failing(PART, format!("{how} and is started again"));
        loop {
            if stop.run_until_cancelled(sleep(pause)).await.is_none() {
                return;
            }
            pause = (pause * 2).min(PAUSE_MAX);
            match stop.run_until_cancelled(redis.restart()).await {
                None => return,
                Some(Ok(())) => break,
                Some(Err(error)) => health.failing(PART, format!("it cannot be started again: {error}")),
            }
        }
        tracing::warn!("the platform's own Redis was started again: {how}");
        health.working(PART);
    }
}

/// Waits until it does not serve any more; how that came.
async fn failure(redis: &mut ChildRedis) -> String {
    let pulse = redis.pulse();
    tokio::select! {
        biased;
        ended = redis.ended() => {
            let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
            format!("it ended by itself ({how})")
        }
        () = silence(&pulse) => format!("it has not answered for {} s, is killed", SILENCE_MAX.as_secs()),
    }
}

/// Waits until it has been silent for too long.
async fn silence(pulse: &Pulse) {
    let mut silences = 0;
    while silences < SILENCES_MAX {
        let (beats, ()) = tokio::join!(pulse.beats(PULSE), sleep(PULSE));
        silences = if beats { 0 } else { silences + 1 };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_panic_of_the_watch_drops_nothing_and_is_told() {
        let (health, stop, runs) = (Health::default(), CancellationToken::new(), Arc::new(AtomicU32::new(0)));
        let (child, alive) = tokio::sync::oneshot::channel::<()>();
        let counted = Arc::clone(&runs);
        let kept = tokio::spawn(held(child, health.clone(), stop.clone(), move |_, stop| {
            let run = counted.fetch_add(1, Ordering::SeqCst);
            async move {
                assert!(run > 0, "the first watch panics");
                stop.cancelled().await;
            }
            .boxed()
        }));
        tokio::time::sleep(PAUSE_MAX).await;
        assert_eq!(runs.load(Ordering::SeqCst), 2, "it is watched again");
        assert_eq!(health.panics().get(&PART), Some(&1));
        stop.cancel();
        let child = kept.await.expect("the watch ends");
        assert!(!child.is_closed() && child.send(()).is_ok() && alive.await.is_ok());
    }
}
