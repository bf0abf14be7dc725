//! From pairs to games.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chassis::{Lifecycle, id::GameId};
use futures::{StreamExt as _, stream};
use rand::RngExt as _;
use tokio::sync::Semaphore;

use super::{
    Tickets,
    peers::{CREATIONS, Creation, Games},
    record::{BATCH, Recorded, record},
};
use crate::{
    core::{Match, MatchState, Pair},
    error::Error,
    store,
};

/// Calls for games at once: enough to keep the game service busy, not enough to drown it.
const CALLS_MAX: usize = 2;

/// Writes matches down, has their games made, and tells the players.
///
/// Every step may be repeated, by this process or another, and repeating it changes nothing.
#[derive(Clone)]
pub(crate) struct GameCreator {
    tickets: Arc<Tickets>,
    games: Games,
    lifecycle: Lifecycle,
    calls: Arc<Semaphore>,
    /// Whether what a dead process left was taken up.
    has_recovered: Arc<AtomicBool>,
}

impl GameCreator {
    /// The creator of the games of these tickets.
    pub(super) fn new(tickets: Arc<Tickets>, games: Games, lifecycle: Lifecycle) -> Self {
        let calls = Arc::new(Semaphore::new(CALLS_MAX));
        GameCreator { tickets, games, lifecycle, calls, has_recovered: Arc::default() }
    }

    /// The tickets whose games it makes.
    pub(super) fn tickets(&self) -> &Arc<Tickets> {
        &self.tickets
    }

    /// Takes up the pairs in live state, until there are no more or it is stopped.
    pub(super) async fn run(self) -> Result<(), Error> {
        while self.round().await? == BATCH && !self.tickets.stop.is_cancelled() {}
        Ok(())
    }

    /// Takes up the matches in the database that have no game yet: at first all of them, for they are what a dead
    /// process left, then those that whoever made them has had his time for.
    pub(super) async fn recover(self) -> Result<(), Error> {
        let (now, timings) = (self.tickets.env.now(), self.tickets.timings);
        let grace = if self.has_recovered.load(Ordering::Relaxed) { timings.grace } else { Duration::ZERO };
        if self.tickets.queue.lease_recovery(now, timings.retry * 3).await? {
            let pending =
                store::matches::pending(self.tickets.database.read(), now - grace, BATCH as u64).await?;
            self.deliver(pending).await;
        }
        self.has_recovered.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Has the pairs in live state become games; how many there were.
    async fn round(&self) -> Result<usize, Error> {
        let (now, timings) = (self.tickets.env.now(), self.tickets.timings);
        let pairs = self.tickets.queue.pending(now, timings.grace, BATCH).await?;
        let count = pairs.len();
        let pairs = self.tickets.offer(pairs).await?;
        self.take_up(pairs).await?;
        Ok(count)
    }

    /// Has the game of a match made that was just written down.
    pub(super) async fn make(self, matched: Match) {
        self.deliver(vec![matched]).await;
    }

    /// Goes on with offers: those that both have accepted become games, and those whose time is over come to nothing.
    pub(super) async fn settle_offers(self) -> Result<(), Error> {
        let accepted = self.tickets.close_offers(BATCH).await?;
        self.take_up(accepted).await
    }

    /// Writes pairs down and starts making their games.
    async fn take_up(&self, pairs: Vec<Pair>) -> Result<(), Error> {
        if pairs.is_empty() {
            return Ok(());
        }
        let with_coins: Vec<(Pair, bool)> =
            self.tickets.env.with_rng(|rng| pairs.into_iter().map(|pair| (pair, rng.random())).collect());
        let recorded = record(&self.tickets.database, &with_coins, self.tickets.env.now()).await?;
        self.tickets.note_recorded(with_coins.iter().map(|(pair, _)| pair)).await?;
        let (mut pending, mut settled) = (Vec::new(), Vec::new());
        for ((pair, _), recorded) in with_coins.iter().zip(recorded) {
            match recorded {
                Recorded::Match(matched, MatchState::Pending) => pending.push(*matched),
                recorded => settled.push((pair, recorded)),
            }
        }
        let creator = self.clone();
        self.lifecycle.spawn("making games", async move { creator.deliver(pending).await });
        for (pair, recorded) in settled {
            match recorded {
                Recorded::Match(matched, MatchState::Failed) => self.give_up(&matched).await?,
                Recorded::Match(matched, _) => self.announce(&matched).await?,
                // Nobody is proposed so who is known to be blocked: it happened a moment ago.
                Recorded::Apart => self.tickets.dissolve(pair, &[]).await?,
                Recorded::TicketTaken(taken) => {
                    tracing::warn!(game.id = %pair.game, "a ticket was paired that has a game already; the pair is undone");
                    self.tickets.dissolve(pair, &taken).await?;
                }
            }
        }
        Ok(())
    }

    /// Asks for the games of matches, once each, and notes what came of it. Whatever is not answered is
    /// taken up again later.
    pub(super) async fn deliver(&self, pending: Vec<Match>) {
        let ask = async |matches: Vec<Match>| {
            let _permit = self.calls.acquire().await;
            let creations = self.games.create(&matches).await;
            matches.into_iter().zip(creations).collect::<Vec<_>>()
        };
        let parcels = pending.chunks(CREATIONS).map(<[Match]>::to_vec);
        let mut answers = stream::iter(parcels).map(ask).buffer_unordered(CALLS_MAX).boxed();
        while let Some(answered) = answers.next().await {
            if let Err(error) = self.note(answered).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "made games could not be noted; they are asked for again"
                );
            }
        }
    }

    async fn note(&self, answered: Vec<(Match, Creation)>) -> Result<(), Error> {
        let of = |wanted: Creation| -> Vec<&Match> {
            answered.iter().filter(|(_, creation)| *creation == wanted).map(|(matched, _)| matched).collect()
        };
        let (created, refused) = (of(Creation::Created), of(Creation::Refused));
        self.tickets.note_failed(&refused).await?;
        self.tickets.measures.decided(created.len(), refused.len());
        self.settle(&created, MatchState::Created).await?;
        futures::future::try_join_all(created.into_iter().map(|matched| self.announce(matched))).await?;
        self.settle(&refused, MatchState::Failed).await?;
        futures::future::try_join_all(refused.into_iter().map(|matched| self.give_up(matched))).await?;
        Ok(())
    }

    async fn settle(&self, matches: &[&Match], state: MatchState) -> Result<(), Error> {
        if matches.is_empty() {
            return Ok(());
        }
        let games: Vec<GameId> = matches.iter().map(|matched| matched.game).collect();
        let (on, now) = (self.tickets.database.write(), self.tickets.env.now());
        Ok(store::matches::settle(on, &games, state, now).await?)
    }

    /// Tells that the game of a match exists.
    async fn announce(&self, matched: &Match) -> Result<(), Error> {
        if !self.tickets.queue.settle(matched.game).await? {
            // Live state was lost meanwhile, and the tickets may have been handed in again.
            for player in [&matched.first, &matched.second] {
                self.tickets.queue.cancel(player.ticket, player.account, self.tickets.env.now()).await?;
            }
        }
        self.tickets.queue.tell(matched).await;
        Ok(())
    }

    /// Tells that a match will never be a game.
    async fn give_up(&self, matched: &Match) -> Result<(), Error> {
        let players = [matched.first.clone(), matched.second.clone()];
        let tickets = [matched.first.ticket, matched.second.ticket];
        let pair = Pair { game: matched.game, settings: matched.settings.clone(), players };
        Ok(self.tickets.dissolve(&pair, &tickets).await?)
    }
}
