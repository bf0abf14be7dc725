//! Deadlines, leases, throttles and fan-out in Redis.

use std::sync::atomic::Ordering;
use std::time::Duration;

use redis::{AsyncCommands as _, ErrorKind, RedisError, ServerErrorKind};
use tokio::time::timeout;
use uuid::Uuid;

use super::{CONNECT_MAX, RESPONSE_MAX, Remote, codec, link::in_time};
use crate::{Deadline, LiveError, Moment, Quota, Subscription, Throttle};

/// How long Redis keeps what means nothing any more. It only collects garbage: the moments inside decide, and
/// the caller's clock may run differently from that of Redis, as in tests.
const KEEP_AFTER: Duration = Duration::from_hours(1);
/// How long it may take until a topic is followed: a connection, and a command on it.
const SUBSCRIBE_MAX: Duration = CONNECT_MAX.saturating_add(RESPONSE_MAX);
/// How long a message may take to be taken. Whoever waits for it has done what it tells of, and somebody's clock runs,
/// who may have heard of it in this process at once: it stays below what is worth being given back for being told late.
const PUBLISH_MAX: Duration = Duration::from_millis(150);
/// The same while the last one was not taken: enough to notice that the store is back.
const PUBLISH_AGAIN_MAX: Duration = Duration::from_millis(20);

/// The queue in which nothing is ever due: it holds a deadline only while it is tried whether any is taken.
const PROOF: &str = "proof";

impl Remote {
    pub(super) async fn set(&self, deadline: &Deadline) -> Result<bool, LiveError> {
        let taken: i64 = self
            .scripts
            .set_deadline
            .key(&self.keys.deadlines(&deadline.queue))
            .arg(deadline.key.to_string())
            .arg(codec::entry(deadline))
            .arg(self.limits.queue_deadlines)
            .invoke_async(&mut self.connection())
            .await?;
        if taken < 0 { Err(LiveError::Full { what: "deadlines" }) } else { Ok(taken == 1) }
    }

    pub(super) async fn try_out(&self) -> Result<(), LiveError> {
        let keys = self.keys.deadlines(PROOF);
        let proof = self.scripts.prove.key(&keys).invoke_async(&mut self.connection()).await;
        // After a failover the one that answers here may have become a replica for good.
        let demoted = ErrorKind::Server(ServerErrorKind::ReadOnly);
        if proof.as_ref().is_err_and(|error: &RedisError| error.is_timeout() || error.kind() == demoted) {
            self.connect_anew();
        }
        Ok(proof?)
    }

    pub(super) async fn get(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        let [entries, _] = self.keys.deadlines(queue);
        let key = key.to_string();
        let entry: Option<Vec<u8>> = self.connection().hget(entries, &key).await?;
        entry.map(|entry| codec::deadline(queue, key.as_bytes(), entry)).transpose()
    }

    pub(super) async fn take(
        &self,
        queue: &str,
        now: Moment,
        until: Moment,
        max: usize,
    ) -> Result<Vec<Deadline>, LiveError> {
        let due: Vec<(Vec<u8>, Vec<u8>)> = self
            .scripts
            .take_due
            .key(&self.keys.deadlines(queue))
            .arg(now.as_micros())
            .arg(until.as_micros())
            .arg(max)
            .invoke_async(&mut self.connection())
            .await?;
        due.into_iter().map(|(key, entry)| codec::deadline(queue, &key, entry)).collect()
    }

    pub(super) async fn clear(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        Ok(self
            .scripts
            .clear_deadline
            .key(&self.keys.deadlines(queue))
            .arg(key.to_string())
            .arg(codec::revision(revision))
            .invoke_async(&mut self.connection())
            .await?)
    }

    pub(super) async fn next(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        let [_, free] = self.keys.deadlines(queue);
        let first: Vec<(String, f64)> = self.connection().zrange_withscores(free, 0, 0).await?;
        // Scores are whole and below 2^53, so nothing is cut off.
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        Ok(first.first().map(|(_, free)| Moment::from_micros(*free as i64)))
    }

    pub(super) async fn take_lease(
        &self,
        name: &str,
        owner: Uuid,
        now: Moment,
        until: Moment,
    ) -> Result<bool, LiveError> {
        Ok(self
            .scripts
            .lease
            .key(self.keys.lease(name))
            .arg(owner.to_string())
            .arg(now.to_string())
            .arg(until.to_string())
            .arg(keep_ms(until.since(now)))
            .invoke_async(&mut self.connection())
            .await?)
    }

    pub(super) async fn give_back(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        Ok(self
            .scripts
            .release
            .key(self.keys.lease(name))
            .arg(owner.to_string())
            .invoke_async(&mut self.connection())
            .await?)
    }

    pub(super) async fn send(&self, topic: &str, message: &[u8]) -> Result<(), LiveError> {
        let channel = self.keys.channel(topic);
        let mut connection = self.connection();
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(channel).arg(self.speaker.say(message));
        let patience = if self.unheard.load(Ordering::Relaxed) { PUBLISH_AGAIN_MAX } else { PUBLISH_MAX };
        let sent = in_time(patience, publish.exec_async(&mut connection)).await;
        self.unheard.store(sent.is_err(), Ordering::Relaxed);
        sent
    }

    pub(super) async fn listen(&self, topic: &str) -> Result<Subscription, LiveError> {
        let mut subscription = self.topics.listen(topic)?;
        match timeout(SUBSCRIBE_MAX, subscription.confirmed()).await {
            Ok(true) => Ok(subscription),
            Ok(false) => Err(LiveError::Unavailable("the link has ended".into())),
            Err(elapsed) => Err(LiveError::Unavailable(elapsed.into())),
        }
    }

    pub(super) async fn count_try(
        &self,
        key: &str,
        quota: Quota,
        now: Moment,
    ) -> Result<Throttle, LiveError> {
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

    pub(super) async fn forget_tries(&self, key: &str) -> Result<(), LiveError> {
        Ok(self.connection().del(self.keys.throttle(key)).await?)
    }
}

/// After how many milliseconds Redis may forget what matters for `span`.
pub(super) fn keep_ms(span: Duration) -> u64 {
    u64::try_from(span.saturating_add(KEEP_AFTER).as_millis()).unwrap_or(u64::MAX)
}
