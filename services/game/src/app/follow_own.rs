//! The stream of how an account's own games stand.
//!
//! What is published may be lost. So the games under way are read at first, and now and then; the latest of them are heard of
//! meanwhile. What a game publishes says the whole of how it stands: the last word of each is enough.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use api::game::v1 as pb;
use chassis::{
    follow::{Follower, Heard},
    id::{AccountId, GameId},
    limit::{Amount, Limit},
    streams::{AccountStreams, StreamPlace},
};
use futures::{
    StreamExt as _,
    future::BoxFuture,
    stream::{self, BoxStream, FuturesUnordered},
};
use live::LiveError;
use prost::Message as _;
use rules::Side;
use tokio::{sync::Semaphore, time::Instant};
use tonic::Status;

use super::{App, views::Listed};
use crate::{
    error::{Error, Result},
    store::{lists, names},
    wire::{StateAt, own_game},
};

/// Streams of one account at a replica: its devices, and some that nobody has closed yet.
const STREAMS_MAX: usize = 8;

/// The limits of such streams.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        name: "streams of an account's own games at a server",
        amount: Amount::Count(STREAMS_MAX as u64),
        setting: None,
        reason: "a person's devices",
    },
    Limit {
        name: "games under way of which such a stream tells",
        amount: Amount::Count(UNDER_WAY_MAX),
        setting: None,
        reason: "the latest; more than anybody plays at once",
    },
];

/// Games under way that are told of, the latest; nobody plays more.
const UNDER_WAY_MAX: u64 = 500;
/// Those of them that are heard of, each by a topic of its own.
const FOLLOWED_MAX: usize = 64;
/// Games of one answer.
const TOLD_AT_ONCE: usize = 50;
/// How often the games are read while everything that is published is believed to arrive.
const LOOK: Duration = Duration::from_secs(30);
/// The same while it is known that not everything does.
const LOOK_UNFOLLOWED: Duration = Duration::from_secs(2);
/// Streams that read at once, so that thousands which missed something at the same time leave the database to others.
const READS_AT_ONCE: usize = 4;

/// The streams of a replica.
pub(crate) struct OwnStreams {
    places: AccountStreams,
    reads: Semaphore,
}

impl Default for OwnStreams {
    fn default() -> Self {
        OwnStreams { places: AccountStreams::default(), reads: Semaphore::new(READS_AT_ONCE) }
    }
}

/// What a game's topic brings, and the topic, to go on with.
type Listening = BoxFuture<'static, (GameId, Follower, Result<Heard, LiveError>)>;

struct OwnGames {
    app: Arc<App>,
    account: AccountId,
    _place: Option<StreamPlace>,
    /// Tells of games that begin.
    begun: Follower,
    /// Those under way, as they were told.
    games: BTreeMap<GameId, Known>,
    heard: FuturesUnordered<Listening>,
    untold: VecDeque<pb::OwnGame>,
    /// Games that may be over already, of which it is told once.
    named: BTreeSet<GameId>,
    look_at: Instant,
    greeted: bool,
    over: bool,
}

/// A game under way.
struct Known {
    /// The seat of the account, as it was given.
    seat: Side,
    /// The last event of which it was told.
    sequence: u64,
    followed: bool,
}

impl App {
    /// A place for one more stream of an account.
    ///
    /// # Errors
    /// When it has too many.
    pub(crate) fn own_stream(&self, account: AccountId) -> Result<StreamPlace> {
        self.own_streams.places.take(account, STREAMS_MAX).ok_or(Error::TooManyStreams)
    }
}

/// Streams how the games of an account stand, and how those of these ended that are over; in a place, unless a service asks, which
/// counts those that it asks for.
///
/// # Errors
/// When the live state fails.
pub(crate) async fn watch(
    app: Arc<App>,
    account: AccountId,
    named: BTreeSet<GameId>,
    place: Option<StreamPlace>,
) -> Result<BoxStream<'static, Result<pb::WatchOwnGamesResponse, Status>>> {
    let (live, stop) = (Arc::clone(&app.registry.live), app.registry.lifecycle.stopping());
    let begun = Follower::new(live, names::games_of_account(account), stop).await?;
    let readers = Arc::clone(&app.readers);
    let own = OwnGames {
        app,
        account,
        _place: place,
        begun,
        games: BTreeMap::new(),
        heard: FuturesUnordered::new(),
        untold: VecDeque::new(),
        named,
        look_at: Instant::now(),
        greeted: false,
        over: false,
    };
    let told = stream::unfold(own, async |mut own| {
        if own.over {
            return None;
        }
        let next = own.next().await;
        own.over = next.is_err();
        Some((next.map_err(Status::from), own))
    });
    // It goes on from nothing: there is no number to go on after.
    Ok(readers.follow(told, Arc::new(AtomicU64::default())))
}

impl OwnGames {
    async fn next(&mut self) -> Result<pb::WatchOwnGamesResponse> {
        loop {
            if self.look_at <= Instant::now() {
                self.look().await?;
            }
            if !self.untold.is_empty() || !self.greeted {
                let count = self.untold.len().min(TOLD_AT_ONCE);
                let games = self.untold.drain(..count).collect();
                self.greeted = self.untold.is_empty();
                let caught_up = self.greeted;
                return Ok(pb::WatchOwnGamesResponse { games, caught_up, ..Default::default() });
            }
            self.listen().await?;
        }
    }

