//! The rooms: a running game each, kept in memory while it is used, rebuilt from its log when it is not.
//!
//! A room's lock makes the commands of one game take turns within a replica. Between replicas nothing is
//! locked: the log takes an event number once, and who comes second reads what the first one wrote and
//! decides again.

pub mod admin;
mod arrival;
pub mod audit;
pub(crate) mod availability;
mod broadcast;
mod clocks;
mod commands;
mod create;
mod delays;
pub(crate) mod delivery;
mod flags;
pub mod history;
mod imports;
pub(crate) mod presence;
mod queries;
pub(crate) mod readers;
mod rulings;
mod scheduler;
pub(crate) mod sealing;
pub(crate) mod sights;
mod unsure;
mod untold;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(crate) use broadcast::{delay, is_known, is_official};
pub(crate) use commands::{Arrival, Lag, Order};
pub(crate) use flags::FlagFall;
pub(crate) use imports::{Import, LIMITS as IMPORT_LIMITS, QUOTA, QUOTA_GUEST};
pub(crate) use queries::Sight;
pub(crate) use rulings::Hearing;
pub(crate) use scheduler::due_us;

use ::time::OffsetDateTime;
use api::{
    clock::v1::clock_internal_service_client::ClockInternalServiceClient, game::v1::GameEvent,
    transport::Transport,
};
use bytes::Bytes;
use chassis::{
    Ambient, Lifecycle, Throttle,
    id::{AccountId, GameId, RequestId},
    outbox,
};
use futures::StreamExt as _;
use live::Live;
use prost::Message as _;
use rules::Viewer;
use tokio::sync::Mutex as AsyncMutex;

use self::delays::{Delays, Owed};
use crate::{
    app::{
        availability::{Beat, Reached},
        presence::Attendance,
        readers::Readers,
        sealing::Keeper,
        sights::Sights,
    },
    core::{Event, Game, obligations},
    error::CallError,
    store::{
        Append, Appended, DueTime, EventRow, Journal, JournalError, Reader, StoreError, imports::Imports,
        micros,
    },
    wire::{event_to_pb, view_to_pb},
};

/// A room that nobody entered for this long is emptied.
const IDLE: ::time::Duration = ::time::Duration::minutes(10);
/// How often idle rooms are looked for.
const SWEEP: Duration = Duration::from_mins(1);
/// How often a decision is taken again because another replica was faster.
const ATTEMPTS: u32 = 8;
/// Games that are credited with an outage at the same time.
const CREDIT_PARALLEL: usize = 32;
/// Running games read at a time.
const RUNNING_PAGE: u64 = 500;

/// All rooms of a replica.
pub(crate) struct Rooms {
    pub(crate) ambient: Ambient,
    pub(crate) reader: Reader,
    pub(crate) live: Arc<dyn Live>,
    pub(crate) lifecycle: Lifecycle,
    journal: Journal,
    clock: ClockInternalServiceClient<Transport>,
    pub(crate) beat: Arc<Beat>,
    pub(crate) attendance: Arc<Attendance>,
    pub(crate) keeper: Keeper,
    pub(crate) sights: Sights,
    pub(crate) readers: Arc<Readers>,
    pub(crate) imports: Imports,
    open: Mutex<HashMap<GameId, Arc<Room>>>,
}

/// A game and the lock under which it changes.
struct Room {
    game: AsyncMutex<Option<Game>>,
    entered: Mutex<OffsetDateTime>,
    delays: Mutex<Delays>,
}

impl Room {
    fn is_in_doubt(&self, now: OffsetDateTime) -> bool {
        self.delays.lock().unwrap_or_else(PoisonError::into_inner).is_in_doubt(now)
    }
}

impl Rooms {
    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own, and it is called once")]
    pub(crate) fn new(
        ambient: Ambient,
        reader: Reader,
        live: Arc<dyn Live>,
        lifecycle: Lifecycle,
        journal: Journal,
        clock: ClockInternalServiceClient<Transport>,
        beat: Arc<Beat>,
        keeper: Keeper,
        sights: Sights,
        imports: Imports,
    ) -> Self {
        let attendance = Arc::new(Attendance::new(ambient.clone(), Arc::clone(&live)));
        Rooms {
            ambient,
            reader,
            live,
            lifecycle,
            journal,
            clock,
            beat,
            attendance,
            keeper,
            sights,
            readers: Arc::default(),
            imports,
            open: Mutex::default(),
        }
    }

