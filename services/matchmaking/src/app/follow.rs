//! All that concerns an account, in one stream: what matchmaking knows itself, and what it hears of others.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use api::{
    federation::v1::{FollowNoticesResponse, Notice},
    game::v1::{FollowGamesResponse, OwnGame},
    rating::v1::GameChange,
};
use chassis::{
    Env,
    id::{AccountId, GameId},
    streams::{AccountStreams, StreamPlace},
};
use futures::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use tokio::time::Instant;
use tonic::{Code, Status, Streaming};

use super::{
    Tickets,
    follow_queue::QueueWatch,
    peers::{Federations, Games, Ratings},
};
use crate::{core::OwnQueue, error::Error};

/// Streams of one account at a replica: its devices, and some that nobody has closed yet.
pub(crate) const FOLLOWS_MAX: usize = 8;
/// Waits before a part is asked for again: the first, and the longest.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));
/// How long a part is waited for when it is asked.
const PATIENCE: Duration = Duration::from_secs(5);
/// When it is looked what a game has done to ratings, after its end and after each look in vain.
const RATED_AFTER: [Duration; 6] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(3),
    Duration::from_secs(15),
    Duration::from_mins(1),
    Duration::from_mins(5),
];
/// Games that are believed to be under way and named to the game service.
const NAMED_MAX: usize = 200;

/// A part of what is told that another service knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Games.
    Games,
    /// Notices.
    Notices,
}

/// Something that concerns the account.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Told {
    /// How it stands in the queue and beside it.
    Queue(Box<OwnQueue>),
    /// Games of its own, and whether all that are under way have been told of.
    Games(Vec<OwnGame>, bool),
    /// A notice.
    Notice(Box<Notice>),
    /// What a game has done to its rating.
    Rated(Box<GameChange>),
    /// What cannot be told now.
    Missing(BTreeSet<Part>),
}

/// What is told with where to go on after it.
pub(crate) struct News {
    pub told: Told,
    /// The number of the last notice.
    pub number: u64,
}

/// What comes of a part.
enum Piece {
    Told(Told),
    Lost(Part),
    Back(Part),
    Over(Error),
}

/// Everything that following needs.
#[derive(Clone)]
pub(crate) struct Follows {
    pub(crate) tickets: Arc<Tickets>,
    games: Games,
    federations: Federations,
    streams: AccountStreams,
}

impl Follows {
    /// The streams of a service.
    pub(crate) fn new(tickets: Arc<Tickets>, games: Games, federations: Federations) -> Self {
        Follows { tickets, games, federations, streams: AccountStreams::default() }
    }

    /// The time by which it is told how things stand.
    pub(crate) fn env(&self) -> &Env {
        &self.tickets.env
    }

    /// Streams all that concerns an account: notices after a number, and how the games ended that are named and over.
    ///
    /// # Errors
    /// When the account has too many streams, or the live state fails, or the process is about to stop.
    pub(crate) async fn follow(
        &self,
        account: AccountId,
        number: u64,
        named: BTreeSet<GameId>,
    ) -> Result<BoxStream<'static, Result<News, Error>>, Error> {
        if self.tickets.stop.is_cancelled() {
            return Err(Error::Stopping);
        }
        let place = self.streams.take(account, FOLLOWS_MAX).ok_or(Error::TooManyStreams)?;
        let queue = QueueWatch::new(Arc::clone(&self.tickets), account).await?;
        let games = OwnGames {
            account,
            games: self.games.clone(),
            ratings: self.tickets.ratings.clone(),
            upstream: Upstream::new(),
            known: named.into_iter().map(|game| (game.to_string(), false)).collect(),
            unrated: BTreeMap::new(),
            waiting: VecDeque::new(),
        };
        let notices =
            OwnNotices { account, federations: self.federations.clone(), upstream: Upstream::new(), number };
        let queue = stream::unfold(queue, async |mut queue| {
            let piece = match queue.next().await {
                Ok(now) => Piece::Told(Told::Queue(Box::new(now))),
                Err(error) => Piece::Over(error),
            };
            Some((piece, queue))
        });
        let games = stream::unfold(games, async |mut games| Some((games.next().await, games)));
        let notices = stream::unfold(notices, async |mut notices| Some((notices.next().await, notices)));
        let pieces = stream::select(queue.boxed(), stream::select(games.boxed(), notices.boxed()));
        let follow =
            Follow { _place: place, pieces: pieces.boxed(), number, missing: BTreeSet::new(), over: false };
        Ok(stream::unfold(follow, async |mut follow| follow.next().await.map(|news| (news, follow))).boxed())
    }
}

/// What is told, one after the other.
struct Follow {
    _place: StreamPlace,
    pieces: BoxStream<'static, Piece>,
    number: u64,
    missing: BTreeSet<Part>,
    over: bool,
}

impl Follow {
    async fn next(&mut self) -> Option<Result<News, Error>> {
        if self.over {
            return None;
        }
        loop {
            let told = match self.pieces.next().await? {
                Piece::Told(told) => told,
                Piece::Lost(part) if self.missing.insert(part) => Told::Missing(self.missing.clone()),
                Piece::Back(part) if self.missing.remove(&part) => Told::Missing(self.missing.clone()),
                Piece::Lost(_) | Piece::Back(_) => continue,
                Piece::Over(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            };
            if let Told::Notice(notice) = &told {
                self.number = notice.number;
            }
            return Some(Ok(News { told, number: self.number }));
        }
    }
}

/// A stream of another service, which is asked for again when it breaks.
struct Upstream<T> {
    stream: Option<Streaming<T>>,
    /// How often in a row it gave nothing.
    failures: u32,
    ask_at: Instant,
    /// Whether the last time that it was asked for it was not had.
    lost: bool,
}

/// What an upstream gives.
enum Given<T> {
    Message(T),
    /// It cannot be had.
    Lost(Status),
    /// It is there again.
    Back,
}

impl<T> Upstream<T> {
    fn new() -> Self {
        Upstream { stream: None, failures: 0, ask_at: Instant::now(), lost: false }
    }

