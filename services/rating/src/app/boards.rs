//! Leaderboards of the ends of months: kept a day after, once, by whichever replica is the first.

use std::{sync::Arc, time::Duration};

use chassis::{Database, Env, database::StoreError, id::AccountId};
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::{
    core::{
        category::Category,
        period::{KEPT_MAX, Kept, Led, MADE_UP_MAX, Period},
        player_rating::PlayerRating,
    },
    store,
};

/// How often it is looked whether a month is to be kept.
pub(crate) const KEPT: Duration = Duration::from_hours(1);
/// Players that are looked at together.
const PAGE: u64 = 1_000;

/// Keeps leaderboards; clones share what they know.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    env: Env,
    database: Database,
    stop: CancellationToken,
    /// The newest month of which all was kept.
    kept: Arc<Mutex<Option<Period>>>,
}

/// Who stands highest among those who were met so far.
#[derive(Debug, Default)]
struct Highest {
    ranked: u32,
    players: Vec<(AccountId, PlayerRating)>,
}

impl Boards {
    /// The keeper of a database's leaderboards.
    pub(crate) fn new(env: Env, database: Database, stop: CancellationToken) -> Self {
        Boards { env, database, stop, kept: Arc::default() }
    }

    /// Keeps what is due: the newest month, and older ones in which nobody was there to do it.
    ///
    /// # Errors
    /// When the database fails; the rest is kept the next time.
    pub(crate) async fn keep_due(self) -> Result<(), StoreError> {
        let newest = Period::newest(self.env.now());
        let Some(newest) = newest.filter(|newest| *self.kept.lock() < Some(*newest)) else { return Ok(()) };
        for (category, first) in store::game::firsts(self.database.read()).await? {
            let missed = (0..MADE_UP_MAX).rev().filter_map(|months| newest.earlier(months));
            for period in missed.filter(|period| Period::of(first).is_some_and(|first| first <= *period)) {
                // What cannot be written is not worked out again and again: an hour later is soon enough.
                if self.stop.is_cancelled() || !self.database.is_writable() {
                    return Ok(());
                }
                if store::board::find(self.database.read(), &category, period).await?.is_none() {
                    self.keep(&category, period).await?;
                }
            }
        }
        *self.kept.lock() = Some(newest);
        Ok(())
    }

    async fn keep(&self, category: &Category, period: Period) -> Result<(), StoreError> {
        let Some(end) = period.end() else { return Ok(()) };
        let (mut highest, mut behind) = (Highest::default(), None);
        loop {
            let on = self.database.read();
            let page = store::change::standings_before(on, category, end, (behind, PAGE)).await?;
            let Some((last, _)) = page.last() else { break };
            behind = Some(*last);
            highest.add(page.into_iter().map(|(account, player)| (account, player.at(end))));
        }
        let kept = Kept { period, ranked: highest.ranked, at: self.env.now() };
        let transaction = self.database.begin().await?;
        let done = store::board::keep(&transaction, category, kept, &highest.led()).await;
        if transaction.finish(done).await? {
            tracing::info!(
                category.variant = %category.variant,
                category.speed = ?category.speed,
                %period,
                ranked = kept.ranked,
                "the leaderboard of a month is kept"
            );
        }
        Ok(())
    }
}

impl Highest {
    fn add(&mut self, players: impl Iterator<Item = (AccountId, PlayerRating)>) {
        for (account, player) in players.filter(|(_, player)| !player.rating.is_provisional()) {
            self.ranked = self.ranked.saturating_add(1);
            self.players.push((account, player));
        }
        // As a leaderboard of now has them.
        let place = |(account, player): &(AccountId, PlayerRating)| (player.rating.value(), *account);
        self.players.sort_by(|one, other| {
            let ((one, lower), (other, higher)) = (place(other), place(one));
            one.total_cmp(&other).then(lower.cmp(&higher))
        });
        self.players.truncate(KEPT_MAX);
    }

    fn led(self) -> Vec<Led> {
        let mut led: Vec<Led> = Vec::with_capacity(self.players.len());
        for (position, (account, player)) in (1..).zip(self.players) {
            let level = led
                .last()
                .filter(|last| last.player.rating.value().total_cmp(&player.rating.value()).is_eq());
            let rank = level.map_or(position, |last| last.rank);
            led.push(Led { position, rank, account, player });
        }
        led
    }
}
