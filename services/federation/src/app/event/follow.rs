//! The stream of an event's log. What is told may be lost; the log is not: it is read whenever something is heard, and now
//! and then when nothing is.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use chassis::{
    auth::Caller,
    follow::{Follower, Heard},
    id::EventId,
};
use futures::{Stream, stream};

use super::{Events, queries::LOG_PAGE};
use crate::{
    error::{Error, Result},
    store::{event::log::Stored, names},
};

/// How long silence is trusted; a result whose delay is over is seen that much later at most.
const SILENCE: Duration = Duration::from_secs(10);

struct Watcher {
    events: Arc<Events>,
    caller: Option<Caller>,
    event: EventId,
    topic: Follower,
    waiting: VecDeque<Stored>,
    seen: u64,
    over: bool,
}

/// Streams the log of an event from after an entry on.
pub(crate) async fn watch(
    events: Arc<Events>,
    caller: Option<Caller>,
    event: EventId,
    after: u64,
) -> Result<impl Stream<Item = Result<Stored>> + Send> {
    let (live, stop) = (Arc::clone(&events.live), events.lifecycle.stopping());
    let topic = Follower::new(live, names::event(event), stop).await?;
    let (waiting, _) = events.entries(caller.as_ref(), event, after, LOG_PAGE).await?;
    let waiting = waiting.into();
    let watcher = Watcher { events, caller, event, topic, waiting, seen: after, over: false };
    Ok(stream::unfold(watcher, async |mut watcher| {
        if watcher.over {
            return None;
        }
        let next = watcher.next().await;
        watcher.over = next.is_err();
        Some((next, watcher))
    }))
}

impl Watcher {
    async fn next(&mut self) -> Result<Stored> {
        loop {
            if let Some(stored) = self.waiting.pop_front() {
                self.seen = stored.entry.sequence;
                return Ok(stored);
            }
            let found = self.events.entries(self.caller.as_ref(), self.event, self.seen, LOG_PAGE).await?.0;
            self.waiting = found.into();
            if self.waiting.is_empty() && self.topic.next(SILENCE).await? == Heard::Stopping {
                return Err(Error::Stopping);
            }
        }
    }
}
