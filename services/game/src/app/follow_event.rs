//! The stream of how all games of an event stand.
//!
//! What is published may be lost, and here no number is missing when it is: so the ends of the logs are read at first, and
//! again whenever something may have been lost, and now and then in any case.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use api::game::v1::{SeenGame, WatchGlimpsesResponse};
use bytes::Bytes;
use chassis::{
    follow::{Follower, Heard},
    id::{EventId, GameId},
};
use futures::{Stream, stream};
use prost::Message as _;
use tokio::time::Instant;
use tonic::Status;

use super::App;
use crate::{
    error::{Error, Result},
    store::names,
    wire::seen,
};

/// Games that are told of in one answer, and read at once.
const GAMES_AT_ONCE: usize = 500;
/// How often something is said when nothing happens: whoever hears nothing for longer knows that the stream is dead.
const BEAT: Duration = Duration::from_secs(5);
/// How often the logs are looked at while everything that is published is believed to arrive.
const LOOK: Duration = Duration::from_secs(30);
/// The same while it is known that not everything does.
const LOOK_UNFOLLOWED: Duration = Duration::from_secs(2);

struct Glimpses {
    app: Arc<App>,
    topic: Follower,
    games: Vec<GameId>,
    /// How many of them were read since the last look began; all of them when none is to be read.
    read: usize,
    looked: Instant,
    over: bool,
}

/// Streams how the games of an event stand, these at first.
pub(crate) async fn watch(
    app: Arc<App>,
    event: EventId,
    games: Vec<GameId>,
) -> Result<impl Stream<Item = Result<WatchGlimpsesResponse, Status>> + Send> {
    let (live, stop) = (Arc::clone(&app.registry.live), app.registry.lifecycle.stopping());
    let topic = Follower::new(live, names::games_of(event), stop).await?;
    let watcher = Glimpses { app, topic, games, read: 0, looked: Instant::now(), over: false };
    Ok(stream::unfold(watcher, async |mut watcher| {
        if watcher.over {
            return None;
        }
        let next = watcher.next().await;
        watcher.over = next.is_err();
        let caught_up = watcher.read >= watcher.games.len();
        let answer = next.map(|games| WatchGlimpsesResponse { games, caught_up });
        Some((answer.map_err(Status::from), watcher))
    }))
}

impl Glimpses {
    async fn next(&mut self) -> Result<Vec<SeenGame>> {
        if self.looked.elapsed() >= self.patience() {
            self.look_again();
        }
        if self.read < self.games.len() {
            let until = (self.read + GAMES_AT_ONCE).min(self.games.len());
            let headers = self.app.queries.headers(&self.games[self.read..until]).await?;
            self.read = until;
            let games = headers.iter().map(|it| seen(it.info.id, it.sequence, it.updated, &it.state));
            return Ok(games.collect());
        }
        match self.topic.next(BEAT.min(self.patience())).await? {
            Heard::Message(first) => self.gather(&first).await,
            Heard::Gap => {
                self.look_again();
                Ok(Vec::new())
            }
            Heard::Unfollowed | Heard::Silence => Ok(Vec::new()),
            Heard::Stopping => Err(Error::Stopping),
        }
    }

    /// What was heard, and what has been published since: of each game the last.
    async fn gather(&mut self, first: &Bytes) -> Result<Vec<SeenGame>> {
        let mut games = BTreeMap::new();
        let mut take = |message: &Bytes| {
            if let Ok(seen) = SeenGame::decode(message.clone()) {
                games.insert(seen.game_id.clone(), seen);
            }
            games.len() < GAMES_AT_ONCE
        };
        let mut goes_on = take(first);
        while goes_on {
            match self.topic.next(Duration::ZERO).await? {
                Heard::Message(message) => goes_on = take(&message),
                Heard::Gap => {
                    self.look_again();
                    goes_on = false;
                }
                Heard::Unfollowed | Heard::Silence | Heard::Stopping => goes_on = false,
            }
        }
        Ok(games.into_values().collect())
    }

    fn look_again(&mut self) {
        (self.read, self.looked) = (0, Instant::now());
    }

    /// How long what is published is trusted.
    fn patience(&self) -> Duration {
        if self.app.registry.everything_arrives(&self.topic) { LOOK } else { LOOK_UNFOLLOWED }
    }
}
