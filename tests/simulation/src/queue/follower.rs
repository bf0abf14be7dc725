//! Somebody who follows all that concerns him, through whatever breaks; and somebody who looks at the lobby.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use api::{
    game::v1::OwnGame,
    matchmaking::v1::{
        FollowRequest, OwnQueue, WatchOpenChallengesRequest,
        challenge_service_client::ChallengeServiceClient, follow_response::Told,
        follow_service_client::FollowServiceClient,
    },
};
use chassis::{auth::Caller, testing::as_account};
use parking_lot::Mutex;

use super::Queue;
use crate::{
    network::Face,
    rng::Rng,
    topology::{End, Service},
};

/// The longest pause before a stream that broke is asked for again.
const AGAIN: Duration = Duration::from_secs(4);
/// The most games that are named as believed to be under way.
const NAMED_MAX: usize = 200;

/// What somebody knows by following.
#[derive(Debug, Default)]
pub(super) struct Followed(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    queue: OwnQueue,
    /// Games, and whether they are over.
    games: BTreeMap<String, bool>,
}

/// What is told of the lobby.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<BTreeSet<String>>);

impl Followed {
    /// His games that are arranged.
    pub(super) fn arranged(&self) -> Vec<String> {
        self.0.lock().queue.arranged_games.iter().map(|game| game.game_id.clone()).collect()
    }

    /// The challenges that he has in his list.
    pub(super) fn challenges(&self) -> BTreeSet<String> {
        self.0.lock().queue.challenges.iter().map(|challenge| challenge.id.clone()).collect()
    }

    /// His games that have begun and are not over.
    pub(super) fn under_way(&self) -> Vec<String> {
        let known = self.0.lock();
        known.games.iter().filter(|(_, over)| !**over).map(|(game, _)| game.clone()).collect()
    }

    /// Whether he has heard of a game.
    pub(super) fn has(&self, game: &str) -> bool {
        self.0.lock().games.contains_key(game)
    }

    fn hear(&self, games: Vec<OwnGame>) {
        let mut known = self.0.lock();
        for game in games {
            let is_over = game.state.is_some_and(|state| state.outcome.is_some());
            known.games.insert(game.game_id, is_over);
        }
    }

    /// Follows for ever.
    pub(super) async fn follow(self: Arc<Self>, queue: Arc<Queue>, caller: Caller) {
        let rng = queue.world.rng(&format!("{} follows", caller.name));
        let way = queue.world.network.transport(End::Outside, Service::Matchmaking, Face::Public);
        let name = caller.name.clone();
        let client = FollowServiceClient::new(as_account(way, caller));
        let mut cursor = String::new();
        loop {
            let mut known_game_ids = self.under_way();
            known_game_ids.truncate(NAMED_MAX);
            let request = FollowRequest { cursor: cursor.clone(), known_game_ids };
            if let Ok(answer) = client.clone().follow(request).await {
                let mut stream = answer.into_inner();
                while let Ok(Some(message)) = stream.message().await {
                    cursor = message.cursor;
                    match message.told {
                        Some(Told::Queue(own)) => self.0.lock().queue = own,
                        Some(Told::Games(games)) => {
                            let ids: Vec<&str> = games.games.iter().map(|game| &*game.game_id).collect();
                            queue
                                .world
                                .trace
                                .note(format!("{name} hears of {ids:?}, of all: {}", games.caught_up));
                            self.hear(games.games);
                        }
                        Some(Told::Missing(missing)) => {
                            queue
                                .world
                                .trace
                                .note(format!("{name} is told that this is missing: {missing:?}"));
                        }
                        Some(Told::Notice(_) | Told::Rated(_)) | None => {}
                    }
                }
            }
            queue.world.trace.note(format!("{name} follows no more"));
            tokio::time::sleep(pause(&rng)).await;
        }
    }
}

impl Seen {
    /// What is open as far as it was told.
    pub(super) fn open(&self) -> BTreeSet<String> {
        self.0.lock().clone()
    }

    /// Looks on for ever.
    pub(super) async fn look_on(self: Arc<Self>, queue: Arc<Queue>) {
        let rng = queue.world.rng("looks at the lobby");
        let way = queue.world.network.transport(End::Outside, Service::Matchmaking, Face::Public);
        let client = ChallengeServiceClient::new(way);
        let mut after_number = 0;
        loop {
            let request =
                WatchOpenChallengesRequest { after_number, ..WatchOpenChallengesRequest::default() };
            if let Ok(answer) = client.clone().watch_open_challenges(request).await {
                let mut stream = answer.into_inner();
                while let Ok(Some(news)) = stream.message().await {
                    after_number = news.number;
                    let mut open = self.0.lock();
                    if news.whole {
                        open.clear();
                    }
                    open.extend(news.challenges.into_iter().map(|challenge| challenge.id));
                    for closed in &news.closed_ids {
                        open.remove(closed);
                    }
                }
            }
            tokio::time::sleep(pause(&rng)).await;
        }
    }
}

fn pause(rng: &Rng) -> Duration {
    rng.mostly_short(AGAIN).max(Duration::from_millis(1))
}
