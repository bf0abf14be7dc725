//! Who is at which game through this replica, and its word for them in the live state.
//!
//! Every watched stream holds a [`Here`]. While it does, the replica says every few seconds that its holder is
//! there; when the last one of a holder goes, it takes its word back. Of each player of a game at which somebody
//! has to be there lies a deadline in the live state besides, put off by every sign of life: when it is due, the
//! player has not been seen, whichever replicas have died meanwhile.
//!
//! Nothing here is the only copy of anything: what is lost comes back with the next heartbeat.

mod lag;
mod liveness;
pub(crate) mod players;
mod spectator_count;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chassis::{
    Env,
    id::{AccountId, GameId},
};
use live::{Live, LiveError};
use rules::Side;
use time::OffsetDateTime;
use tokio::sync::{Mutex as AsyncMutex, Notify};
use uuid::Uuid;

use crate::{core::presence::SEEN_FOR, store::names};
use lag::Lags;
pub(crate) use liveness::{LivenessSignal, absent_since, live_moment};
pub(crate) use spectator_count::SpectatorCount;

/// How often this replica says who is there.
const HEARTBEAT: time::Duration = time::Duration::seconds(5);
/// Calls of players that are remembered, before the old ones are forgotten.
const HEARD_MAX: usize = 10_000;
/// A replica that is entered this long after a heartbeat was due gives it first.
const OVERDUE: time::Duration = time::Duration::seconds(2);

/// Who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Participant {
    /// A player of the game; whether he is expected to be there.
    Player(Side, AccountId, bool),
    /// Somebody else with an account, who counts once however many streams he has.
    Spectator(Uuid),
    /// A stream without an account. It is told how many watch and is not counted: anybody can open a thousand.
    Nobody(Uuid),
}

/// Everybody who is here.
pub(crate) struct PresenceTracker {
    env: Env,
    live: Arc<dyn Live>,
    /// As whom this replica gives its word.
    witness: Uuid,
    games: Mutex<BTreeMap<GameId, GamePresence>>,
    /// When a call of a player was last counted as a sign of life.
    heard: Mutex<BTreeMap<(GameId, usize), OffsetDateTime>>,
    /// When the last heartbeat was.
    last_heartbeat: AsyncMutex<OffsetDateTime>,
    /// Rung when somebody has come or gone.
    pub(crate) changed: Arc<Notify>,
}

/// Those who are at one game.
#[derive(Default)]
struct GamePresence {
    streams: BTreeMap<Participant, u32>,
    /// Who has come since the last look; the live state does not know yet.
    joined: BTreeSet<Participant>,
    /// Who has gone since then, and when.
    left: BTreeMap<Participant, OffsetDateTime>,
    audience: Arc<SpectatorCount>,
    lags: [Lags; 2],
}

/// Somebody is here for as long as this lives.
pub(crate) struct PresenceGuard {
    presence: Arc<PresenceTracker>,
    game: GameId,
    who: Participant,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        self.presence.leave(self.game, self.who);
    }
}

impl PresenceTracker {
    pub(crate) fn new(env: Env, live: Arc<dyn Live>) -> Self {
        let (witness, now) = (env.uuid(), env.now());
        PresenceTracker {
            env,
            live,
            witness,
            games: Mutex::default(),
            heard: Mutex::default(),
            last_heartbeat: AsyncMutex::new(now),
            changed: Arc::default(),
        }
    }

    /// Somebody comes; with how many watch, from now on.
    pub(crate) fn join(
        self: &Arc<Self>,
        game: GameId,
        who: Participant,
    ) -> (PresenceGuard, Arc<SpectatorCount>) {
        let mut games = self.games();
        let present = games.entry(game).or_default();
        let streams = present.streams.entry(who).or_default();
        *streams += 1;
        if *streams == 1 && present.left.remove(&who).is_none() {
            present.joined.insert(who);
        }
        let audience = Arc::clone(&present.audience);
        drop(games);
        self.changed.notify_one();
        (PresenceGuard { presence: Arc::clone(self), game, who }, audience)
    }

