//! The way of a player's leave into a game of an event: as that of an act of an official, but that nobody acts.

use std::{ops::ControlFlow, sync::Arc};

use api::game::v1::GameEvent;
use chassis::id::{EventId, GameId, RequestId};
use time::OffsetDateTime;

use super::{App, availability::Ingress, room::Room, rooms::Intent};
use crate::{
    core::{CommandError, Event, EventKind, RulingError, decide_leave},
    error::{Error, Result},
    store::log,
};

/// That a player of a game is on leave, or none is any more, with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct LeaveChange {
    pub game: GameId,
    /// The event of which it must be.
    pub event: EventId,
    pub on_leave: bool,
    /// The entry of the event's log that it follows from.
    pub event_sequence: u64,
    pub request: RequestId,
    /// When it reached the platform.
    pub received: OffsetDateTime,
}

impl App {
    /// Has a game rest, or go on, to its end even if the caller goes away. None where nothing had to change.
    ///
    /// # Errors
    /// When the game is of another event, or cannot be written now.
    pub(crate) async fn change_leave(&self, change: LeaveChange) -> Result<Option<GameEvent>> {
        let registry = Arc::clone(&self.registry);
        let work = async move {
            registry.heartbeat.ensure_current(Ingress::Internal).await?;
            registry.settle(change.game, Ingress::Internal, &change).await
        };
        self.registry.to_its_end(work).await
    }
}

impl Intent for LeaveChange {
    type Answer = Option<GameEvent>;

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<Option<GameEvent>>> {
        if room.info.regulations.event != Some(self.event) {
            return Err(CommandError::from(RulingError::NotAnEventGame).into());
        }
        if let Some(written) = self.replay_of(room).await? {
            return Ok(ControlFlow::Break(Some(written)));
        }
        let Some(pending) = decide_leave(room, self.on_leave, self.event_sequence) else {
            // Another replica may have written since.
            if room.refresh().await? == 0 {
                return Ok(ControlFlow::Break(None));
            }
            return Ok(ControlFlow::Continue(()));
        };
        let Some(written) = room.commit(pending, self.received.into(), Some(self.request)).await? else {
            return Ok(ControlFlow::Continue(()));
        };
        room.do_what_follows().await;
        Ok(ControlFlow::Break(Some(written)))
    }
}

impl LeaveChange {
    /// The event that this very request has become already.
    async fn replay_of(&self, room: &Room<'_>) -> Result<Option<GameEvent>> {
        let on = room.registry.database.read();
        let Some(stored) = log::event_of_request(on, self.game, self.request).await? else { return Ok(None) };
        let asked = EventKind::LeaveChanged { on_leave: self.on_leave, event_sequence: self.event_sequence };
        let is_it = Event::try_from((&stored, None))?.kind == asked;
        if is_it { Ok(Some(stored)) } else { Err(Error::RequestIdReused) }
    }
}
