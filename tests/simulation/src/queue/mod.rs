//! A queue of players: they ask for games, hold on to their tickets through whatever breaks, take them back, go away
//! without a word, do not come to what they were matched for; and play the games that come of it. Others ask each other for
//! games beside it.
//!
//! What each of them was told is written down, to be held to what matchmaking and the game service know.

mod asked;
mod check;
mod check_asked;
mod company;
mod crowd;
mod fate;
mod follower;
mod seeker;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy, with_retry},
    game::v1::{Game, GetGameRequest, game_service_client::GameServiceClient},
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
    transport::Transport,
};
use chassis::{auth::Caller, testing::player};
use rules::Variant;
use tokio::{task::JoinSet, time::Instant};

use asked::Board;
pub(crate) use check::check;
use company::Guest;
use fate::Fates;
use follower::{Followed, Seen};
use seeker::{Habits, Seeker};

use crate::{
    history::History,
    network::Face,
    rng::Rng,
    run::Playing,
    table::{Table, short_control, short_games},
    topology::{End, Service},
    world::World,
};

/// Which runs have a queue.
const SHARE: f64 = 0.25;
/// Who queues: at least and at most.
const SEEKERS: (usize, usize) = (4, 10);
/// Who asks others for games: at least and at most.
const COMPANY: (usize, usize) = (3, 5);
/// What somebody may ask for in a run. With two a pool is seldom empty, with six each has his own.
const GAMES: (usize, usize) = (2, 6);
/// A game that is offered first, because it is long.
const OFFERED: &str = "1h";
/// How fast rated games are.
const RATED: &str = "3m+1s";
/// How long somebody asks for a game that he was told of.
const SEEN_WITHIN: Duration = Duration::from_mins(10);
/// How long an arranged game takes to begin when nothing is wrong: it is looked every second.
const BEGUN_WITHIN: Duration = Duration::from_secs(15);
/// How often it is looked whether nothing is wrong any more.
const LOOK: Duration = Duration::from_secs(1);
/// How long a ticket lives at most that nobody holds, and until it is swept out: who has accepted an offer and gone waits again,
/// for a whole hold, when the offer is over.
const LAPSED: Duration = Duration::from_secs(75);
/// How long two who want the same game wait for each other when nothing is wrong, and everybody else has gone: until who died is
/// held for dead, and a pass.
const MATCHED_WITHIN: Duration = Duration::from_secs(15);

/// Who queues in a run, and for what.
#[derive(Debug)]
pub(crate) struct Queue {
    world: Arc<World>,
    history: Arc<History>,
    playing: Arc<Playing>,
    /// Those who queue under trouble, two who come when it is over, and those who ask others.
    seekers: Vec<Caller>,
    /// How many queue under trouble.
    regulars: usize,
    games: Vec<GameSettings>,
    fates: Fates,
    board: Board,
    /// What those know by following who ask others, in their order.
    followed: Vec<Arc<Followed>>,
    /// What somebody knows who looks at the lobby.
    seen: Arc<Seen>,
    /// Whether it is of those who come once each, and do not play.
    is_crowd: bool,
}

/// Whether the run of a seed has a queue.
pub(crate) fn is_held(seed: u64) -> bool {
    Rng::new(seed, "whether there is a queue").chance(SHARE)
}

impl Queue {
    /// The queue of a run.
    pub(crate) fn new(world: &Arc<World>, history: &Arc<History>, playing: &Arc<Playing>) -> Arc<Self> {
        let rng = world.rng("queue");
        let between = |(least, most): (usize, usize)| least + rng.below(most - least + 1);
        let (regulars, company) = (between(SEEKERS), between(COMPANY));
        let name = |number| player(&world.env, &format!("seeker {number}"));
        Arc::new(Queue {
            regulars,
            seekers: (0..regulars + 2 + company).map(name).collect(),
            followed: (0..company).map(|_| Arc::default()).collect(),
            ..Queue::of(world, history, playing, games(&rng))
        })
    }

    /// One to which nobody comes.
    fn of(
        world: &Arc<World>,
        history: &Arc<History>,
        playing: &Arc<Playing>,
        games: Vec<GameSettings>,
    ) -> Self {
        Queue {
            world: Arc::clone(world),
            history: Arc::clone(history),
            playing: Arc::clone(playing),
            seekers: Vec::new(),
            regulars: 0,
            games,
            fates: Fates::default(),
            board: Board::default(),
            followed: Vec::new(),
            seen: Arc::default(),
            is_crowd: false,
        }
    }

    /// Everybody queues, asks others and plays until then.
    pub(crate) async fn run(self: Arc<Self>, until: Instant) {
        let mut seekers = JoinSet::new();
        for number in 0..self.regulars {
            let seeker = Seeker::new(&self, number, Habits::OF_TROUBLE);
            seekers.spawn(async move { seeker.seek(until).await });
        }
        // Those who only listen do until the run is over.
        tokio::spawn(Arc::clone(&self.seen).look_on(Arc::clone(&self)));
        for (number, followed) in self.company() {
            tokio::spawn(Arc::clone(followed).follow(Arc::clone(&self), self.seekers[number].clone()));
            let guest = Guest::new(&self, number, Arc::clone(followed));
            seekers.spawn(async move { guest.mingle(until).await });
        }
        while let Some(ended) = seekers.join_next().await {
            if let Err(error) = ended {
                self.world.trace.fault(format!("who queues panicked: {error}"));
            }
        }
    }

