//! Tells ratings: of a player, how they moved, and who leads.

use chassis::{Database, Env, id::AccountId, page::Page};

use crate::{
    core::{
        book::Change,
        category::Category,
        player_rating::{Key, PlayerRating},
    },
    error::Error,
    store,
    wire::Place,
};

/// The ratings of the database, each as it is to be shown now.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    pub env: Env,
    pub database: Database,
}

impl Ratings {
    /// Where a player stands in one category, also without games.
    pub(crate) async fn get(&self, key: &Key) -> Result<PlayerRating, Error> {
        let player = store::rating::find(self.database.read(), key).await?;
        Ok(player.unwrap_or(PlayerRating::INITIAL).at(self.env.now()))
    }

    /// Where a player stands everywhere, by variant and speed class.
    pub(crate) async fn of_account(&self, account: AccountId) -> Result<Vec<(Key, PlayerRating)>, Error> {
        let mut ratings = store::rating::of_account(self.database.read(), account).await?;
        // Not left to the database: PostgreSQL's order of text depends on its locale.
        ratings.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(self.shown(ratings))
    }

    /// How a rating moved, newest first, and the token of the next page.
    pub(crate) async fn history(&self, key: &Key, page: &Page<u32>) -> Result<(Vec<Change>, String), Error> {
        let found = store::change::history(self.database.read(), key, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.after.games))
    }

    /// Who leads a category, highest first, and the token of the next page.
    pub(crate) async fn leaders(
        &self,
        category: &Category,
        page: &Page<Place>,
    ) -> Result<(Vec<(Key, PlayerRating)>, String), Error> {
        let (on, now) = (self.database.read(), self.env.now());
        let below = page.after.map(|place| (place.rating(), place.account));
        let found = store::rating::leaders(on, category, now, below, page.fetch()).await?;
        let (leaders, next) = page.cut(found, |(key, player)| Place::of(key, player));
        Ok((self.shown(leaders), next))
    }

    fn shown(&self, ratings: Vec<(Key, PlayerRating)>) -> Vec<(Key, PlayerRating)> {
        let now = self.env.now();
        ratings.into_iter().map(|(key, player)| (key, player.at(now))).collect()
    }
}
