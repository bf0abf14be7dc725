//! Writing to the log: what was decided becomes an event, with its clock reading, and is told once it is durable.

use api::{PointNames, game::v1::GameEvent};
use bytes::Bytes;
use chassis::{id::RequestId, outbox::OutboxMessage};
use prost::Message as _;
use rules::Viewer;
use time::OffsetDateTime;

use super::{arrival::Arrival, clocks::ClockResult, room::Room};
use crate::{
    core::{Event, Game, GameState, PendingEvent, TimeStep, due, flag_event, obligations},
    error::{JournalError, Result},
    store::{Append, Appended, DueTime, EventRow, micros},
    wire::public_event,
};

impl Room<'_> {
    /// Has the clocks read and writes what was decided. Without an answer the room has moved on, because
    /// another replica was faster or a flag had fallen, and it has to be decided again.
    pub(super) async fn commit(
        &mut self,
        pending: PendingEvent,
        arrival: Arrival,
        request: Option<RequestId>,
    ) -> Result<Option<GameEvent>> {
        let received = arrival.received.max(self.updated);
        let refund = self.refund_for_delays(request, received).filter(|_| !pending.time_steps.is_empty());
        let mut steps: Vec<TimeStep> =
            refund.map(|refund| TimeStep::GiveBack(refund.length)).into_iter().collect();
        steps.extend(&pending.time_steps);
        let event = match self.registry.clocks.step_all(self, &steps, Arrival { received, ..arrival }).await?
        {
            ClockResult::All(update) => pending.finish(self, received, update),
            ClockResult::FlagFellFirst(side, update) => {
                let event = flag_event(self, side, received, update);
                self.append(&event, None, None).await?;
                return Ok(None);
            }
        };
        let player = self.on_clock();
        let written = self.append(&event, request, pending.position).await?;
        if let Some(refund) = refund.filter(|_| written.is_some()) {
            self.settle_delays(player, request, refund.until);
        }
        Ok(written)
    }

    /// Writes an event, and answers with it as it was written. In conflict there is no answer, and the room
    /// holds what others wrote; failed, the room is given up and the log will tell.
    pub(super) async fn append(
        &mut self,
        event: &Event,
        request: Option<RequestId>,
        position: Option<Box<dyn rules::Game>>,
    ) -> Result<Option<GameEvent>> {
        let (registry, id) = (self.registry, self.info.id);
        let event_pb = as_sent(event, position.as_deref().unwrap_or(self.position.as_ref()));
        let message = Bytes::from(event_pb.encode_to_vec());
        let append = Append {
            events: vec![EventRow::of(id, event, request, message.to_vec())],
            new_game: None,
            finishes: event.state.outcome.is_some(),
            broadcast_end_us: broadcast_end(self, event),
            due: due_change(self, event, position.as_deref()),
            outbox: obligations(self, event).into_iter().map(OutboxMessage::from).collect(),
        };
        let turned = self.begins_turn(event);
        match registry.journal.append(append).await {
            Ok(Appended::Written) => {
                let expected = self.progress().expects_players();
                self.adopt(event, position);
                if self.progress().expects_players() && !expected {
                    registry.presence.expect_players(self).await;
                }
                registry.tell(self, message).await;
                if turned {
                    registry.with_delays(id, |delays| delays.published(event.time, registry.env.now()));
                }
                Ok(Some(event_pb))
            }
            Ok(Appended::Conflict) => {
                self.refresh().await?;
                registry.clocks.watch_flag(self, registry.env.now()).await;
                Ok(None)
            }
            Err(error) => {
                self.give_up();
                if error == JournalError::Failed {
                    registry.with_delays(id, |delays| delays.unconfirmed(event.sequence, event.time));
                }
                Err(error.into())
            }
        }
    }
}

/// When something happens by itself, in microseconds since the epoch, as the table of games keeps it.
pub(super) fn due_us(position: &dyn rules::Game, updated: OffsetDateTime, state: &GameState) -> Option<i64> {
    due(position, updated, state).map(|due| micros(due.at))
}

/// When something happens by itself after an event.
fn due_change(game: &Game, event: &Event, position: Option<&dyn rules::Game>) -> DueTime {
    let before = due_us(game.position.as_ref(), game.updated, &game.state);
    let position = position.unwrap_or(game.position.as_ref());
    match due_us(position, event.time, &event.state) {
        after if after == before => DueTime::Kept,
        Some(due_us) => DueTime::At(due_us),
        None => DueTime::Never,
    }
}

/// When a delayed broadcast has come to its end but for the delay, if this event is it.
fn broadcast_end(game: &Game, event: &Event) -> Option<i64> {
    let delayed = !game.info.regulations.broadcast_delay.is_zero();
    (delayed && !game.is_over() && event.state.outcome.is_some()).then(|| micros(event.time))
}

/// An event as it is sent and, but for what is sealed in it, stored.
pub(super) fn as_sent(event: &Event, position: &dyn rules::Game) -> GameEvent {
    let name = |point| position.point_name(point);
    let names = PointNames(&name);
    let board = event.kind.goes_back_to().map(|_| names.board(&position.view(Viewer::Spectator)));
    GameEvent { board, ..public_event(event, names) }
}