    /// Those who ask others, by their numbers, and what they know.
    fn company(&self) -> impl Iterator<Item = (usize, &Arc<Followed>)> {
        (self.regulars + 2..).zip(&self.followed)
    }

    /// The table of a game, whose play has begun by then.
    async fn table(&self, game: &str, way: Transport) -> Option<Table> {
        self.begin(&self.look(game, way).await?)
    }

    /// A game as somebody sees it.
    async fn look(&self, game: &str, way: Transport) -> Option<Game> {
        let games = GameServiceClient::new(way).max_decoding_message_size(ANSWER_BYTES_MAX);
        let request = GetGameRequest { game_id: game.to_owned() };
        let look = || async { games.clone().get_game(request.clone()).await };
        with_retry(RetryPolicy(SEEN_WITHIN), look).await.ok()?.game
    }

    /// The table of a game that somebody has seen; from now on it is held to what games are held to.
    fn begin(&self, game: &Game) -> Option<Table> {
        let table = Table::seen(game, &self.seekers, None)?;
        if !self.playing.has(&table.id) {
            self.playing.begin(&self.world, &self.history, &table);
        }
        Some(table)
    }

    /// How many games came of the queue.
    pub(crate) fn matched(&self) -> usize {
        check::rows(self).map_or(0, |rows| rows.len())
    }

    /// The games of a crowd, to which nobody has come.
    pub(crate) fn unplayed(&self) -> BTreeSet<String> {
        let rows = if self.is_crowd { check::rows(self).unwrap_or_default() } else { Vec::new() };
        rows.into_iter().map(|row| row.game).collect()
    }

    /// All games that came of the queue are held to what games are held to, those also to which nobody has come. Of a crowd they are
    /// too many.
    pub(crate) async fn attend(&self) {
        if self.is_crowd {
            return;
        }
        let begin = self.board.known().asked.iter().filter_map(|asked| asked.starts).max();
        if let Some(begin) = begin {
            tokio::time::sleep_until(begin + BEGUN_WITHIN).await;
        }
        let way = self.world.network.transport(End::Outside, Service::Game, Face::Public);
        for row in check::rows(self).unwrap_or_default() {
            let seen = self.look(&row.game, way.clone()).await;
            let Some(game) = seen.filter(|game| self.begin(game).is_some()) else {
                self.world.trace.fault(format!("game {} was made and cannot be seen", row.game));
                continue;
            };
            // There has been no trouble for longer than it takes to hear of a game by looking alone.
            let is_under_way = game.state.is_some_and(|state| state.outcome.is_none());
            for (number, followed) in self.company().filter(|_| is_under_way) {
                let caller = &self.seekers[number];
                if row.accounts.contains(&caller.id.to_string()) && !followed.has(&row.game) {
                    let name = &caller.name;
                    self.world.trace.fault(format!("{name} follows and has not heard of game {}", row.game));
                }
            }
        }
    }

    /// Nothing is wrong any more: two who want the same are matched soon.
    pub(crate) async fn two_more(self: &Arc<Self>) {
        while !self.world.is_calm() {
            tokio::time::sleep(LOOK).await;
        }
        tokio::time::sleep(LAPSED).await;
        let asked = &self.games[..1];
        let last = self.regulars;
        let [one, other] = [last, last + 1].map(|number| Seeker::new(self, number, Habits::OF_CALM));
        let found = async { futures::join!(one.find(asked, None), other.find(asked, None)) };
        match tokio::time::timeout(MATCHED_WITHIN, found).await {
            Ok((Some(game), Some(same))) if game == same => {
                let until = Instant::now();
                futures::join!(one.play(game, until), other.play(same, until));
            }
            found => self.world.trace.fault(format!("two who want the same are not matched: {found:?}")),
        }
    }
}

/// What is asked for in a run: short games, one that is rated, now and then a long one.
fn games(rng: &Rng) -> Vec<GameSettings> {
    let shorts = short_games();
    let count = GAMES.0 + rng.below(GAMES.1 - GAMES.0 + 1);
    let of = |number: usize| {
        let rated = number == 0 && rng.chance(0.7);
        let (variant, options) = if rated {
            (rules::variant("go").expect("go"), &[("size", "9")][..])
        } else {
            *rng.pick(&shorts)
        };
        let control: TimeControl = if rated {
            RATED.parse().expect("a time control")
        } else if number == 1 && rng.chance(0.5) {
            OFFERED.parse().expect("a time control")
        } else {
            short_control(variant, rng)
        };
        GameSettings { rated, ..casual(variant, options, control) }
    };
    let mut games: Vec<GameSettings> = Vec::new();
    for game in (0..count).map(of) {
        // What is asked for twice in one ticket is refused.
        if !games.contains(&game) {
            games.push(game);
        }
    }
    games
}

/// A game that is not rated.
fn casual(variant: &Variant, options: &[(&str, &str)], control: TimeControl) -> GameSettings {
    GameSettings {
        variant: variant.id.to_owned(),
        rule_set: String::new(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        time_control: Some(control.into()),
        rated: false,
    }
}
