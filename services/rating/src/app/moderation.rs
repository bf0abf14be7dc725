//! What moderators see and do: they decide about reports, and annul games for the ratings.

use std::collections::BTreeSet;

use chassis::{
    Database, Env,
    auth::{Caller, Role},
    database::{StoreError, Transaction, retry_contended},
    id::{EventId, GameId},
    page::Page,
    time::{from_micros, to_micros},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    replay::{Late, replay},
    results::RATING,
};
use crate::{
    core::{
        advantage::Advantages,
        game::Game,
        report::{Act, Deed, Evidence, Filter, Moderator, Report, Settlement},
    },
    error::Error,
    store,
};

/// Who of an event's officials sees reports with its games.
const ARBITERS: [Role; 3] = [Role::ChiefArbiter, Role::Deputy, Role::Arbiter];

/// What moderators do; clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Moderation {
    env: Env,
    database: Database,
}

/// What a moderator says of games.
#[derive(Clone, Copy)]
struct Judgement<'a> {
    by: &'a Moderator,
    games: &'a BTreeSet<GameId>,
    annulled: bool,
    /// For the sake of which report.
    report: Option<Uuid>,
    reason: &'a str,
}

impl Moderation {
    /// The moderation of a database.
    pub(crate) const fn new(env: Env, database: Database) -> Self {
        Moderation { env, database }
    }

    /// Refuses whoever is neither a moderator nor, where an event is named, an arbiter of it.
    pub(crate) async fn ensure_may_read(&self, caller: &Caller, event: Option<EventId>) -> Result<(), Error> {
        let Some(event) = event else {
            return if caller.is_moderator() { Ok(()) } else { Err(Error::NotModerator) };
        };
        let federation = store::game::federation_of(self.database.read(), event).await?;
        let is_arbiter = ARBITERS.iter().any(|role| caller.has_role(*role, Some(event), federation));
        if is_arbiter || caller.is_moderator() { Ok(()) } else { Err(Error::NotAnOfficial) }
    }

