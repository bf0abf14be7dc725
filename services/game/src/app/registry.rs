//! The rooms: a running game each, kept in memory while it is used, rebuilt from its log when it is not.
//!
//! A room's lock makes the commands of one game take turns within a replica. Between replicas nothing is
//! locked: the log takes an event number once, and who comes second reads what the first one wrote and
//! decides again.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use chassis::{Env, Lifecycle, Throttle, id::GameId};
use live::Live;
use time::OffsetDateTime;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{
    availability::{Heartbeat, Ingress},
    clocks::Clocks,
    delays::Delays,
    presence::PresenceTracker,
    room::{Held, Room},
    sealing::SealingKeyring,
};
use crate::{
    core::Game,
    error::{Error, Result},
    store::{Journal, Reader, names},
};

/// A room that nobody entered for this long is emptied.
const IDLE: time::Duration = time::Duration::minutes(10);
/// How often idle rooms are looked for.
const SWEEP: Duration = Duration::from_mins(1);
/// How often a decision is taken again because another replica was faster.
pub(super) const ATTEMPTS: u32 = 8;

/// All rooms of a replica, and what is needed in each.
pub(crate) struct Registry {
    pub env: Env,
    pub reader: Reader,
    pub live: Arc<dyn Live>,
    pub lifecycle: Lifecycle,
    pub journal: Journal,
    pub clocks: Clocks,
    pub heartbeat: Arc<Heartbeat>,
    pub presence: Arc<PresenceTracker>,
    pub keyring: SealingKeyring,
    open: Mutex<HashMap<GameId, Arc<Slot>>>,
}

/// The place of a game, and the lock under which it changes.
pub(crate) struct Slot {
    held: Arc<AsyncMutex<Option<Held>>>,
    last_used: Mutex<OffsetDateTime>,
    delays: Mutex<Delays>,
}

/// The lock of a room.
pub(super) struct RoomLock<'a> {
    registry: &'a Registry,
    id: GameId,
    held: OwnedMutexGuard<Option<Held>>,
    /// A room in which somebody is stays open.
    _slot: Arc<Slot>,
}

/// What somebody wants of a game: that something be decided and written in it, if it is not so already.
pub(super) trait Intent: Sync {
    /// What he is told.
    type Answer: Send;

    /// Decides it in the game as it stands, and writes it. Without an answer the room has moved on, and it has to be
    /// decided again.
    fn attempt(&self, room: &mut Room<'_>) -> impl Future<Output = Result<ControlFlow<Self::Answer>>> + Send;
}

impl Registry {
    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own, and it is called once")]
    pub(crate) fn new(
        env: Env,
        reader: Reader,
        live: Arc<dyn Live>,
        lifecycle: Lifecycle,
        journal: Journal,
        clocks: Clocks,
        heartbeat: Arc<Heartbeat>,
        keyring: SealingKeyring,
    ) -> Self {
        let presence = Arc::new(PresenceTracker::new(env.clone(), Arc::clone(&live)));
        let open = Mutex::default();
        Registry { env, reader, live, lifecycle, journal, clocks, heartbeat, presence, keyring, open }
    }

    /// Carries an intent out, again and again while other replicas are faster.
    ///
    /// # Errors
    /// When it is refused, or cannot be carried out now.
    pub(super) async fn settle<I: Intent>(
        &self,
        id: GameId,
        ingress: Ingress,
        intent: &I,
    ) -> Result<I::Answer> {
        let mut lock = self.lock(id).await;
        for _ in 0..ATTEMPTS {
            let mut room = lock.ready(ingress).await?;
            if let ControlFlow::Break(answer) = intent.attempt(&mut room).await? {
                return Ok(answer);
            }
        }
        Err(Error::Contended)
    }

    /// Does something to its end even if the caller goes away: what is written is also told.
    pub(super) async fn to_its_end<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        self.lifecycle.run_detached(work).await.map_err(|_| Error::Contended)?
    }

