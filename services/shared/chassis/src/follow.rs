//! Following what is published on a topic.
//!
//! What is published may be lost. So whoever follows something subscribes first, reads it then, and reads it again
//! after every [`Heard::Gap`] and [`Heard::Silence`].

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use live::{Live, LiveError, Received, Subscription};
use tokio_util::sync::CancellationToken;

/// A subscription that is made again when it ends, and heard until the process stops.
pub struct Follower {
    live: Arc<dyn Live>,
    topic: String,
    subscription: Subscription,
    stop: CancellationToken,
}

/// What a follower hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A message.
    Message(Bytes),
    /// Messages may have been missed.
    Gap,
    /// From now on, until a gap, only what this process publishes is sure to be heard.
    Unfollowed,
    /// Nothing, for as long as silence is trusted.
    Silence,
    /// The process stops: the client is to go elsewhere.
    Stopping,
}

impl Follower {
    /// Subscribes to a topic.
    ///
    /// # Errors
    /// When the live state fails.
    pub async fn new(live: Arc<dyn Live>, topic: String, stop: CancellationToken) -> Result<Self, LiveError> {
        let subscription = live.subscribe(&topic).await?;
        Ok(Follower { live, topic, subscription, stop })
    }

    /// Whether what other processes publish arrives, as far as anybody knows.
    pub fn is_followed(&self) -> bool {
        self.subscription.is_followed()
    }

    /// Waits for what is heard next. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the live state brings nothing any more, and cannot be subscribed to again.
    pub async fn next(&mut self, silence: Duration) -> Result<Heard, LiveError> {
        let received = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Ok(Heard::Stopping),
            received = self.subscription.recv() => received,
            () = tokio::time::sleep(silence) => return Ok(Heard::Silence),
        };
        Ok(match received {
            Received::Message(message) => Heard::Message(message),
            Received::Lagged(_) => Heard::Gap,
            Received::Unfollowed => Heard::Unfollowed,
            Received::Closed => {
                self.subscription = self.live.subscribe(&self.topic).await?;
                Heard::Gap
            }
        })
    }
}

impl fmt::Debug for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follower").field("topic", &self.topic).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn messages_silence_and_the_stop_are_told_apart() {
        let config = live::Config::new("memory").expect("a place");
        let (live, stop) = (live::connect(&config).await.expect("it is there"), CancellationToken::new());
        let mut follower =
            Follower::new(Arc::clone(&live), "game/1".to_owned(), stop.clone()).await.expect("subscribed");
        live.publish("game/1", Bytes::from_static(b"a move")).await.expect("published");
        live.publish("game/2", Bytes::from_static(b"another's")).await.expect("published");
        let mut next = async || follower.next(Duration::from_secs(1)).await.expect("live state works");
        assert_eq!(next().await, Heard::Message(Bytes::from_static(b"a move")));
        let began = tokio::time::Instant::now();
        assert_eq!((next().await, began.elapsed()), (Heard::Silence, Duration::from_secs(1)));
        live.publish("game/1", Bytes::from_static(b"unheard")).await.expect("published");
        stop.cancel();
        assert_eq!(next().await, Heard::Stopping, "who is to go elsewhere hears it first");
    }
}