    /// How many are here of each kind, over all games: each once a game, but for those without an account.
    pub(crate) fn watchers(&self) -> [(&'static str, u64); 3] {
        let mut watchers = [("player", 0), ("member", 0), ("guest", 0)];
        for who in self.games().values().flat_map(|present| present.streams.keys()) {
            let kind = match who {
                Participant::Player(..) => 0,
                Participant::Spectator(_) => 1,
                Participant::Nobody(_) => 2,
            };
            watchers[kind].1 += 1;
        }
        watchers
    }

    /// How many watch a game besides its players, whoever serves them.
    ///
    /// # Errors
    /// When the live state does not answer.
    pub(crate) async fn audience(&self, game: GameId) -> Result<u32, LiveError> {
        self.live.count_present(&names::audience(game), live_moment(self.env.now())).await
    }

    /// Tells the live state who has come and gone, and when it is time who is still there.
    pub(crate) async fn look(&self) {
        let mut last_heartbeat = self.last_heartbeat.lock().await;
        let now = self.env.now();
        let heartbeat = now - *last_heartbeat >= HEARTBEAT || now < *last_heartbeat;
        if heartbeat {
            *last_heartbeat = now;
        }
        for update in self.updates(heartbeat) {
            if let Err(error) = self.publish(&update, now).await {
                tracing::warn!(game.id = %update.game, %error, "who is there was not said; it will be again");
                if matches!(error, LiveError::Unavailable(_)) {
                    // It would be the same with the others, each after a while.
                    return;
                }
            }
        }
    }

    /// The same if it should have been done long ago: when time flies, or the task that does it is stuck.
    pub(crate) async fn look_if_overdue(&self) {
        let overdue = match self.last_heartbeat.try_lock() {
            Ok(last_heartbeat) => self.env.now() - *last_heartbeat >= HEARTBEAT + OVERDUE,
            Err(_) => false,
        };
        if overdue {
            self.look().await;
        }
    }

    /// What there is to be said, game by game. What has gone wrong once is made up for by the next heartbeat, so
    /// it is forgotten here.
    fn updates(&self, heartbeat: bool) -> Vec<PresenceUpdate> {
        let mut games = self.games();
        let mut updates = Vec::new();
        for (game, present) in games.iter_mut() {
            let joined = std::mem::take(&mut present.joined);
            let left: Vec<_> = std::mem::take(&mut present.left).into_iter().collect();
            if heartbeat || !joined.is_empty() || !left.is_empty() {
                let present: Vec<Participant> = if heartbeat {
                    present.streams.keys().copied().collect()
                } else {
                    joined.into_iter().collect()
                };
                updates.push(PresenceUpdate { game: *game, present, left });
            }
        }
        games.retain(|_, present| !present.streams.is_empty());
        updates
    }

    async fn publish(&self, update: &PresenceUpdate, now: OffsetDateTime) -> Result<(), LiveError> {
        let (at, until) = (live_moment(now), live_moment(now + SEEN_FOR));
        let spectators = names::audience(update.game);
        let members: Vec<Uuid> = update.present.iter().filter_map(|who| who.spectator()).collect();
        for members in members.chunks(live::limits::PRESENT_MAX) {
            match self.live.renew_presence(&spectators, self.witness, members, at, until).await {
                // The crowd is larger than it is counted.
                Ok(()) | Err(LiveError::Full { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        for who in &update.present {
            if let Participant::Player(side, account, expected) = *who {
                let place = names::players(update.game);
                self.live.renew_presence(&place, self.witness, &[account.uuid()], at, until).await?;
                if expected {
                    self.signal(update.game, side, LivenessSignal::Alive(now)).await?;
                }
            }
        }
        for (who, left) in &update.left {
            match *who {
                Participant::Spectator(member) => {
                    self.live.end_presence(&spectators, self.witness, member).await?;
                }
                Participant::Nobody(_) => {}
                Participant::Player(side, account, expected) => {
                    self.live
                        .end_presence(&names::players(update.game), self.witness, account.uuid())
                        .await?;
                    if expected {
                        self.signal(update.game, side, LivenessSignal::Gone(*left)).await?;
                    }
                }
            }
        }
        let count = self.live.count_present(&spectators, at).await?;
        if let Some(present) = self.games().get(&update.game) {
            present.audience.set(count);
        }
        Ok(())
    }

    fn leave(&self, game: GameId, who: Participant) {
        let now = self.env.now();
        let mut games = self.games();
        let Some(present) = games.get_mut(&game) else { return };
        let Some(streams) = present.streams.get_mut(&who) else { return };
        *streams -= 1;
        if *streams == 0 {
            present.streams.remove(&who);
            present.joined.remove(&who);
            present.left.insert(who, now);
        }
        drop(games);
        self.changed.notify_one();
    }

    /// A player has called: when he was last known to be there before it, if that is so lately that the call need not
    /// be told of.
    pub(crate) fn heard(&self, game: GameId, side: Side) -> Option<OffsetDateTime> {
        let now = self.env.now();
        let watches = |present: &GamePresence| {
            present
                .streams
                .keys()
                .any(|who| matches!(who, Participant::Player(player, ..) if *player == side))
        };
        if self.games().get(&game).is_some_and(watches) {
            return Some(now);
        }
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |at: &OffsetDateTime| *at <= now && now - *at < HEARTBEAT;
        if let Some(at) = heard.get(&(game, side.index())).copied().filter(is_recent) {
            return Some(at);
        }
        if heard.len() >= HEARD_MAX {
            heard.retain(|_, at| is_recent(at));
            if heard.len() >= HEARD_MAX {
                // It is told once more than it need be.
                heard.clear();
            }
        }
        heard.insert((game, side.index()), now);
        None
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<GameId, GamePresence>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is to be said about one game.
struct PresenceUpdate {
    game: GameId,
    present: Vec<Participant>,
    left: Vec<(Participant, OffsetDateTime)>,
}

impl Participant {
    const fn spectator(self) -> Option<Uuid> {
        match self {
            Participant::Spectator(member) => Some(member),
            Participant::Player(..) | Participant::Nobody(_) => None,
        }
    }
}
