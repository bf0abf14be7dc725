//! Publish and subscribe through Redis.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::time::timeout;

use super::{CONNECT_MAX, RESPONSE_MAX, Remote, link::in_time};
use crate::limits::{self, MESSAGE_MAX};
use crate::{LiveError, PubSub, Subscription};

/// How long it may take until a topic is followed: a connection, and a command on it.
const SUBSCRIBE_MAX: Duration = CONNECT_MAX.saturating_add(RESPONSE_MAX);
/// How long a message may take to be taken. Whoever waits for it has done what it tells of, and somebody's clock runs,
/// who may have heard of it in this process at once: it stays below what is worth being given back for being told late.
const PUBLISH_MAX: Duration = Duration::from_millis(150);
/// The same while the last one was not taken: enough to notice that the store is back.
const PUBLISH_AGAIN_MAX: Duration = Duration::from_millis(20);

#[async_trait]
impl PubSub for Remote {
    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        limits::name("topic", topic)?;
        limits::size("message", message.len(), MESSAGE_MAX)?;
        self.topics.send(topic, message.clone());
        let channel = self.keys.channel(topic);
        let mut connection = self.connection();
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(channel).arg(self.speaker.say(&message));
        let patience = if self.unheard.load(Ordering::Relaxed) { PUBLISH_AGAIN_MAX } else { PUBLISH_MAX };
        let sent = in_time(patience, publish.exec_async(&mut connection)).await;
        self.unheard.store(sent.is_err(), Ordering::Relaxed);
        sent
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        limits::name("topic", topic)?;
        let mut subscription = self.topics.listen(topic)?;
        match timeout(SUBSCRIBE_MAX, subscription.confirmed()).await {
            Ok(true) => Ok(subscription),
            Ok(false) => Err(LiveError::unavailable("the link has ended")),
            Err(elapsed) => Err(LiveError::unavailable(elapsed)),
        }
    }
}
