//! The stream of a room: what is published may be lost, and is then read from the database.

use std::{collections::VecDeque, pin::Pin, sync::Arc, time::Duration};

use api::game::v1::{ChatMessage, WatchMessagesResponse};
use chassis::{
    Database,
    follow::{self, Heard},
    id::GameId,
};
use futures::{Stream, stream};
use prost::Message as _;
use tonic::Status;

use super::registry::Registry;
use crate::{
    core::chat::Room,
    error::{Error, Result},
    store::{self, names},
};

/// How long silence is trusted.
const SILENCE: Duration = Duration::from_secs(30);
/// Messages read at a time.
const BATCH: u64 = 200;

/// The stream of a `WatchMessages` call.
pub(crate) type MessageStream = Pin<Box<dyn Stream<Item = Result<WatchMessagesResponse, Status>> + Send>>;

struct Follower {
    database: Database,
    game: GameId,
    room: Room,
    topic: follow::Follower,
    waiting: VecDeque<ChatMessage>,
    /// The number of the last message that was sent.
    seen: u64,
    /// Whether the database may hold more.
    behind: bool,
    over: bool,
}

/// Starts a stream after a cursor.
pub(super) async fn follow(
    registry: &Registry,
    game: GameId,
    room: Room,
    after: u64,
) -> Result<MessageStream> {
    let stop = registry.lifecycle.stopping();
    let topic = follow::Follower::new(Arc::clone(&registry.live), names::messages(game, room), stop).await?;
    let follower = Follower {
        database: registry.database.clone(),
        game,
        room,
        topic,
        waiting: VecDeque::new(),
        seen: after,
        behind: true,
        over: false,
    };
    Ok(Box::pin(stream::unfold(follower, |mut follower| async move {
        let message = follower.next().await?;
        let answer =
            message.map(|message| WatchMessagesResponse { message: Some(message), ..Default::default() });
        Some((answer, follower))
    })))
}

impl Follower {
    async fn next(&mut self) -> Option<Result<ChatMessage, Status>> {
        while !self.over {
            while let Some(message) = self.waiting.pop_front() {
                if message.sequence == self.seen + 1 {
                    self.seen = message.sequence;
                    return Some(Ok(message));
                }
            }
            let found = if self.behind { self.catch_up().await } else { self.listen().await };
            if let Err(error) = found {
                self.over = true;
                return Some(Err(error.into()));
            }
        }
        None
    }

    async fn listen(&mut self) -> Result<()> {
        match self.topic.next(SILENCE).await? {
            Heard::Message(message) => match ChatMessage::decode(message) {
                Ok(message) if message.sequence <= self.seen + 1 => self.waiting.push_back(message),
                _ => self.behind = true,
            },
            Heard::Gap | Heard::Silence => self.behind = true,
            Heard::Unfollowed => {}
            Heard::Stopping => return Err(Error::Stopping),
        }
        Ok(())
    }

    async fn catch_up(&mut self) -> Result<()> {
        let found = store::chat::after(self.database.read(), self.game, self.room, self.seen, BATCH).await?;
        self.behind = found.len() as u64 == BATCH;
        self.waiting = found.iter().map(ChatMessage::from).collect();
        Ok(())
    }
}
