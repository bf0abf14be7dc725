//! The Redis that a platform on one machine starts for itself, and keeps running.

use std::{path::Path, time::Duration};

use anyhow::Context as _;
use chassis::{
    Health,
    health::PartName,
    limit::{Amount, Limit},
};
use live::ChildRedis;
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

/// The pause before it is started again for the first time; it doubles with each further time.
const PAUSE_MIN: Duration = Duration::from_millis(100);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// A server that has run for so long is taken to be well again.
const STEADY: Duration = Duration::from_secs(30);

/// What it is to the health of the platform.
const PART: PartName = ("platform", "own Redis");

/// The limits of keeping it.
pub const LIMITS: &[Limit] = &[Limit {
    name: "pause before the platform's own Redis is started again",
    amount: Amount::Time(PAUSE_MAX),
    setting: None,
    reason: "it doubles from 100 ms, so that a server that cannot start does not take the machine's time",
}];

/// A running Redis that is started again whenever it ends.
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
        let kept = tokio::spawn(keep(redis, health, stop.clone()));
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

/// Starts it again whenever it ends, until `stop`.
async fn keep(mut redis: ChildRedis, health: Health, stop: CancellationToken) -> ChildRedis {
    let mut pause = PAUSE_MIN;
    loop {
        let began = Instant::now();
        let Some(ended) = stop.run_until_cancelled(redis.ended()).await else { return redis };
        if began.elapsed() >= STEADY {
            pause = PAUSE_MIN;
        }
        let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
        health.failing(PART, format!("it ended by itself ({how}) and is started again"));
        loop {
            if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return redis;
            }
            pause = (pause * 2).min(PAUSE_MAX);
            match redis.restart().await {
                Ok(()) => break,
                Err(error) => health.failing(PART, format!("it cannot be started again: {error}")),
            }
        }
        tracing::warn!("the platform's own Redis was started again");
        health.working(PART);
    }
}
