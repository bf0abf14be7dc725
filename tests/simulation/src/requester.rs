//! Sending a request until it is answered, and writing down what became of it.

use std::{fmt::Debug, sync::Arc, time::Duration};

use api::{
    client::{RetryPolicy, with_retry},
    game::v1::{Game, GameEvent, GetGameRequest},
};
use tokio::time::Instant;
use tonic::Status;

use crate::{
    action::Clients,
    history::{Answer, Entry, History},
    rng::Rng,
    world::World,
};

/// The pause before a request is sent again.
const AGAIN: Duration = Duration::from_millis(1500);
/// How often a request is sent at most.
const SENDINGS: usize = 12;

/// Whoever sends requests about one game.
#[derive(Debug)]
pub(crate) struct Requester {
    /// The world.
    pub world: Arc<World>,
    /// Where it is written down.
    pub history: Arc<History>,
    /// The game.
    pub game: String,
    /// His chance.
    pub rng: Rng,
}

impl Requester {
    /// The game as it stands; `None` when nobody says for a while.
    pub(crate) async fn look(&self, clients: &Clients) -> Option<Game> {
        let request = GetGameRequest { game_id: self.game.clone() };
        let policy = RetryPolicy(Duration::from_secs(20));
        let calm = self.world.is_calm();
        let ask = || async { clients.games.clone().get_game(request.clone()).await };
        let game = with_retry(policy, ask).await.ok().and_then(|answer| answer.game);
        if game.is_none() && calm {
            self.world.trace.fault(format!("nothing is wrong, and {} cannot be seen", self.game));
        }
        game
    }

    /// Sends a request until it is answered or the policy is gone, now and then twice at the same time.
    pub(crate) async fn send<F>(
        &self,
        what: &'static str,
        request: String,
        order: &(impl Debug + Sync),
        again: impl Fn() -> F + Send + Sync,
    ) where
        F: Future<Output = Result<Option<GameEvent>, Status>> + Send,
    {
        let mut answers = Vec::new();
        for _ in 0..=self.rng.below(SENDINGS) {
            let (sent, calm) = (Instant::now(), self.world.is_calm());
            if self.rng.chance(0.03) {
                let (one, other) = futures::join!(again(), again());
                answers.extend([one, other].map(|answer| (sent, Answer::new(answer))));
            } else {
                answers.push((sent, Answer::new(again().await)));
            }
            if answers.iter().any(|(at, answer)| *at == sent && *answer != Answer::Unknown) {
                break;
            }
            if calm {
                self.world.trace.fault(format!("nothing is wrong, and {order:?} is not answered"));
            }
            tokio::time::sleep(self.rng.mostly_short(AGAIN)).await;
        }
        self.enter(what, request, answers);
    }

    /// Sends a request until it is answered, however long that takes.
    pub(crate) async fn insist<F>(
        &self,
        what: &'static str,
        request: String,
        call: impl Fn() -> F + Send + Sync,
    ) where
        F: Future<Output = Result<Option<GameEvent>, Status>> + Send,
    {
        let mut answers = Vec::new();
        loop {
            let answer = (Instant::now(), Answer::new(call().await));
            let known = answer.1 != Answer::Unknown;
            answers.push(answer);
            if known {
                break;
            }
            tokio::time::sleep(AGAIN).await;
        }
        self.enter(what, request, answers);
    }

    fn enter(&self, what: &'static str, request: String, answers: Vec<(Instant, Answer)>) {
        let entry = Entry { game: self.game.clone(), request, what, answers };
        let answers: Vec<&Answer> = entry.answers.iter().map(|(_, answer)| answer).collect();
        self.world.trace.note(format!("{} {} {}: {answers:?}", entry.game, entry.request, entry.what));
        self.history.enter(entry);
    }
}
