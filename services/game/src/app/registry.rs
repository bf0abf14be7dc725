//! Where the games of a replica are kept while they are used, and what is needed in each.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use chassis::{Database, Env, Lifecycle, Throttle, follow::Follower, id::GameId};
use futures::future::join_all;
use live::Live;
use prost::Message as _;
use time::OffsetDateTime;
use tokio::sync::Mutex as AsyncMutex;

use super::{
    availability::Heartbeat, clocks::Clocks, delays::Delays, maintenance::Planned, measure::Measures,
    presence::PresenceTracker, sealing::SealingKeyring,
};
use crate::{
    core::Game,
    error::{Error, Result},
    store::{Journal, names},
    wire::seen,
};

/// A room that nobody entered for this long is emptied.
const IDLE: time::Duration = time::Duration::minutes(10);
/// How often idle rooms are looked for.
pub(crate) const SWEEP: Duration = Duration::from_mins(1);
/// How often a decision is taken again because another replica was faster.
pub(super) const ATTEMPTS: u32 = 8;

/// All rooms of a replica, and what is needed in each.
pub(crate) struct Registry {
    pub env: Env,
    pub database: Database,
    pub live: Arc<dyn Live>,
    pub lifecycle: Lifecycle,
    pub journal: Journal,
    pub clocks: Clocks,
    pub heartbeat: Arc<Heartbeat>,
    pub presence: Arc<PresenceTracker>,
    pub keyring: SealingKeyring,
    pub maintenance: Planned,
    pub measures: Measures,
    open: Mutex<HashMap<GameId, Arc<Slot>>>,
}

/// What a room holds of its game.
pub(super) struct Held {
    pub game: Game,
    /// Whether it is to be read anew: of an event it is not known whether it was written.
    pub is_stale: bool,
}

/// The place of a game, and the lock under which it changes.
pub(crate) struct Slot {
    pub(super) held: Arc<AsyncMutex<Option<Held>>>,
    last_used: Mutex<OffsetDateTime>,
    delays: Mutex<Delays>,
}

impl Registry {
    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own, and it is called once")]
    pub(crate) fn new(
        env: Env,
        database: Database,
        live: Arc<dyn Live>,
        lifecycle: Lifecycle,
        journal: Journal,
        clocks: Clocks,
        heartbeat: Arc<Heartbeat>,
        keyring: SealingKeyring,
    ) -> Self {
        let presence = Arc::new(PresenceTracker::new(env.clone(), Arc::clone(&live)));
        let maintenance = Planned::new(env.clone());
        let (measures, open) = (Measures::new(lifecycle.metrics()), Mutex::default());
        Registry {
            env,
            database,
            live,
            lifecycle,
            journal,
            clocks,
            heartbeat,
            presence,
            keyring,
            maintenance,
            measures,
            open,
        }
    }

    /// Does something to its end even if the caller goes away: what is written is also told.
    pub(super) fn to_its_end<T, W>(&self, work: W) -> impl Future<Output = Result<T>> + Send + use<T, W>
    where
        T: Send + 'static,
        W: Future<Output = Result<T>> + Send + 'static,
    {
        // On the heap at once: it is large, and would be moved on its way to the task by everybody who hands it on.
        let done = self.lifecycle.run_detached(Box::pin(work));
        async move { done.await.map_err(|_| Error::Contended)? }
    }

    pub(super) fn slot(&self, id: GameId) -> Arc<Slot> {
        let now = self.env.now();
        let mut table = self.table();
        let slot = table.entry(id).or_insert_with(|| {
            let (held, delays) = (Arc::default(), Mutex::default());
            Arc::new(Slot { held, last_used: Mutex::new(now), delays })
        });
        *slot.last_used.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Arc::clone(slot)
    }

    /// Empties idle rooms.
    pub(crate) fn sweep(&self) {
        let now = self.env.now();
        self.table().retain(|_, slot| {
            let last_used = *slot.last_used.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::strong_count(slot) > 1 || now - last_used < IDLE
        });
    }

    /// How many rooms there are.
    pub(super) fn rooms(&self) -> usize {
        self.table().len()
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

    /// Tells everybody who watches a game what has happened, and whoever looks after the games of its event how it stands.
    pub(super) async fn tell(&self, game: &Game, message: Bytes) {
        tokio::join!(self.publish(game.info.id, message), self.show(game));
    }

    /// Tells whoever looks after the games of an event how one of them stands.
    pub(super) async fn show(&self, game: &Game) {
        let Some(event) = game.info.regulations.event else { return };
        let seen = seen(game.info.id, game.sequence, game.updated, &game.state);
        let told = self.live.publish(&names::games_of(event), seen.encode_to_vec().into()).await;
        if told.is_err() {
            self.heartbeat.unpublished.note();
        }
    }

    /// Whether all that replicas publish reaches who follows a topic, as far as anybody knows.
    pub(super) fn everything_arrives(&self, topic: &Follower) -> bool {
        topic.is_followed() && !self.heartbeat.unpublished.is_any()
    }

    /// Tells those who play a game that it has begun.
    pub(super) async fn announce(&self, game: &Game) {
        let accounts = game.info.seats.iter().filter_map(|seat| seat.account);
        let told = accounts.map(|account| async move {
            self.live.publish(&names::games_of_account(account), Bytes::new()).await
        });
        if join_all(told).await.iter().any(Result::is_err) {
            self.heartbeat.unpublished.note();
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

impl Held {
    pub(super) const fn new(game: Game) -> Self {
        Held { game, is_stale: false }
    }
}
