//! Leaderboards of the ends of months: kept a day after, once, by whichever replica is the first.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use chassis::{
    Database, Env,
    database::StoreError,
    id::{AccountId, FederationId},
};
use parking_lot::Mutex;
use time::{Date, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::Federations;
use crate::{
    core::{
        category::Category,
        highest::Highest,
        period::{Kept, MADE_UP_MAX, Period},
    },
    error::Error,
    store::{self, board::Board},
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
    federations: Federations,
    /// The newest month of which all was kept.
    kept: Arc<Mutex<Option<Period>>>,
}

impl Boards {
    /// The keeper of a database's leaderboards.
    pub(crate) fn new(
        env: Env,
        database: Database,
        federations: Federations,
        stop: CancellationToken,
    ) -> Self {
        Boards { env, database, stop, federations, kept: Arc::default() }
    }

    /// Keeps what is due: the newest month, and older ones in which nobody was there to do it.
    ///
    /// # Errors
    /// When the database fails, or the federations do not tell who their members were; the rest is kept the next time.
    pub(crate) async fn keep_due(self) -> Result<(), Error> {
        let newest = Period::newest(self.env.now());
        let Some(newest) = newest.filter(|newest| *self.kept.lock() < Some(*newest)) else { return Ok(()) };
        let firsts = store::game::firsts(self.database.read()).await?;
        for period in (0..MADE_UP_MAX).rev().filter_map(|months| newest.earlier(months)) {
            let mut missed = Vec::new();
            for (category, first) in &firsts {
                let is_played = Period::of(*first).is_some_and(|first| first <= period);
                let everybody = Board { federation: None, category, period };
                if is_played && store::board::find(self.database.read(), everybody).await?.is_none() {
                    missed.push(category);
                }
            }
            if !missed.is_empty() && !self.keep_all(&missed, period).await? {
                return Ok(());
            }
        }
        *self.kept.lock() = Some(newest);
        Ok(())
    }

    /// Keeps a month of categories; whether it was done with.
    async fn keep_all(&self, categories: &[&Category], period: Period) -> Result<bool, Error> {
        let Some(end) = period.end() else { return Ok(true) };
        let members = self.federations.members_of_all(end.date().previous_day().unwrap_or(Date::MIN)).await?;
        for category in categories {
            if !self.keep((category, period, end), &members).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keeps the leaderboards of a month of a category: of each federation, and that of everybody last, which says that it is done.
    async fn keep(
        &self,
        (category, period, end): (&Category, Period, OffsetDateTime),
        members: &HashMap<AccountId, Vec<FederationId>>,
    ) -> Result<bool, Error> {
        let (mut everybody, mut of_federations) = (Highest::settled(), BTreeMap::new());
        let mut behind = None;
        loop {
            let on = self.database.read();
            let page = store::change::standings_before(on, category, end, (behind, PAGE)).await?;
            let Some((last, _)) = page.last() else { break };
            behind = Some(*last);
            for (account, player) in page {
                let player = player.at(end);
                for federation in members.get(&account).into_iter().flatten() {
                    of_federations.entry(*federation).or_insert_with(Highest::settled).add(account, &player);
                }
                everybody.add(account, &player);
            }
        }
        let of_federations =
            of_federations.into_iter().map(|(federation, highest)| (Some(federation), highest));
        for (federation, highest) in of_federations.chain([(None, everybody)]) {
            // What cannot be written is not worked out again and again: an hour later is soon enough.
            if self.stop.is_cancelled() || !self.database.is_writable() {
                return Ok(false);
            }
            if federation.is_none() || highest.count() > 0 {
                self.write(Board { federation, category, period }, highest).await?;
            }
        }
        Ok(true)
    }

    async fn write(&self, board: Board<'_>, highest: Highest) -> Result<(), Error> {
        let kept = Kept { period: board.period, ranked: highest.count(), at: self.env.now() };
        let transaction = self.database.begin().await.map_err(StoreError::from)?;
        let done = store::board::keep(&transaction, board, kept, &highest.led()).await;
        if transaction.finish(done).await? {
            tracing::info!(
                category.variant = %board.category.variant,
                category.speed = ?board.category.speed,
                federation.id = board.federation.map(tracing::field::display),
                period = %board.period,
                ranked = kept.ranked,
                "the leaderboard of a month is kept"
            );
        }
        Ok(())
    }
}
