//! Tells ratings: of a player, how they moved, who leads, and what two players came to.

use std::collections::{BTreeMap, BTreeSet};

use chassis::{
    Database, Env,
    database::StoreError,
    id::{AccountId, FederationId, GameId},
    page::Page,
};
use time::{Date, OffsetDateTime};

use super::{BoardKey, Federations, Standings, WholeHistories};
use crate::{
    core::{
        advantage::Edition,
        book::Change,
        category::Category,
        glicko2::Rating,
        period::{Kept, Led, Period},
        player_rating::{Key, PlayerRating},
        seed::seed,
        standing::{Placed, Standing},
        tally::Tally,
        whole_history::Point,
    },
    error::Error,
    store::{self, board::Board},
    wire::{Leaders, Place},
};

/// The ratings of the database, each as it is to be shown now.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    pub env: Env,
    pub database: Database,
    pub standings: Standings,
    pub histories: WholeHistories,
    pub federations: Federations,
}

impl Ratings {
    /// A player's rating in one category, and where he stands by it; without games that with which he would begin.
    pub(crate) async fn get(&self, key: Key) -> Result<Placed, Error> {
        let Placed { key, player, .. } = self.rating(key).await?;
        self.place(key, player).await
    }

    /// What is known of a rating's player, by the rating as it is now.
    async fn place(&self, key: Key, player: PlayerRating) -> Result<Placed, Error> {
        let standing = self.standings.of(&key, &player).await?;
        let by_history = self.histories.of(&key.category, key.account);
        Ok(Placed { key, player, standing, by_history })
    }

    /// The same without where he stands.
    pub(crate) async fn rating(&self, key: Key) -> Result<Placed, Error> {
        let mut found = self.look_up(vec![key]).await?;
        found.pop().ok_or(Error::Store(StoreError::Corrupt("ratings")))
    }

    /// The same of many, in their order.
    pub(crate) async fn look_up(&self, keys: Vec<Key>) -> Result<Vec<Placed>, Error> {
        let (on, now) = (self.database.read(), self.env.now());
        let accounts: BTreeSet<AccountId> = keys.iter().map(|key| key.account).collect();
        // With those of anything alike, with which somebody would begin.
        let mut has: BTreeMap<AccountId, Vec<(Category, PlayerRating)>> = BTreeMap::new();
        for (key, player, _) in store::rating::of_players(on, accounts).await? {
            has.entry(key.account).or_default().push((key.category, player));
        }
        let of = |key: &Key| has.get(&key.account).into_iter().flatten();
        let is_known = |key: &Key| of(key).any(|(category, _)| *category == key.category);
        let newcomers: BTreeSet<AccountId> =
            keys.iter().filter(|key| !is_known(key)).map(|key| key.account).collect();
        let began: BTreeMap<Key, Rating> =
            store::seed::of_players(on, newcomers).await?.into_iter().collect();
        let placed = |key: Key| {
            let begins = || {
                let alike = of(&key).map(|(category, player)| (category, player));
                let began = began.get(&key).copied();
                PlayerRating::beginning(began.or_else(|| seed(&key.category, alike, now)))
            };
            let own = of(&key).find(|(category, _)| *category == key.category);
            let player = own.map_or_else(begins, |(_, player)| player.clone().at(now));
            Placed::alone(key, player)
        };
        Ok(keys.into_iter().map(placed).collect())
    }

    /// Where a player stands everywhere, by variant and speed class.
    pub(crate) async fn of_account(&self, account: AccountId) -> Result<Vec<Placed>, Error> {
        let mut ratings = store::rating::of_account(self.database.read(), account).await?;
        // Not left to the database: PostgreSQL's order of text depends on its locale.
        ratings.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut shown = Vec::with_capacity(ratings.len());
        for (key, player) in ratings {
            shown.push(self.place(key, player.at(self.env.now())).await?);
        }
        Ok(shown)
    }

