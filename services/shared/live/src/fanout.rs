//! Fan-out inside one process: topics, and those who listen to them.
//!
//! Both stores end here. The memory store sends to [`Topics`] directly. So does the Redis store, for who listens in this
//! process; and it has one connection for the whole process, which follows the topics that are listened to and sends
//! here what arrives from others. A topic lives as long as somebody listens to it.
#![expect(
    clippy::disallowed_types,
    reason = "only those wait who listen through a server, not the simulation"
)]

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};

use crate::LiveError;
use crate::limits::{TOPIC_DEPTH, TOPICS_MAX};

/// Topics, on which messages go to whoever listens.
///
/// [`Live`](crate::Live) says what holds of every call. A topic that nobody listens to is none, and a message that is
/// lost is reported where it can be: whoever listens looks elsewhere for what it missed.
#[async_trait]
pub trait PubSub: Send + Sync {
    /// Sends a message, of at most 256 KiB, to those who listen to a topic now. It is kept nowhere; that nobody
    /// listens is no error. Who listens in this process has it at once, whatever comes of the rest, which is waited for
    /// 150 ms at most.
    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError>;

    /// Listens to a topic. What is published after this has returned arrives, in the order in which each process
    /// published it, or is reported as [`Received::Lagged`]. Dropping the subscription ends
    /// it. [`LiveError::Full`] if this process listens to too many topics.
    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError>;
}

/// Someone who listens to a topic. Dropping it ends the subscription.
pub struct Subscription {
    topic: Arc<str>,
    /// `None` only while being dropped.
    receiver: Option<broadcast::Receiver<Signal>>,
    confirmed: watch::Receiver<bool>,
    topics: Weak<Topics>,
}

/// What a subscription receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A message.
    Message(Bytes),
    /// This many messages were lost because the subscriber was too slow, or, if 0, the connection to the store
    /// broke and nobody knows how many were lost. The subscriber must look elsewhere for what it missed; later
    /// messages arrive again.
    Lagged(u64),
    /// The connection to the store broke: until [`Received::Lagged`] says that it is back, only what this process
    /// itself publishes arrives, and nothing is known to be missing yet.
    Unfollowed,
    /// The live state is gone; nothing arrives any more.
    Closed,
}

impl Subscription {
    /// The next thing that happens. Dropping the future loses nothing.
    pub async fn recv(&mut self) -> Received {
        let Some(receiver) = &mut self.receiver else { return Received::Closed };
        match receiver.recv().await {
            Ok(Signal::Message(message)) => Received::Message(message),
            Ok(Signal::Gap) => Received::Lagged(0),
            Ok(Signal::Lost) => Received::Unfollowed,
            Err(RecvError::Lagged(missed)) => Received::Lagged(missed),
            Err(RecvError::Closed) => Received::Closed,
        }
    }

    /// Whether whatever is published anywhere is on its way to this process.
    pub fn is_followed(&self) -> bool {
        *self.confirmed.borrow()
    }

    /// Waits until messages of the topic are on their way to this process. `false` if they never will be.
    pub(crate) async fn confirmed(&mut self) -> bool {
        self.confirmed.wait_for(|confirmed| *confirmed).await.is_ok()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let receiver = self.receiver.take();
        if let Some(topics) = self.topics.upgrade() {
            topics.leave(&self.topic, receiver);
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("topic", &self.topic).finish_non_exhaustive()
    }
}

/// Who listens to topics in a process, and what is kept for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FanOut {
    /// Topics that somebody listens to.
    pub topics: usize,
    /// Those who listen.
    pub listeners: usize,
    /// Messages that are kept, each once, for those who have not taken them.
    pub kept: usize,
    /// About how many bytes these are: each is taken to be as long as those of its topic were on the average.
    pub kept_bytes: u64,
}

