//! Throttles in Redis.

use std::time::Duration;

use async_trait::async_trait;
use redis::AsyncCommands as _;

use super::{Remote, keep_ms};
use crate::{LiveError, Moment, Quota, Throttle, ThrottleStore, limits};

#[async_trait]
impl ThrottleStore for Remote {
    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        limits::name("throttle", key)?;
        quota.check()?;
        let answer: i64 = self
            .scripts
            .count
            .key(self.keys.throttle(key))
            .arg(now.as_micros())
            .arg(quota.cost_us())
            .arg(quota.limit)
            .arg(keep_ms(Duration::from_micros(quota.window_us)))
            .invoke_async(&mut self.connection())
            .await?;
        let wait = || Duration::from_micros(answer.unsigned_abs() - 1);
        Ok(u32::try_from(answer)
            .map_or_else(|_| Throttle::Refused { retry_after: wait() }, |left| Throttle::Allowed { left }))
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        limits::name("throttle", key)?;
        Ok(self.connection().del(self.keys.throttle(key)).await?)
    }
}