    /// The game as it stands now.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) async fn look(&self, id: GameId) -> Result<Game, CallError> {
        let room = self.room(id);
        let mut slot = room.game.lock().await;
        let game = self.loaded(&mut slot, id).await?;
        // After the end, too: results are contested, confirmed, annulled, and other games follow.
        self.refresh_if_shared(game).await?;
        Ok(game.clone())
    }

    /// Credits every running game with the outages that it has not been given back.
    pub(crate) async fn credit_all(&self) {
        let mut after = None;
        loop {
            let page = match self.reader.running(after, RUNNING_PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(%error, "running games could not be listed; they are credited when entered");
                    return;
                }
            };
            let Some(last) = page.last() else { return };
            after = Some(last.place);
            futures::stream::iter(page)
                .for_each_concurrent(CREDIT_PARALLEL, |entry| async move {
                    let id = entry.place.game();
                    if let Err(error) = self.visit(id).await {
                        tracing::warn!(game.id = %id, %error, "a game was not credited; it is when entered");
                    }
                })
                .await;
        }
    }

    /// Empties idle rooms until `stop`.
    pub(crate) async fn sweep(self: Arc<Self>) {
        let stop = self.lifecycle.soft();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(SWEEP) => {}
            }
            let now = self.ambient.now();
            self.table().retain(|_, room| {
                let entered = *room.entered.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::strong_count(room) > 1 || now - entered < IDLE
            });
        }
    }

    /// Enters a room, so that all that is owed to its game is done.
    async fn visit(&self, id: GameId) -> Result<(), CallError> {
        let room = self.room(id);
        let mut slot = room.game.lock().await;
        self.entered(&mut slot, id, Reached::Assumed).await.map(drop)
    }

    fn room(&self, id: GameId) -> Arc<Room> {
        let now = self.ambient.now();
        let mut table = self.table();
        let room = table.entry(id).or_insert_with(|| {
            let (game, delays) = (AsyncMutex::default(), Mutex::default());
            Arc::new(Room { game, entered: Mutex::new(now), delays })
        });
        *room.entered.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Arc::clone(room)
    }

    /// Whether a game is in a room, or on its way there.
    pub(super) fn is_open(&self, id: GameId) -> bool {
        self.table().contains_key(&id)
    }

    /// Empties a room at once, unless somebody is in it.
    pub(super) fn leave(&self, id: GameId) {
        let mut table = self.table();
        if table.get(&id).is_some_and(|room| Arc::strong_count(room) == 1) {
            table.remove(&id);
        }
    }

    /// Closes the room of a game that is no more; who is in it still has what he came for.
    pub(super) fn close(&self, id: GameId) {
        self.table().remove(&id);
    }

    /// What the platform itself has taken of the turn that runs. Of a room that is not open nothing is known, nor kept.
    fn with_delays<T: Default>(&self, id: GameId, ask: impl FnOnce(&mut Delays) -> T) -> T {
        let Some(room) = self.table().get(&id).cloned() else { return T::default() };
        let mut delays = room.delays.lock().unwrap_or_else(PoisonError::into_inner);
        ask(&mut delays)
    }

    /// The same as is to be given back to whose clock runs, who acts now with this request, or whose flag is looked at.
    fn owed_for_delays(&self, game: &Game, request: Option<RequestId>, now: OffsetDateTime) -> Option<Owed> {
        let account = on_clock(game)?;
        let outages_after = |moment| self.beat.outages_after(moment);
        let turn = (game.turn_began, now);
        self.with_delays(game.info.id, |delays| delays.owed((account, request), turn, outages_after))
    }

    /// What was owed so was given back up to this moment.
    fn settle_delays(
        &self,
        game: GameId,
        player: Option<AccountId>,
        request: Option<RequestId>,
        until: OffsetDateTime,
    ) {
        if let Some(player) = player {
            self.with_delays(game, |delays| delays.settled((player, request), until));
        }
    }

    fn table(&self) -> MutexGuard<'_, HashMap<GameId, Arc<Room>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game of a room, read from its log if need be.
    async fn loaded<'a>(&self, slot: &'a mut Option<Game>, id: GameId) -> Result<&'a mut Game, CallError> {
        if slot.is_none() {
            let Some(game) = self.reader.replay(id, u64::MAX).await?.into_game() else {
                self.table().remove(&id);
                return Err(CallError::UnknownGame);
            };
            self.watch_flag(&game).await;
            self.tell_written(&game).await?;
            *slot = Some(game);
        }
        slot.as_mut().ok_or(CallError::UnknownGame)
    }

    /// The game of a room, with every outage credited and nothing due: ready for a decision.
    async fn entered<'a>(
        &self,
        slot: &'a mut Option<Game>,
        id: GameId,
        reached: Reached,
    ) -> Result<&'a mut Game, CallError> {
        self.beat.ensure_fresh(reached).await?;
        self.attendance.look_if_overdue().await;
        let game = self.loaded(slot, id).await?;
        self.look_if_written(game).await?;
        self.credit_outages(slot).await?;
        self.loaded(slot, id).await?;
        self.do_what_is_due(slot).await?;
        self.loaded(slot, id).await
    }

    /// Reads what other replicas have written, where there may be others.
    async fn refresh_if_shared(&self, game: &mut Game) -> Result<(), CallError> {
        if self.live.shared() {
            self.refresh(game).await?;
        }
        Ok(())
    }

    /// Reads what other replicas have written; how many events that were.
    async fn refresh(&self, game: &mut Game) -> Result<usize, CallError> {
        let news = self.reader.events_after(game.info.id, game.sequence).await?;
        if news.iter().any(|event| event.kind.goes_back_to().is_some()) {
            let replay = self.reader.replay(game.info.id, u64::MAX).await?;
            *game = replay.into_game().ok_or(CallError::UnknownGame)?;
        } else {
            for event in &news {
                game.apply(event, &[]).map_err(StoreError::from)?;
            }
        }
        self.tell_written(game).await?;
        Ok(news.len())
    }

    /// Writes an event, and answers with it as it was written. In conflict there is no answer, and the room
    /// holds what others wrote; failed, the room is empty and the log will tell.
    async fn append(
        &self,
        slot: &mut Option<Game>,
        event: &Event,
        request: Option<RequestId>,
        position: Option<Box<dyn rules::Game>>,
    ) -> Result<Option<GameEvent>, CallError> {
        let game = slot.as_mut().ok_or(CallError::UnknownGame)?;
        let event_pb = as_sent(event, position.as_deref().unwrap_or(game.position.as_ref()));
        let message = Bytes::from(event_pb.encode_to_vec());
        let append = Append {
            events: vec![EventRow::of(game.info.id, event, request, message.to_vec())],
            new_game: None,
            finishes: event.after.outcome.is_some(),
            broadcast_end_us: broadcast_end(game, event),
            due: due_change(game, event, position.as_deref()),
            owed: obligations(game, event).into_iter().map(outbox::Draft::from).collect(),
        };
        let id = game.info.id;
        let turned = game.begins_turn(event);
        match self.journal.append(append).await {
            Ok(Appended::Written) => {
                let expected = game.course().expects_players();
                game.adopt(event, position);
                if game.course().expects_players() && !expected {
                    self.expect_players(game).await;
                }
                self.tell(id, message).await;
                if turned {
                    self.with_delays(id, |delays| delays.told(event.time, self.ambient.now()));
                }
                Ok(Some(event_pb))
            }
            Ok(Appended::Conflict) => {
                self.refresh(game).await?;
                self.watch_flag(game).await;
                Ok(None)
            }
            Err(error) => {
                *slot = None;
                if error == JournalError::Failed {
                    self.with_delays(id, |delays| delays.unsure(event.sequence, event.time));
                }
                Err(error.into())
            }
        }
    }

    /// Tells everybody who watches. A message that is lost is made up for from the log.
    async fn tell(&self, id: GameId, message: Bytes) {
        if let Err(error) = self.live.publish(&topic(id), message).await {
            static COMPLAINTS: Throttle = Throttle::new();
            self.beat.untold.could_not_tell();
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(game.id = %id, %error, held_back, "an event was not published; watchers read it from the log");
            }
        }
    }
}