    /// The game as it stands now.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) async fn get(&self, id: GameId) -> Result<Game> {
        let mut lock = self.lock(id).await;
        let mut room = lock.load().await?;
        // After the end, too: results are contested, confirmed, annulled, and other games follow.
        room.refresh_if_shared().await?;
        Ok(room.clone())
    }

    /// Enters a room, so that all that is owed to its game is done.
    pub(super) async fn touch(&self, id: GameId) -> Result<()> {
        self.lock(id).await.ready(Ingress::Internal).await.map(drop)
    }

    /// Puts a new game into its room, where all that is owed to it is done.
    pub(super) async fn begin(&self, game: Game) -> Result<Game> {
        let mut lock = self.lock(game.info.id).await;
        self.with_delays(game.info.id, |delays| delays.read(&game, game.updated));
        *lock.held = Some(Held::new(game));
        Ok(lock.ready(Ingress::Internal).await?.clone())
    }

    async fn lock(&self, id: GameId) -> RoomLock<'_> {
        let slot = self.slot(id);
        let held = Arc::clone(&slot.held).lock_owned().await;
        RoomLock { registry: self, id, held, _slot: slot }
    }

    fn slot(&self, id: GameId) -> Arc<Slot> {
        let now = self.env.now();
        let mut table = self.table();
        let slot = table.entry(id).or_insert_with(|| {
            let (held, delays) = (Arc::default(), Mutex::default());
            Arc::new(Slot { held, last_used: Mutex::new(now), delays })
        });
        *slot.last_used.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Arc::clone(slot)
    }

    /// Empties idle rooms until `stop`.
    pub(crate) async fn sweep(self: Arc<Self>) {
        let stop = self.lifecycle.stopping();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(SWEEP) => {}
            }
            let now = self.env.now();
            self.table().retain(|_, slot| {
                let last_used = *slot.last_used.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::strong_count(slot) > 1 || now - last_used < IDLE
            });
        }
    }

    /// Whether a game is in a room, or on its way there.
    pub(super) fn is_open(&self, id: GameId) -> bool {
        self.table().contains_key(&id)
    }

    /// Empties a room at once, unless somebody is in it.
    pub(super) fn leave(&self, id: GameId) {
        let mut table = self.table();
        if table.get(&id).is_some_and(|slot| Arc::strong_count(slot) == 1) {
            table.remove(&id);
        }
    }

    /// Closes the room of a game that is no more; who is in it still has what he came for.
    pub(super) fn close(&self, id: GameId) {
        self.table().remove(&id);
    }

    /// What the platform itself has taken of the turn that runs. Of a room that is not open nothing is known, nor kept.
    pub(super) fn with_delays<T: Default>(&self, id: GameId, ask: impl FnOnce(&mut Delays) -> T) -> T {
        let Some(slot) = self.table().get(&id).cloned() else { return T::default() };
        let mut delays = slot.delays.lock().unwrap_or_else(PoisonError::into_inner);
        ask(&mut delays)
    }

    /// The games of which it is not known what was written, in order.
    pub(super) fn in_doubt(&self) -> Vec<GameId> {
        let now = self.env.now();
        let is_in_doubt =
            |slot: &Slot| slot.delays.lock().unwrap_or_else(PoisonError::into_inner).is_in_doubt(now);
        let mut games: Vec<GameId> =
            self.table().iter().filter(|(_, slot)| is_in_doubt(slot)).map(|(id, _)| *id).collect();
        games.sort_unstable();
        games
    }

    /// Tells everybody who watches. A message that is lost is made up for from the log.
    pub(super) async fn publish(&self, id: GameId, message: Bytes) {
        if let Err(error) = self.live.publish(&names::events(id), message).await {
            static COMPLAINTS: Throttle = Throttle::new();
            self.heartbeat.unpublished.note();
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(game.id = %id, %error, held_back, "an event was not published; watchers read it from the log");
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, HashMap<GameId, Arc<Slot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.table().is_empty()
    }
}

impl RoomLock<'_> {
    /// The room with its game, read from its log if need be.
    async fn load(&mut self) -> Result<Room<'_>> {
        let registry = self.registry;
        if self.held.as_ref().is_none_or(Held::is_stale) {
            *self.held = None;
            let Some(game) = registry.reader.replay(self.id, u64::MAX).await?.into_game() else {
                registry.close(self.id);
                return Err(Error::UnknownGame);
            };
            registry.clocks.watch_flag(&game, registry.env.now()).await;
            registry.publish_written(&game).await?;
            *self.held = Some(Held::new(game));
        }
        self.held.as_mut().map(|held| Room::new(registry, held)).ok_or(Error::UnknownGame)
    }

    /// The same with every outage credited and nothing due: ready for a decision.
    async fn ready(&mut self, ingress: Ingress) -> Result<Room<'_>> {
        self.registry.heartbeat.ensure_current(ingress).await?;
        self.registry.presence.look_if_overdue().await;
        let mut room = self.load().await?;
        room.refresh_if_unconfirmed().await?;
        room.credit_outages().await?;
        room.do_what_is_due().await?;
        Ok(room)
    }
}