/// The topics this process listens to.
#[derive(Debug)]
pub(crate) struct Topics {
    inner: Mutex<Inner>,
    /// Whether a link to a server must follow the topics; if not, messages never leave the process.
    linked: bool,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    topics: HashMap<Arc<str>, Topic>,
    /// Topics that came or went since the link last asked.
    changed: HashSet<Arc<str>>,
}

#[derive(Debug)]
struct Topic {
    sender: broadcast::Sender<Signal>,
    /// Whether messages of this topic are on their way to this process.
    confirmed: watch::Sender<bool>,
    /// Whether the link broke after it had been confirmed.
    gap: bool,
    /// Messages so far, and their bytes.
    sent: (u64, u64),
}

#[derive(Clone, Debug)]
enum Signal {
    Message(Bytes),
    Lost,
    Gap,
}

impl Topics {
    /// Topics inside this process.
    pub(crate) fn local() -> Arc<Self> {
        Arc::new(Self { inner: Mutex::default(), linked: false, changed: Notify::new() })
    }

    /// Topics that a link to a server follows.
    pub(crate) fn linked() -> Arc<Self> {
        Arc::new(Self { inner: Mutex::default(), linked: true, changed: Notify::new() })
    }

    /// Adds a listener. In linked topics it hears nothing for certain until it is confirmed.
    pub(crate) fn listen(self: &Arc<Self>, name: &str) -> Result<Subscription, LiveError> {
        let mut inner = self.inner.lock();
        if let Some((name, topic)) = inner.topics.get_key_value(name) {
            return Ok(self.subscription(name.clone(), topic));
        }
        if inner.topics.len() >= TOPICS_MAX {
            return Err(LiveError::Full { what: "topics" });
        }
        let name: Arc<str> = name.into();
        let topic = Topic {
            sender: broadcast::Sender::new(TOPIC_DEPTH),
            confirmed: watch::Sender::new(!self.linked),
            gap: false,
            sent: (0, 0),
        };
        let subscription = self.subscription(name.clone(), &topic);
        inner.topics.insert(name.clone(), topic);
        self.note(&mut inner, name);
        Ok(subscription)
    }

    /// Hands a message to those who listen.
    pub(crate) fn send(&self, name: &str, message: Bytes) {
        if let Some(topic) = self.inner.lock().topics.get_mut(name) {
            topic.sent.0 += 1;
            topic.sent.1 += message.len() as u64;
            // It fails only if the last listener is leaving at this moment.
            let _ = topic.sender.send(Signal::Message(message));
        }
    }

    /// The link broke: all topics must be followed anew, and their listeners learn of the gap.
    pub(crate) fn lost(&self) {
        let mut inner = self.inner.lock();
        let Inner { topics, changed } = &mut *inner;
        changed.clear();
        for (name, topic) in topics {
            if topic.confirmed.send_replace(false) {
                topic.gap = true;
                let _ = topic.sender.send(Signal::Lost);
            }
            changed.insert(name.clone());
        }
    }

    /// Up to `max` topics that came or went, each with whether somebody listens to it now.
    pub(crate) fn take_changed(&self, max: usize) -> Vec<(Arc<str>, bool)> {
        let mut inner = self.inner.lock();
        let names: Vec<_> = inner.changed.iter().take(max).cloned().collect();
        names
            .into_iter()
            .map(|name| {
                inner.changed.remove(&name);
                let wanted = inner.topics.contains_key(&name);
                (name, wanted)
            })
            .collect()
    }

    /// Waits until topics came or went.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The link follows this topic now.
    pub(crate) fn confirm(&self, name: &str) {
        if let Some(topic) = self.inner.lock().topics.get_mut(name) {
            topic.confirmed.send_replace(true);
            if std::mem::take(&mut topic.gap) {
                let _ = topic.sender.send(Signal::Gap);
            }
        }
    }

