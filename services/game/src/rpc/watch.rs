//! The stream of a watched game.
//!
//! What is published may be lost; the log is not. So a watcher listens first, then reads the log from its
//! cursor, and whenever a number is missing (or nothing was heard for a while) it reads the log again.

use std::{collections::VecDeque, pin::Pin, sync::Arc, time::Duration};

use api::{
    fault::Fault,
    game::v1::{Course, GameEvent, WatchResponse, watch_response::Step},
};
use chassis::id::GameId;
use futures::{Stream, stream};
use live::{Received, Subscription};
use prost::Message as _;
use rules::Viewer;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use super::show::whole_game;
use crate::{
    core::Stage,
    fault::CallError,
    rooms::{Rooms, topic},
};

/// How long a watcher trusts silence when events travel between processes.
const SILENCE_SHARED: Duration = Duration::from_secs(10);
/// The same within one process, where nothing is lost without notice.
const SILENCE_LOCAL: Duration = Duration::from_mins(2);

/// The stream of a `Watch` call.
pub(super) type WatchStream = Pin<Box<dyn Stream<Item = Result<WatchResponse, Status>> + Send>>;

struct Watcher {
    rooms: Arc<Rooms>,
    game: GameId,
    subscription: Subscription,
    shutdown: CancellationToken,
    snapshot: Option<Box<api::game::v1::Game>>,
    waiting: VecDeque<GameEvent>,
    /// The number of the last event that was sent, or that the snapshot holds.
    seen: u64,
    /// Whether the stream goes on after the end.
    after_end: bool,
    over: bool,
}

/// From where to where a stream goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct After {
    /// The event after which it begins; with the current state if there is none.
    pub sequence: Option<u64>,
    /// Whether it goes on after the end.
    pub end: bool,
}

/// Starts a stream with a snapshot, or after a cursor.
pub(super) async fn watch(
    rooms: Arc<Rooms>,
    game: GameId,
    after: After,
    viewer: Viewer,
) -> Result<WatchStream, CallError> {
    let subscription = rooms.live.subscribe(&topic(game)).await?;
    let current = rooms.look(game).await?;
    let shutdown = rooms.lifecycle.soft();
    let mut watcher = Watcher {
        rooms: Arc::clone(&rooms),
        game,
        subscription,
        shutdown,
        snapshot: None,
        waiting: VecDeque::new(),
        seen: current.sequence,
        after_end: after.end,
        over: false,
    };
    let ended = current.course().stage == Stage::Final && !after.end;
    match after.sequence {
        None => {
            watcher.snapshot = Some(Box::new(whole_game(&rooms, &current, viewer).await?));
            watcher.over = ended;
        }
        Some(cursor) if cursor > current.sequence => {
            let message = format!("the last event is {}", current.sequence);
            let fault = Fault::new(Code::OutOfRange, "BAD_CURSOR", message);
            return Err(fault.with("sequence", current.sequence.to_string()).into());
        }
        Some(cursor) => {
            watcher.seen = cursor;
            watcher.catch_up().await?;
            watcher.over = ended && watcher.waiting.is_empty();
        }
    }
    Ok(Box::pin(stream::unfold(watcher, |mut watcher| async move {
        let step = watcher.next().await?;
        Some((step.map(|step| WatchResponse { step: Some(step) }), watcher))
    })))
}

impl Watcher {
    async fn next(&mut self) -> Option<Result<Step, Status>> {
        if let Some(snapshot) = self.snapshot.take() {
            return Some(Ok(Step::Snapshot(*snapshot)));
        }
        loop {
            while let Some(event) = self.waiting.pop_front() {
                if event.sequence == self.seen + 1 {
                    self.seen = event.sequence;
                    self.over = !self.after_end && is_final(&event);
                    return Some(Ok(Step::Event(event)));
                }
            }
            if self.over {
                return None;
            }
            if let Err(status) = self.listen().await {
                self.over = true;
                return Some(Err(status));
            }
        }
    }

    /// Waits for the next event, or for a reason to read the log.
    async fn listen(&mut self) -> Result<(), Status> {
        let silence = if self.rooms.live.shared() { SILENCE_SHARED } else { SILENCE_LOCAL };
        let received = tokio::select! {
            biased;
            () = self.shutdown.cancelled() => {
                let message = "the server is shutting down; go on with the last sequence number";
                return Err(Fault::unavailable("SHUTTING_DOWN", message).into());
            }
            received = tokio::time::timeout(silence, self.subscription.recv()) => received,
        };
        if let Ok(Received::Message(message)) = &received
            && let Ok(event) = GameEvent::decode(message.clone())
            && event.sequence <= self.seen + 1
        {
            self.waiting.push_back(event);
            return Ok(());
        }
        if let Ok(Received::Closed) = received {
            self.subscription =
                self.rooms.live.subscribe(&topic(self.game)).await.map_err(CallError::from)?;
        }
        self.catch_up().await.map_err(Status::from)
    }

    async fn catch_up(&mut self) -> Result<(), CallError> {
        self.waiting = self.rooms.reader.stored_after(self.game, self.seen).await?.into();
        Ok(())
    }
}

/// Whether nothing more is expected after this event.
fn is_final(event: &GameEvent) -> bool {
    let stage = event.state.as_ref().and_then(|state| state.course.as_ref()).map(Course::stage);
    match stage {
        Some(stage) => stage == api::game::v1::Stage::Final,
        // Logs from before games had a course.
        None => event.state.as_ref().is_some_and(|state| state.outcome.is_some()),
    }
}
