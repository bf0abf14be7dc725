//! The rooms: a running game each, kept in memory while it is used, rebuilt from its log when it is not.
//!
//! A room's lock makes the commands of one game take turns within a replica. Between replicas nothing is
//! locked: the log takes an event number once, and who comes second reads what the first one wrote and
//! decides again.

use std::{ops::ControlFlow, sync::Arc};

use chassis::id::GameId;
use tokio::sync::OwnedMutexGuard;

use super::{
    availability::Ingress,
    registry::{ATTEMPTS, Held, Registry, Slot},
    room::Room,
};
use crate::{
    core::Game,
    error::{Error, Result},
    store::log,
};

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
        tokio::join!(self.show(&game), self.announce(&game));
        *lock.held = Some(Held::new(game));
        Ok(lock.ready(Ingress::Internal).await?.clone())
    }

    async fn lock(&self, id: GameId) -> RoomLock<'_> {
        let slot = self.slot(id);
        let held = Arc::clone(&slot.held).lock_owned().await;
        RoomLock { registry: self, id, held, _slot: slot }
    }
}

impl RoomLock<'_> {
    /// The room with its game, read from its log if need be.
    async fn load(&mut self) -> Result<Room<'_>> {
        let registry = self.registry;
        if self.held.as_ref().is_none_or(|held| held.is_stale) {
            *self.held = None;
            let Some(game) = log::replay(registry.database.read(), self.id, u64::MAX).await?.into_game()
            else {
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
        room.keep_maintenance().await?;
        room.do_what_is_due().await?;
        Ok(room)
    }
}
