//! Whether every final rated game is rated, once and with its result.

use std::collections::{BTreeMap, BTreeSet};

use crate::platform::Service;
use anyhow::Context as _;
use api::rating::v1::ApplyResultRequest;
use chassis::{Database, id::GameId};
use rating::{
    audit::{Audit, Difference, Unfounded},
    core::player_rating::{Key, PlayerRating},
};

use super::Args;

/// What was found out about the ratings.
pub(super) struct Ratings {
    database: Database,
    audit: Audit,
    /// Games that are among the games and rated.
    known: BTreeSet<GameId>,
}

impl Ratings {
    /// Opens the database of the ratings; none if there is no file of it yet.
    pub(super) async fn open(args: &Args) -> anyhow::Result<Option<Self>> {
        let url = args.data.url(Service::Rating);
        if Database::file(&url)?.is_some_and(|file| !file.exists()) {
            return Ok(None);
        }
        let database = args.data.open_beside(Service::Rating).await?;
        let schema = rating::schema(&database).await?;
        anyhow::ensure!(
            schema.pending.is_empty() && schema.unknown.is_empty(),
            "the database of rating is of another version: `shoutan doctor` says more"
        );
        Ok(Some(Ratings { audit: Audit::new(database.clone()), database, known: BTreeSet::new() }))
    }

    /// Where games are rated otherwise than they should be.
    async fn hold(
        &mut self,
        games: &game::audit::Audit,
        results: &BTreeMap<GameId, Option<ApplyResultRequest>>,
    ) -> anyhow::Result<BTreeMap<GameId, String>> {
        let reading = "reading the ratings";
        let (rated, mut differences) = self.audit.hold(results).await.context(reading)?;
        self.known.extend(rated);
        if !differences.is_empty() {
            // A result, or its correction, that is still on its way is not lost; and what was, may have arrived meanwhile.
            let untold = games.undelivered().await.context("reading what is owed")?;
            let again = differences.keys().filter(|game| !untold.contains(game));
            let again = again.map(|game| (*game, results.get(game).cloned().flatten())).collect();
            let (arrived, lost) = self.audit.hold(&again).await.context(reading)?;
            self.known.extend(arrived);
            differences = lost;
        }
        Ok(differences.into_iter().map(|(game, difference)| (game, said(difference))).collect())
    }

    /// The same of games that may have ended, and been rated, between the two looks that this is: what differs is
    /// looked at once more.
    pub(super) async fn hold_running(
        &mut self,
        games: &game::audit::Audit,
        results: &BTreeMap<GameId, Option<ApplyResultRequest>>,
    ) -> anyhow::Result<BTreeMap<GameId, String>> {
        let differences = self.hold(games, results).await?;
        let mut again = BTreeMap::new();
        for game in differences.into_keys() {
            again.insert(game, games.game(game).await.context("reading a game")?.result);
        }
        if again.is_empty() { Ok(BTreeMap::new()) } else { self.hold(games, &again).await }
    }

    /// How many games are rated that are not among the games that were held to.
    pub(super) async fn strange(&self) -> anyhow::Result<u64> {
        Ok(self
            .audit
            .games()
            .await
            .context("counting what is rated")?
            .saturating_sub(self.known.len() as u64))
    }

    /// Ratings that do not follow from the games in their order, when all are rated anew. Those are looked at twice: what is
    /// rated between the two looks differs in one of them.
    pub(super) async fn unfounded(&self) -> anyhow::Result<Vec<String>> {
        let rating_anew = "rating all games anew";
        let first = self.audit.unfounded().await.context(rating_anew)?;
        if first.is_empty() {
            return Ok(Vec::new());
        }
        let again = self.audit.unfounded().await.context(rating_anew)?;
        Ok(again.iter().filter(|it| first.contains(it)).map(unfounded).collect())
    }

    /// Closes the database.
    pub(super) async fn close(self) {
        self.database.close().await;
    }
}

fn unfounded(Unfounded { key, written, follows }: &Unfounded) -> String {
    let told = |player: &Option<PlayerRating>| {
        player.as_ref().map_or("none".to_owned(), |it| format!("{} by {} games", it.rating.value(), it.games))
    };
    let Key { account, category } = key;
    format!(
        "the rating of {account} in {} ({:?}) does not follow from the games: it is {}, and should be {}",
        category.variant,
        category.speed,
        told(written),
        told(follows)
    )
}

fn said(difference: Difference) -> String {
    match difference {
        Difference::Missing => "its result is final, and it is neither rated nor about to be".to_owned(),
        Difference::Otherwise(how) => how,
    }
}
