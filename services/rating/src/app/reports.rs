//! Looks at every category once a day, and reports who may lose on purpose: nothing follows by itself.

use std::time::Duration;

use chassis::{
    Database, Env,
    database::{StoreError, Transaction, retry_contended},
};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::rated::read_pool;
use crate::{
    core::{
        category::Category,
        game::Place,
        report::{Due, GAMES_MAX, Reported, WINDOW},
    },
    store,
};

/// How often it is looked whether a category is due.
pub(crate) const DUE: Duration = Duration::from_hours(1);
/// A category is looked at this long after it was last, by whichever replica is the first.
const AGAIN: time::Duration = time::Duration::days(1);
/// What whoever writes reports waits for his turn by.
const REPORTING: Uuid = Uuid::from_u128(0x0072_6570_6f72_7469_6e67);

/// Looks for what is to be reported; clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Reports {
    env: Env,
    database: Database,
    stop: CancellationToken,
}

impl Reports {
    /// The reports of a database.
    pub(crate) const fn new(env: Env, database: Database, stop: CancellationToken) -> Self {
        Reports { env, database, stop }
    }

    /// Looks at the categories that are due.
    ///
    /// # Errors
    /// When the database fails; the rest is looked at the next time.
    pub(crate) async fn look(self) -> Result<(), StoreError> {
        let looked = store::report::looked(self.database.read()).await?;
        for category in store::game::firsts(self.database.read()).await?.into_keys() {
            // What cannot be written is not read for nothing.
            if self.stop.is_cancelled() || !self.database.is_writable() {
                return Ok(());
            }
            let (last, now) = (looked.get(&category).copied(), self.env.now());
            if self.is_due(&category, last, now).await? {
                self.look_at(&category, last, now).await?;
            }
        }
        Ok(())
    }

    /// Whether a category is to be looked at that was looked at last then.
    async fn is_due(
        &self,
        category: &Category,
        last: Option<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        // A clock that was ahead is not waited for.
        let Some(last) = last.filter(|last| *last <= now) else { return Ok(true) };
        let is_due = now - last >= AGAIN;
        Ok(is_due && store::game::count_since(self.database.read(), category, last).await? > 0)
    }

    async fn look_at(
        &self,
        category: &Category,
        last: Option<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let since = Place { ended: self.since(category, now).await?, game: Uuid::nil().into() };
        let pool = read_pool(&self.database, category, Some(since), &|_| ()).await?;
        let of = category.clone();
        let worked_out = tokio::task::spawn_blocking(move || pool.reported(&of)).await;
        let reported = worked_out.map_err(|_| StoreError::Stopped)?;
        let new = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let new = self.write(&transaction, category, (last, now), &reported).await;
            transaction.finish(new).await
        })
        .await?;
        for reported in new {
            tracing::info!(
                account.id = %reported.account,
                category.variant = %category.variant,
                category.speed = ?category.speed,
                beyond_limit = reported.beyond(),
                "somebody is reported to moderators: he may lose on purpose"
            );
        }
        Ok(())
    }

    /// From when on games are looked at: fewer days where there are too many.
    async fn since(&self, category: &Category, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError> {
        let mut window = WINDOW;
        while store::game::count_since(self.database.read(), category, now - window).await? > GAMES_MAX {
            window /= 2;
        }
        Ok(now - window)
    }

    /// Writes what is to be reported unless another replica has; what is reported for the first time.
    async fn write<'a>(
        &self,
        on: &Transaction,
        category: &Category,
        (last, now): (Option<OffsetDateTime>, OffsetDateTime),
        reported: &'a [Reported],
    ) -> Result<Vec<&'a Reported>, StoreError> {
        on.await_turn(REPORTING).await?;
        if store::report::looked(on).await?.get(category).copied() != last {
            return Ok(Vec::new());
        }
        let mut new = Vec::new();
        for reported in reported {
            let before = store::report::last(on, reported.account, category).await?;
            let report = match reported.due(before.as_ref(), now) {
                Due::Nothing => continue,
                Due::Report => {
                    new.push(reported);
                    reported.report(self.env.uuid(), (now, now))
                }
                Due::Update(id) => reported.report(id, (now, now)),
            };
            store::report::write(on, &report, reported).await?;
        }
        store::report::note_look(on, category, now).await?;
        Ok(new)
    }
}