    /// Who listens, and what is kept for them.
    pub(crate) fn fan_out(&self) -> FanOut {
        let inner = self.inner.lock();
        let none = FanOut { topics: inner.topics.len(), ..FanOut::default() };
        inner.topics.values().fold(none, |sum, topic| {
            let (kept, (sent, bytes)) = (topic.sender.len(), topic.sent);
            FanOut {
                topics: sum.topics,
                listeners: sum.listeners + topic.sender.receiver_count(),
                kept: sum.kept + kept,
                kept_bytes: sum.kept_bytes + (kept as u64 * bytes).checked_div(sent).unwrap_or_default(),
            }
        })
    }

    /// How many topics are listened to.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.inner.lock().topics.len()
    }

    fn subscription(self: &Arc<Self>, name: Arc<str>, topic: &Topic) -> Subscription {
        Subscription {
            topic: name,
            receiver: Some(topic.sender.subscribe()),
            confirmed: topic.confirmed.subscribe(),
            topics: Arc::downgrade(self),
        }
    }

    /// Takes a listener away, and with the last one its topic, under one lock lest a new one slips between.
    fn leave(&self, name: &Arc<str>, receiver: Option<broadcast::Receiver<Signal>>) {
        let mut inner = self.inner.lock();
        drop(receiver);
        if inner.topics.get(name).is_some_and(|topic| topic.sender.receiver_count() == 0) {
            inner.topics.remove(name);
            self.note(&mut inner, name.clone());
        }
    }

    fn note(&self, inner: &mut Inner, name: Arc<str>) {
        if self.linked {
            inner.changed.insert(name);
            self.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_lives_as_long_as_its_listeners() {
        let topics = Topics::local();
        let (one, two) = (topics.listen("t").unwrap(), topics.listen("t").unwrap());
        assert_eq!(topics.len(), 1);
        drop(one);
        assert_eq!(topics.len(), 1);
        drop(two);
        assert_eq!(topics.len(), 0);
        assert!(topics.take_changed(9).is_empty(), "nobody follows local topics");
    }

    #[tokio::test]
    async fn what_is_kept_for_those_who_do_not_take_it_is_counted() {
        let topics = Topics::local();
        assert_eq!(topics.fan_out(), FanOut::default());
        let mut one = topics.listen("t").unwrap();
        let other = topics.listen("t").unwrap();
        let _quiet = topics.listen("u").unwrap();
        for _ in 0..3 {
            topics.send("t", Bytes::from_static(b"hello"));
            topics.send("nobody listens", Bytes::from_static(b"hello"));
        }
        let kept = FanOut { topics: 2, listeners: 3, kept: 3, kept_bytes: 15 };
        assert_eq!(topics.fan_out(), kept);
        one.recv().await;
        assert_eq!(topics.fan_out(), kept, "the other has not taken it");
        drop(other);
        assert_eq!(topics.fan_out(), FanOut { topics: 2, listeners: 2, kept: 2, kept_bytes: 10 });
    }

    #[test]
    fn the_link_hears_of_topics_that_come_and_go() {
        let topics = Topics::linked();
        let one = topics.listen("t").unwrap();
        assert_eq!(topics.take_changed(9), [("t".into(), true)]);
        assert!(topics.take_changed(9).is_empty());
        drop(one);
        assert_eq!(topics.take_changed(9), [("t".into(), false)]);
    }

    #[tokio::test]
    async fn only_a_confirmed_listener_hears_of_a_gap() {
        let topics = Topics::linked();
        let mut old = topics.listen("old").unwrap();
        topics.confirm("old");
        let mut new = topics.listen("new").unwrap();
        topics.lost();
        assert!(!old.is_followed());
        assert_eq!(old.recv().await, Received::Unfollowed);
        topics.confirm("old");
        topics.confirm("new");
        assert!(old.confirmed().await && new.confirmed().await);
        topics.send("new", Bytes::from_static(b"hello"));
        assert_eq!(old.recv().await, Received::Lagged(0));
        assert_eq!(new.recv().await, Received::Message(Bytes::from_static(b"hello")));
        drop(topics);
        assert_eq!(old.recv().await, Received::Closed);
    }
}