    /// How a rating moved, newest first, and the token of the next page.
    pub(crate) async fn history(&self, key: &Key, page: &Page<u32>) -> Result<(Vec<Change>, String), Error> {
        let found = store::change::history(self.database.read(), key, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.after.games))
    }

    /// How a rating moved over a time, in at most so many steps, oldest first, and the same by the whole history.
    pub(crate) async fn graph(
        &self,
        key: &Key,
        start: Option<OffsetDateTime>,
        end: Option<OffsetDateTime>,
        steps: u32,
    ) -> Result<(Vec<Change>, Vec<Point>), Error> {
        // The last game may have ended at this very moment.
        let end = end.unwrap_or(self.env.now() + time::Duration::MICROSECOND);
        let changes = store::change::graph(self.database.read(), key, (start, end), steps).await?;
        let curve = self.histories.curve(&key.category, key.account);
        let is_asked =
            |day: Date| start.is_none_or(|start| start.date() <= day) && day.midnight().assume_utc() < end;
        let curve = curve.into_iter().filter(|point| is_asked(point.day)).collect();
        Ok((changes, thinned(curve, steps)))
    }

    /// What these games did to ratings, each by its sides.
    pub(crate) async fn changes_of(&self, games: BTreeSet<GameId>) -> Result<Vec<Change>, Error> {
        Ok(store::change::of_games(self.database.read(), games).await?)
    }

    /// What the games of two players came to, as the one sees it, by variant and speed class.
    pub(crate) async fn head_to_head(
        &self,
        one: AccountId,
        other: AccountId,
    ) -> Result<BTreeMap<Category, Tally>, Error> {
        Ok(store::change::tallies(self.database.read(), one, other).await?)
    }

    /// What was ever said of what the first move and handicap stones are worth.
    pub(crate) async fn advantages(&self) -> Result<Vec<Edition>, Error> {
        Ok(store::advantage::all(self.database.read()).await?)
    }

    /// Who leads a category, highest first, and the token of the next page.
    pub(crate) async fn leaders(&self, asked: &Leaders) -> Result<(Vec<Placed>, String), Error> {
        let Leaders { federation, category, provisional, period, page } = asked;
        match (*federation, *period) {
            (federation, Some(period)) => {
                return self.led(Board { federation, category, period }, page).await;
            }
            (Some(federation), None) => return self.leaders_of(federation, asked).await,
            (None, None) => {}
        }
        let (on, now) = (self.database.read(), self.env.now());
        let below = page.after.map(|place| (place.rating(), place.account));
        let found = store::rating::leaders(on, category, (*provisional, now), below, page.fetch()).await?;
        let mut last = page.after;
        let placed = found.into_iter().map(|(key, player)| {
            let place = Place::below(last, &key, &player);
            last = Some(place);
            (key, player.at(now), place)
        });
        let (leaders, next) = page.cut(placed.collect(), |(_, _, place)| *place);
        let histogram = if *provisional { None } else { Some(self.standings.histogram(category).await?) };
        let placed = |(key, player, place): (Key, PlayerRating, Place)| Placed {
            standing: histogram.as_ref().map(|histogram| histogram.at(place.rank)),
            by_history: self.histories.of(category, key.account),
            key,
            player,
        };
        Ok((leaders.into_iter().map(placed).collect(), next))
    }
}

impl Ratings {
    /// Who leads among the members of a federation.
    async fn leaders_of(
        &self,
        federation: FederationId,
        asked: &Leaders,
    ) -> Result<(Vec<Placed>, String), Error> {
        let Leaders { category, provisional, page, .. } = asked;
        let key = BoardKey { federation, category: category.clone(), provisional: *provisional };
        let board = self.federations.board(&key).await?;
        // By who stood last on the page before: places may have moved since.
        let begins = page.after.map_or(0, |last| {
            board.it.led.partition_point(|led| {
                let order = led.player.rating.value().total_cmp(&last.rating());
                order.then(led.account.uuid().cmp(&last.account)).is_ge()
            })
        });
        let standing =
            |rank| (!*provisional).then_some(Standing { rank, ranked: board.it.count, counted: board.at });
        let placed = board
            .it
            .led
            .iter()
            .skip(begins)
            .take(usize::try_from(page.fetch()).unwrap_or(usize::MAX))
            .map(|led| {
                let key = Key { account: led.account, category: category.clone() };
                let place = Place::kept(&key, &led.player, (led.position, led.rank));
                let by_history = self.histories.of(category, led.account);
                (Placed { key, player: led.player.clone(), standing: standing(led.rank), by_history }, place)
            });
        let (led, next) = page.cut(placed.collect(), |(_, place)| *place);
        Ok((led.into_iter().map(|(placed, _)| placed).collect(), next))
    }

    /// Who led a category at the end of a month.
    async fn led(&self, board: Board<'_>, page: &Page<Place>) -> Result<(Vec<Placed>, String), Error> {
        let on = self.database.read();
        let kept = store::board::find(on, board).await?.ok_or(Error::NoSuchPeriod)?;
        let below = page.after.map_or(0, |place| place.position);
        let found = store::board::page(on, board, (below, page.fetch())).await?;
        let placed = found.into_iter().map(|led| {
            let Led { position, rank, account, player } = led;
            let key = Key { account, category: board.category.clone() };
            let place = Place::kept(&key, &player, (position, rank));
            let standing = Some(Standing { rank, ranked: kept.ranked, counted: kept.at });
            (Placed { key, player, standing, by_history: None }, place)
        });
        let (led, next) = page.cut(placed.collect(), |(_, place)| *place);
        Ok((led.into_iter().map(|(placed, _)| placed).collect(), next))
    }

    /// The months of which leaderboards of a category were kept, newest first, and the token of the next page.
    pub(crate) async fn periods(
        &self,
        federation: Option<FederationId>,
        category: &Category,
        page: &Page<i16>,
    ) -> Result<(Vec<Kept>, String), Error> {
        let before = page.after.and_then(Period::numbered);
        let of = (federation, category);
        let found = store::board::kept(self.database.read(), of, before, page.fetch()).await?;
        Ok(page.cut(found, |last| last.period.number()))
    }
}

/// At most so many of these, evenly, the last among them.
fn thinned(curve: Vec<Point>, at_most: u32) -> Vec<Point> {
    let every = curve.len().div_ceil(at_most.max(1) as usize).max(1);
    let last = curve.len().saturating_sub(1);
    let kept = curve.into_iter().enumerate().filter(|(place, _)| (last - place).is_multiple_of(every));
    kept.map(|(_, point)| point).collect()
}