    /// The next that it gives. Dropping the future loses nothing.
    async fn next<F>(&mut self, ask: impl Fn() -> F) -> Given<T>
    where
        F: Future<Output = Result<Streaming<T>, Status>>,
    {
        loop {
            let Some(stream) = &mut self.stream else {
                tokio::time::sleep_until(self.ask_at).await;
                let asked = tokio::time::timeout(PATIENCE, ask()).await;
                match asked.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer"))) {
                    Ok(stream) => {
                        self.stream = Some(stream);
                        if std::mem::take(&mut self.lost) {
                            return Given::Back;
                        }
                        continue;
                    }
                    Err(status) => {
                        self.put_off();
                        self.lost = true;
                        return Given::Lost(status);
                    }
                }
            };
            if let Ok(Some(message)) = stream.message().await {
                self.failures = 0;
                return Given::Message(message);
            }
            // Another replica may go on with it at once.
            self.stream = None;
            self.put_off();
        }
    }

    fn put_off(&mut self) {
        let (first, longest) = RETRY;
        self.ask_at = Instant::now() + first.saturating_mul(1 << self.failures.min(10)).min(longest);
        self.failures = self.failures.saturating_add(1);
    }
}

struct OwnNotices {
    account: AccountId,
    federations: Federations,
    upstream: Upstream<FollowNoticesResponse>,
    number: u64,
}

impl OwnNotices {
    async fn next(&mut self) -> Piece {
        loop {
            let Self { account, federations, upstream, number } = self;
            match upstream.next(|| federations.follow_notices(*account, *number)).await {
                Given::Message(told) => {
                    let Some(notice) = told.notice else { continue };
                    self.number = notice.number;
                    return Piece::Told(Told::Notice(Box::new(notice)));
                }
                Given::Lost(status) if status.code() == Code::OutOfRange => {
                    return Piece::Over(Error::BadCursor);
                }
                Given::Lost(_) => return Piece::Lost(Part::Notices),
                Given::Back => return Piece::Back(Part::Notices),
            }
        }
    }
}

struct OwnGames {
    account: AccountId,
    games: Games,
    ratings: Ratings,
    upstream: Upstream<FollowGamesResponse>,
    /// Those under way, as far as is known, and whether they are rated.
    known: BTreeMap<String, bool>,
    /// Games that have ended and are rated: when it is looked what came of them, and how often it was.
    unrated: BTreeMap<String, (Instant, usize)>,
    waiting: VecDeque<Told>,
}

impl OwnGames {
    async fn next(&mut self) -> Piece {
        loop {
            if let Some(told) = self.waiting.pop_front() {
                return Piece::Told(told);
            }
            let look_at = self.unrated.values().map(|(at, _)| *at).min();
            let Self { account, games, upstream, known, .. } = self;
            let named = || known.keys().take(NAMED_MAX).cloned().collect();
            tokio::select! {
                biased;
                given = upstream.next(|| games.follow(*account, named())) => match given {
                    Given::Message(FollowGamesResponse { games, caught_up }) => {
                        for game in &games {
                            self.note(game);
                        }
                        return Piece::Told(Told::Games(games, caught_up));
                    }
                    Given::Lost(_) => return Piece::Lost(Part::Games),
                    Given::Back => return Piece::Back(Part::Games),
                },
                () = sleep_until(look_at) => self.look().await,
            }
        }
    }

    /// Takes note of how a game stands.
    fn note(&mut self, game: &OwnGame) {
        let rated = match (&game.info, self.known.get(&game.game_id)) {
            (Some(info), _) => info.rated,
            (None, known) => known.copied().unwrap_or_default(),
        };
        let has_ended = game.state.as_ref().is_some_and(|state| state.outcome.is_some());
        if !has_ended {
            self.known.insert(game.game_id.clone(), rated);
            return;
        }
        self.known.remove(&game.game_id);
        if rated {
            self.unrated.insert(game.game_id.clone(), (Instant::now() + RATED_AFTER[0], 1));
        }
    }

    /// Looks what games have done to ratings.
    async fn look(&mut self) {
        let now = Instant::now();
        let due = self.unrated.iter().filter(|(_, (at, _))| *at <= now).map(|(game, _)| game.clone());
        let due: Vec<String> = due.take(Ratings::CHANGES_MAX).collect();
        // What is not told now is asked for again.
        let found = self.ratings.changes(due.clone()).await.unwrap_or_default();
        for game in due {
            let is_own = |it: &&GameChange| {
                it.account_id == self.account.to_string()
                    && it.change.as_ref().is_some_and(|change| change.game_id == game)
            };
            if let Some(change) = found.iter().find(is_own) {
                self.waiting.push_back(Told::Rated(Box::new(change.clone())));
                self.unrated.remove(&game);
            } else if let Some((at, looks)) = self.unrated.get_mut(&game) {
                match RATED_AFTER.get(*looks) {
                    Some(after) => (*at, *looks) = (Instant::now() + *after, *looks + 1),
                    None => drop(self.unrated.remove(&game)),
                }
            }
        }
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