    /// Reports, those found last first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn reports(
        &self,
        filter: Filter,
        page: &Page<Uuid>,
    ) -> Result<(Vec<Report>, String), Error> {
        let found = store::report::list(self.database.read(), filter, page.after, page.fetch()).await?;
        Ok(page.cut(found, |report| report.id))
    }

    /// A report with the games that it rests on, the latest first: all, or those of an event.
    ///
    /// # Errors
    /// When there is none, or none of that event; when the database fails.
    pub(crate) async fn report(
        &self,
        id: Uuid,
        event: Option<EventId>,
    ) -> Result<(Report, Vec<Evidence>), Error> {
        let on = self.database.read();
        let report = store::report::find(on, id).await?.ok_or(Error::UnknownReport)?;
        let rests_on = store::report::evidence(on, id).await?;
        let ids: BTreeSet<GameId> = rests_on.iter().map(|(_, game)| *game).collect();
        let games = store::game::known(on, ids.iter().copied()).await?;
        let mut changes = store::change::of_games(on, ids).await?;
        changes.retain(|change| change.key.account == report.account);
        let mut evidence = Vec::with_capacity(rests_on.len());
        for (suspicion, id) in rests_on {
            let found = games.get(&id).zip(changes.iter().find(|change| change.game == id));
            let (game, change) = found.ok_or(StoreError::Corrupt("rating_report_games"))?;
            if event.is_none() || game.event == event {
                evidence.push(Evidence { suspicion, game: game.clone(), change: change.clone() });
            }
        }
        if event.is_some() && evidence.is_empty() {
            return Err(Error::UnknownReport);
        }
        evidence.sort_by_key(|it| std::cmp::Reverse(it.game.place()));
        Ok((report, evidence))
    }

    /// Decides about a report, or finds that it was decided so before.
    ///
    /// # Errors
    /// When there is none, or it was decided otherwise; when the database fails.
    pub(crate) async fn settle(
        &self,
        by: &Moderator,
        id: Uuid,
        upheld: bool,
        reason: &str,
    ) -> Result<Report, Error> {
        let settlement = Settlement { upheld, at: self.now(), by: by.clone(), reason: reason.to_owned() };
        let (report, is_new) = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let done = self.settle_within(&transaction, id, &settlement).await;
            transaction.finish(done).await
        })
        .await?;
        if is_new {
            tracing::info!(
                report.id = %id,
                account.id = %report.account,
                moderator.id = %by.id,
                upheld,
                "a report was decided about"
            );
        }
        Ok(report)
    }

    /// What is decided about a report from now on, and whether it was not before.
    async fn settle_within(
        &self,
        on: &Transaction,
        id: Uuid,
        settlement: &Settlement,
    ) -> Result<(Report, bool), Error> {
        let report = store::report::find(on, id).await?.ok_or(Error::UnknownReport)?;
        match &report.settled {
            Some(before) if before.upheld == settlement.upheld => return Ok((report, false)),
            Some(_) => return Err(Error::ReportSettled),
            None => {}
        }
        store::report::settle(on, id, settlement).await?;
        let deed = if settlement.upheld { Deed::Upheld(id) } else { Deed::Dismissed(id) };
        let act = self.act(&settlement.by, deed, &settlement.reason);
        store::moderation::write(on, &[act]).await?;
        Ok((Report { settled: Some(settlement.clone()), ..report }, true))
    }

    /// Annuls games for the ratings, and rates anew what followed from them; how many counted until now.
    ///
    /// # Errors
    /// When one of them is not rated, or there is no such report; when the database fails.
    pub(crate) async fn annul(
        &self,
        by: &Moderator,
        games: &BTreeSet<GameId>,
        report: Option<Uuid>,
        reason: &str,
    ) -> Result<u32, Error> {
        self.judge(by, games, (true, report), reason).await
    }

    /// Has games count again, and rates anew what follows from them; how many were annulled until now.
    ///
    /// # Errors
    /// When one of them is not rated; when the database fails.
    pub(crate) async fn reinstate(
        &self,
        by: &Moderator,
        games: &BTreeSet<GameId>,
        reason: &str,
    ) -> Result<u32, Error> {
        self.judge(by, games, (false, None), reason).await
    }

    /// What moderators have done, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn acts(&self, page: &Page<Uuid>) -> Result<(Vec<Act>, String), Error> {
        let found = store::moderation::list(self.database.read(), page.after, page.fetch()).await?;
        Ok(page.cut(found, |act| act.id))
    }

    async fn judge(
        &self,
        by: &Moderator,
        games: &BTreeSet<GameId>,
        (annulled, report): (bool, Option<Uuid>),
        reason: &str,
    ) -> Result<u32, Error> {
        let judgement = Judgement { by, games, annulled, report, reason };
        let changed = retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let done = self.judge_within(&transaction, &judgement).await;
            transaction.finish(done).await
        })
        .await?;
        for game in &changed {
            tracing::info!(
                game.id = %game.id,
                moderator.id = %by.id,
                annulled,
                "a moderator has said whether a game counts for the ratings"
            );
        }
        Ok(u32::try_from(changed.len()).unwrap_or(u32::MAX))
    }

    /// The games that are otherwise from now on; what follows from them is rated anew.
    async fn judge_within(&self, on: &Transaction, judgement: &Judgement<'_>) -> Result<Vec<Game>, Error> {
        let Judgement { by, games, annulled, report, reason } = *judgement;
        // Whoever rates makes the others wait.
        on.await_turn(RATING).await?;
        if let Some(report) = report {
            store::report::find(on, report).await?.ok_or(Error::UnknownReport)?;
        }
        let known = store::game::known(on, games.iter().copied()).await?;
        if let Some(unknown) = games.iter().find(|game| !known.contains_key(game)) {
            return Err(Error::UnknownGame(*unknown));
        }
        let changed: Vec<Game> = known
            .into_values()
            .filter(|game| game.annulled != annulled)
            .map(|game| Game { annulled, ..game })
            .collect();
        let deed = |game| if annulled { Deed::Annulled(game, report) } else { Deed::Reinstated(game) };
        let acts: Vec<Act> = changed.iter().map(|game| self.act(by, deed(game.id), reason)).collect();
        store::moderation::write(on, &acts).await?;
        let mut late = Late::new();
        for game in &changed {
            late.entry(game.category.clone()).or_default().insert(game.place(), game.clone());
        }
        let advantages = Advantages::new(store::advantage::all(on).await?);
        replay(on, &late, &advantages).await?;
        Ok(changed)
    }

    fn act(&self, by: &Moderator, deed: Deed, reason: &str) -> Act {
        Act { id: self.env.uuid(), at: self.now(), by: by.clone(), deed, reason: reason.to_owned() }
    }

    /// Now, as the database will have it.
    fn now(&self) -> OffsetDateTime {
        let now = self.env.now();
        from_micros(to_micros(now)).unwrap_or(now)
    }
}