/// Whose clock runs.
fn on_clock(game: &Game) -> Option<AccountId> {
    let (side, _) = game.clock()?.running?;
    game.info.seats_in(game.course())[side.index()].account
}

/// Where the events of a game are published.
pub(crate) fn topic(id: GameId) -> String {
    format!("game/{id}")
}

/// When something happens by itself after an event.
fn due_change(game: &Game, event: &Event, position: Option<&dyn rules::Game>) -> DueTime {
    let before = due_us(game.position.as_ref(), game.updated, &game.after);
    let position = position.unwrap_or(game.position.as_ref());
    match due_us(position, event.time, &event.after) {
        after if after == before => DueTime::Kept,
        Some(due_us) => DueTime::At(due_us),
        None => DueTime::Never,
    }
}

/// When a delayed broadcast has come to its end but for the delay, if this event is it.
fn broadcast_end(game: &Game, event: &Event) -> Option<i64> {
    let delayed = !game.info.regulations.broadcast_delay.is_zero();
    (delayed && !game.is_over() && event.after.outcome.is_some()).then(|| micros(event.time))
}

/// An event as it is sent and, but for what is sealed in it, stored.
fn as_sent(event: &Event, position: &dyn rules::Game) -> GameEvent {
    let name = |point| position.point_name(point);
    let board = event.kind.goes_back_to().map(|_| view_to_pb(&position.view(Viewer::Spectator), &name));
    GameEvent { board, ..event_to_pb(event, &name) }
}

#[cfg(test)]
mod tests;
