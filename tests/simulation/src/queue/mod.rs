//! A queue of players: they ask for games, hold on to their tickets through whatever breaks, take them back, go away
//! without a word, do not come to what they were matched for; and play the games that come of it.
//!
//! What each of them was told is written down, to be held to what matchmaking and the game service know.

mod check;
mod crowd;
mod fate;
mod seeker;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy, with_retry},
    game::v1::{GetGameRequest, game_service_client::GameServiceClient},
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
    transport::Transport,
};
use chassis::{auth::Caller, testing::player};
use tokio::{task::JoinSet, time::Instant};

pub(crate) use check::check;
use fate::Fates;
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
/// What somebody may ask for in a run. With two a pool is seldom empty, with six each has his own.
const GAMES: (usize, usize) = (2, 6);
/// A game that is offered first, because it is long.
const OFFERED: &str = "1h";
/// How fast rated games are.
const RATED: &str = "3m+1s";
/// How long somebody asks for a game that he was told of.
const SEEN_WITHIN: Duration = Duration::from_mins(10);
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
    seekers: Vec<Caller>,
    games: Vec<GameSettings>,
    fates: Fates,
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
        let count = SEEKERS.0 + rng.below(SEEKERS.1 - SEEKERS.0 + 1);
        // Two more than those who queue under trouble: they come when it is over.
        let seekers = (0..count + 2).map(|number| player(&world.env, &format!("seeker {number}"))).collect();
        Arc::new(Queue {
            world: Arc::clone(world),
            history: Arc::clone(history),
            playing: Arc::clone(playing),
            seekers,
            games: games(&rng),
            fates: Fates::default(),
            is_crowd: false,
        })
    }

    /// Everybody queues and plays until then.
    pub(crate) async fn run(self: Arc<Self>, until: Instant) {
        let mut seekers = JoinSet::new();
        for number in 0..self.seekers.len() - 2 {
            let seeker = Seeker::new(&self, number, Habits::OF_TROUBLE);
            seekers.spawn(async move { seeker.seek(until).await });
        }
        while let Some(ended) = seekers.join_next().await {
            if let Err(error) = ended {
                self.world.trace.fault(format!("who queues panicked: {error}"));
            }
        }
    }

    /// The table of a game, whose play has begun by then.
    async fn table(&self, game: &str, way: Transport) -> Option<Table> {
        let games = GameServiceClient::new(way).max_decoding_message_size(ANSWER_BYTES_MAX);
        let request = GetGameRequest { game_id: game.to_owned() };
        let look = || async { games.clone().get_game(request.clone()).await };
        let seen = with_retry(RetryPolicy(SEEN_WITHIN), look).await.ok()?.game?;
        let table = Table::seen(&seen, &self.seekers, None)?;
        if !self.playing.has(game) {
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
        let way = self.world.network.transport(End::Outside, Service::Game, Face::Public);
        for row in check::rows(self).unwrap_or_default() {
            if self.table(&row.game, way.clone()).await.is_none() {
                self.world.trace.fault(format!("game {} was made and cannot be seen", row.game));
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
        let last = self.seekers.len() - 2;
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
        GameSettings {
            variant: variant.id.to_owned(),
            rule_set: String::new(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            time_control: Some(control.into()),
            rated,
        }
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
