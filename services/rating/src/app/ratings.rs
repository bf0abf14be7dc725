//! Tells ratings: of a player, how they moved, and who leads.

use chassis::{Database, Env, id::AccountId, page::Page};

use crate::{
    core::{
        book::{Change, Key},
        category::Category,
        standing::Standing,
    },
    error::Error,
    store,
    wire::Place,
};

/// The ratings of the database, each as it is to be shown now.
#[derive(Clone, Debug)]
pub struct Ratings {
    pub env: Env,
    pub database: Database,
}

impl Ratings {
    /// Where a player stands in one category, also without games.
    pub async fn get(&self, key: &Key) -> Result<Standing, Error> {
        let standing = store::rating::find(self.database.read(), key).await?;
        Ok(standing.unwrap_or(Standing::INITIAL).at(self.env.now()))
    }

    /// Where a player stands everywhere, by variant and speed class.
    pub async fn of_account(&self, account: AccountId) -> Result<Vec<(Key, Standing)>, Error> {
        let mut standings = store::rating::of_account(self.database.read(), account).await?;
        // Not left to the database: PostgreSQL's order of text depends on its locale.
        standings.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(self.shown(standings))
    }

    /// How a rating moved, newest first, and the token of the next page.
    pub async fn history(&self, key: &Key, page: &Page<u32>) -> Result<(Vec<Change>, String), Error> {
        let found = store::change::history(self.database.read(), key, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.after.games))
    }

    /// Who leads a category, highest first, and the token of the next page.
    pub async fn leaders(
        &self,
        category: &Category,
        page: &Page<Place>,
    ) -> Result<(Vec<(Key, Standing)>, String), Error> {
        let (on, now) = (self.database.read(), self.env.now());
        let below = page.after.map(|place| (place.rating(), place.account));
        let found = store::rating::leaders(on, category, now, below, page.fetch()).await?;
        let (leaders, next) = page.cut(found, |(key, standing)| Place::of(key, standing));
        Ok((self.shown(leaders), next))
    }

    fn shown(&self, standings: Vec<(Key, Standing)>) -> Vec<(Key, Standing)> {
        let now = self.env.now();
        standings.into_iter().map(|(key, standing)| (key, standing.at(now))).collect()
    }
}