    /// Waits until something is heard, or it is time to look.
    async fn listen(&mut self) -> Result<()> {
        let patience = self.look_at.saturating_duration_since(Instant::now());
        tokio::select! {
            biased;
            heard = self.begun.next(patience) => self.note(&heard?),
            Some((game, topic, heard)) = self.heard.next(), if !self.heard.is_empty() => {
                let heard = heard?;
                self.hear(game, &heard);
                self.note_gap(&heard);
                if self.games.contains_key(&game) {
                    self.heard.push(next_of(game, topic));
                }
                stops(&heard)
            }
        }
    }

    /// A game has begun, or nobody knows.
    fn note(&mut self, heard: &Heard) -> Result<()> {
        if let Heard::Message(_) = heard {
            self.look_at = Instant::now();
        }
        self.note_gap(heard);
        stops(heard)
    }

    fn note_gap(&mut self, heard: &Heard) {
        match heard {
            Heard::Gap => self.look_at = Instant::now(),
            Heard::Unfollowed => self.look_at = self.look_at.min(Instant::now() + LOOK_UNFOLLOWED),
            Heard::Message(_) | Heard::Silence | Heard::Stopping => {}
        }
    }

    /// What a game says of itself.
    fn hear(&mut self, game: GameId, heard: &Heard) {
        let (Some(known), Heard::Message(message)) = (self.games.get(&game), heard) else { return };
        if known.sequence == 0 {
            // It has not been read yet.
            self.look_at = Instant::now();
            return;
        }
        let Ok(event) = pb::GameEvent::decode(message.clone()) else { return };
        let Some(state) = event.state.filter(|_| event.sequence > known.sequence) else { return };
        self.tell(game, known.seat, event.sequence, own_game(game, known.seat, state, event.time));
    }

    /// Reads the games under way, and begins to follow those that are new.
    async fn look(&mut self) -> Result<()> {
        let app = Arc::clone(&self.app);
        let turn = app.own_streams.reads.acquire().await.map_err(|_| Error::Stopping)?;
        let on = app.registry.database.read();
        let mut games = lists::under_way_of(on, self.account, UNDER_WAY_MAX).await?;
        // First, so that what happens from now on is heard.
        self.follow(&games).await?;
        let mut others = std::mem::take(&mut self.named);
        others.extend(self.games.keys());
        games.extend(others.into_iter().filter(|game| !games.contains(game)).collect::<Vec<_>>());
        for header in app.queries.headers(&games).await? {
            self.look_at_game(&header);
        }
        drop(turn);
        self.look_at = Instant::now() + self.patience();
        Ok(())
    }

    async fn follow(&mut self, games: &[GameId]) -> Result<()> {
        for game in games {
            let followed = self.games.values().filter(|known| known.followed).count();
            if followed >= FOLLOWED_MAX {
                break;
            }
            if self.games.get(game).is_some_and(|known| known.followed) {
                continue;
            }
            let registry = &self.app.registry;
            let (live, stop) = (Arc::clone(&registry.live), registry.lifecycle.stopping());
            let topic = Follower::new(live, names::events(*game), stop).await?;
            self.heard.push(next_of(*game, topic));
            // The seat is known when the game is read.
            let known = self.games.entry(*game);
            known.or_insert(Known { seat: Side::First, sequence: 0, followed: true }).followed = true;
        }
        Ok(())
    }

    fn look_at_game(&mut self, game: &Listed) {
        let (id, account) = (game.info.id, self.account);
        let seats = &game.info.seats;
        let Some(seat) = Side::BOTH.into_iter().find(|side| seats[side.index()].account == Some(account))
        else {
            return;
        };
        let told = self.games.get(&id).map(|known| known.sequence).filter(|told| *told > 0);
        if told.is_some_and(|told| told >= game.sequence) {
            return;
        }
        let state = StateAt(game.sequence, &game.state).into();
        let own = own_game(id, seat, state, Some(api::time::timestamp(game.updated)));
        let info = told.is_none().then(|| (&game.info).into());
        self.tell(id, seat, game.sequence, pb::OwnGame { info, ..own });
    }

    /// Has a game told as it stands now; what was to be told of it before is not said any more.
    fn tell(&mut self, game: GameId, seat: Side, sequence: u64, mut own: pb::OwnGame) {
        if own.state.as_ref().is_some_and(|state| state.outcome.is_some()) {
            self.games.remove(&game);
        } else {
            let followed = self.games.get(&game).is_some_and(|known| known.followed);
            self.games.insert(game, Known { seat, sequence, followed });
        }
        if let Some(at) = self.untold.iter().position(|untold| untold.game_id == own.game_id) {
            let before = self.untold.remove(at);
            own.info = own.info.or_else(|| before.and_then(|before| before.info));
        }
        self.untold.push_back(own);
    }

    /// How long what is published is trusted.
    fn patience(&self) -> Duration {
        if self.app.registry.everything_arrives(&self.begun) { LOOK } else { LOOK_UNFOLLOWED }
    }
}

const fn stops(heard: &Heard) -> Result<()> {
    if matches!(heard, Heard::Stopping) { Err(Error::Stopping) } else { Ok(()) }
}

fn next_of(game: GameId, mut topic: Follower) -> Listening {
    Box::pin(async move {
        let heard = topic.next(LOOK).await;
        (game, topic, heard)
    })
}
