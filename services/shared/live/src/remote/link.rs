//! The one pub/sub connection of this process, which follows the topics that are listened to.
//!
//! It comes back by itself when it breaks; listeners learn that there was a gap once their topic is followed
//! again. A PING now and then finds a connection that is dead without having been closed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use redis::aio::{PubSubSink, PubSubStream};
use redis::{Client, RedisResult};
use tokio::time::{sleep, timeout};

use super::connection::Nodes;
use super::keys::Keys;
use super::{CONNECT_MAX, RESPONSE_MAX, RETRY_MAX, Speaker};
use crate::LiveError;
use crate::fanout::Topics;

/// Most channels in one command, so that a reconnect with many topics takes few round trips of modest size.
const CHANNELS_MAX: usize = 500;
/// How long the connection may be idle before it is asked for a sign of life.
const IDLE_MAX: Duration = Duration::from_secs(1);
/// How long that sign may take. Who listens would rather look elsewhere than wait for longer.
const PULSE_MAX: Duration = Duration::from_secs(1);
/// The first pause between two attempts to connect; it doubles up to [`RETRY_MAX`].
const RETRY_MIN: Duration = Duration::from_millis(10);

/// Follows topics for ever, through whichever of these servers answers; there is one at least.
pub(super) async fn run(nodes: Nodes, keys: Arc<Keys>, topics: Arc<Topics>, own: Speaker) {
    let mut pause = RETRY_MIN;
    // Of a cluster any node will do, and the next one when this one is gone.
    for attempt in 0.. {
        topics.lost();
        let Some(client) = nodes.listened(own, attempt) else { return };
        let error = match connect(&client).await {
            Ok((sink, stream)) => {
                pause = RETRY_MIN;
                tokio::select! {
                    biased;
                    error = follow(sink, &keys, &topics) => error,
                    () = deliver(stream, &keys, &topics, own) => LiveError::unavailable("closed"),
                    () = nodes.moved() => LiveError::unavailable("another server is the master"),
                }
            }
            Err(error) => error,
        };
        tracing::warn!(error = %error, source = ?std::error::Error::source(&error), "fan-out connection broke, connecting again");
        sleep(pause).await;
        pause = (2 * pause).min(RETRY_MAX);
    }
}

async fn connect(client: &Client) -> Result<(PubSubSink, PubSubStream), LiveError> {
    Ok(in_time(CONNECT_MAX, client.get_async_pubsub()).await?.split())
}

/// Subscribes to topics that come and unsubscribes from those that go, until the connection breaks.
async fn follow(mut sink: PubSubSink, keys: &Keys, topics: &Topics) -> LiveError {
    let mut followed = HashSet::new();
    loop {
        if let Err(error) = follow_changes(&mut sink, keys, topics, &mut followed).await {
            return error;
        }
        if timeout(IDLE_MAX, topics.changed()).await.is_err()
            && let Err(error) = in_time(PULSE_MAX, sink.ping::<redis::Value>()).await
        {
            return error;
        }
    }
}

async fn follow_changes(
    sink: &mut PubSubSink,
    keys: &Keys,
    topics: &Topics,
    followed: &mut HashSet<Arc<str>>,
) -> Result<(), LiveError> {
    loop {
        let changed = topics.take_changed(CHANNELS_MAX);
        if changed.is_empty() {
            return Ok(());
        }
        let (wanted, unwanted): (Vec<_>, Vec<_>) = changed.into_iter().partition(|(_, wanted)| *wanted);
        let new: Vec<_> = channels(keys, wanted.iter().filter(|(topic, _)| !followed.contains(topic)));
        if !new.is_empty() {
            in_time(RESPONSE_MAX, sink.subscribe(&new)).await?;
        }
        for (topic, _) in wanted {
            topics.confirm(&topic);
            followed.insert(topic);
        }
        let old: Vec<_> = channels(keys, unwanted.iter().filter(|(topic, _)| followed.remove(topic)));
        if !old.is_empty() {
            in_time(RESPONSE_MAX, sink.unsubscribe(&old)).await?;
        }
    }
}

/// Hands out what others say, until the connection breaks.
async fn deliver(mut stream: PubSubStream, keys: &Keys, topics: &Topics, own: Speaker) {
    while let Some(message) = stream.next().await {
        if let Some(topic) = keys.topic(message.get_channel_name())
            && let Some(said) = own.heard(message.get_payload_bytes())
        {
            topics.send(topic, said.to_vec().into());
        }
    }
}

fn channels<'a>(keys: &Keys, topics: impl Iterator<Item = &'a (Arc<str>, bool)>) -> Vec<String> {
    topics.map(|(topic, _)| keys.channel(topic)).collect()
}

/// The answer to a call that may take so long.
pub(super) async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = RedisResult<T>>,
) -> Result<T, LiveError> {
    match timeout(limit, call).await {
        Ok(result) => Ok(result?),
        Err(elapsed) => Err(LiveError::unavailable(elapsed)),
    }
}
