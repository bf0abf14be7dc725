//! The stream of an account's notices. What wakes it may be lost; the notices are not: they are read whenever a number is
//! missing, and now and then when nothing is heard.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use api::federation::v1 as pb;
use chassis::{
    follow::{Follower, Heard},
    id::AccountId,
    streams::StreamPlace,
};
use futures::{Stream, stream};
use prost::Message as _;

use super::Notices;
use crate::{
    core::notice::STREAMS_MAX,
    error::{Error, Result},
    store::{names, notice, notice_box},
};

/// How long silence is trusted: of ten thousand streams some hundred and sixty read in a second.
const SILENCE: Duration = Duration::from_mins(1);
/// Notices that are read at once.
const READ_AT_ONCE: u64 = 100;

struct Watcher {
    notices: Arc<Notices>,
    account: AccountId,
    _place: Option<StreamPlace>,
    topic: Follower,
    waiting: VecDeque<pb::Notice>,
    /// The last that was sent.
    seen: u64,
    /// Whether there may be some that were not heard of.
    behind: bool,
    over: bool,
}

impl Notices {
    /// A place for one more stream of an account.
    ///
    /// # Errors
    /// When it has too many.
    pub(crate) fn stream(&self, account: AccountId) -> Result<StreamPlace> {
        self.streams.take(account, STREAMS_MAX).ok_or(Error::TooManyNoticeStreams)
    }
}

/// Streams the notices of an account from after a number on; in a place, unless a service asks, which counts those that it asks for.
pub(crate) async fn watch(
    notices: Arc<Notices>,
    account: AccountId,
    after: u64,
    place: Option<StreamPlace>,
) -> Result<impl Stream<Item = Result<pb::Notice>> + Send> {
    let (live, stop) = (Arc::clone(&notices.live), notices.lifecycle.stopping());
    let topic = Follower::new(live, names::notices(account), stop).await?;
    if after > 0 {
        let last = notice_box::last(notices.database.read(), account).await?;
        if after > last {
            return Err(Error::BadCursor(last));
        }
    }
    let watcher = Watcher {
        notices,
        account,
        _place: place,
        topic,
        waiting: VecDeque::new(),
        seen: after,
        behind: true,
        over: false,
    };
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
    async fn next(&mut self) -> Result<pb::Notice> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                self.seen = notice.number;
                return Ok(notice);
            }
            if self.behind {
                self.read().await?;
                continue;
            }
            match self.topic.next(SILENCE).await? {
                Heard::Message(message) => self.hear(&message),
                Heard::Gap | Heard::Silence => self.behind = true,
                Heard::Unfollowed => {}
                Heard::Stopping => return Err(Error::Stopping),
            }
        }
    }

    /// Takes over what is told, if it is what comes next; otherwise it has to be read. One number is missing, too, where
    /// something was not wanted.
    fn hear(&mut self, message: &[u8]) {
        let told = pb::ToldNotices::decode(message).unwrap_or_default().notices;
        let is_next = told.first().is_some_and(|first| first.number == self.seen + 1);
        if is_next {
            self.waiting = told.into();
        } else {
            self.behind = told.last().is_none_or(|last| last.number > self.seen);
        }
    }

    async fn read(&mut self) -> Result<()> {
        let notices = &self.notices;
        let _turn = notices.reads.acquire().await.map_err(|_| Error::Stopping)?;
        let on = notices.database.read();
        let found = notice::after(on, self.account, self.seen, READ_AT_ONCE).await?;
        self.behind = found.len() as u64 == READ_AT_ONCE;
        self.waiting = found.iter().map(Into::into).collect();
        Ok(())
    }
}
