//! Deadlines in Redis.

use async_trait::async_trait;
use redis::AsyncCommands as _;
use uuid::Uuid;

use super::{Remote, codec};
use crate::{Deadline, DeadlineStore, LiveError, Moment, limits};

#[async_trait]
impl DeadlineStore for Remote {
    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        deadline.check()?;
        let taken: i64 = self
            .scripts
            .set_deadline
            .key(&self.keys.deadlines(&deadline.queue))
            .arg(deadline.key.to_string())
            .arg(codec::entry(&deadline))
            .arg(self.limits.queue_deadlines)
            .invoke_async(&mut self.connection())
            .await?;
        if taken < 0 { Err(LiveError::Full { what: "deadlines" }) } else { Ok(taken == 1) }
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        let [entries, _] = self.keys.deadlines(queue);
        let key = key.to_string();
        let entry: Option<Vec<u8>> = self.connection().hget(entries, &key).await?;
        entry.map(|entry| codec::deadline(queue, key.as_bytes(), entry)).transpose()
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        let due: Vec<(Vec<u8>, Vec<u8>)> = self
            .scripts
            .take_due
            .key(&self.keys.deadlines(queue))
            .arg(now.as_micros())
            .arg(lease_until.as_micros())
            .arg(limits::batch(max))
            .invoke_async(&mut self.connection())
            .await?;
        due.into_iter().map(|(key, entry)| codec::deadline(queue, &key, entry)).collect()
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        limits::name("queue", queue)?;
        Ok(self
            .scripts
            .clear_deadline
            .key(&self.keys.deadlines(queue))
            .arg(key.to_string())
            .arg(codec::revision(revision))
            .invoke_async(&mut self.connection())
            .await?)
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        limits::name("queue", queue)?;
        let [_, free] = self.keys.deadlines(queue);
        let first: Vec<(String, f64)> = self.connection().zrange_withscores(free, 0, 0).await?;
        // Scores are whole and below 2^53, so nothing is cut off.
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        Ok(first.first().map(|(_, free)| Moment::from_micros(*free as i64)))
    }
}
