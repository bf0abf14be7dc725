//! Holds what was rated to what should have been.

use std::collections::{BTreeMap, BTreeSet};

use api::rating::v1::ApplyResultRequest;
use chassis::{Database, database::StoreError, id::GameId};
use sea_orm::DbErr;

use crate::{
    core::{
        advantage::Advantages,
        book::{Book, Change},
        game::Game,
        player_rating::{Key, PlayerRating},
    },
    store,
};

/// An audit of the ratings' database. It reads, and writes nothing, so the service may run meanwhile.
#[derive(Clone, Debug)]
pub struct Audit {
    database: Database,
}

/// How a game is rated, where that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It is not rated, and should be.
    Missing,
    /// It is rated otherwise than it should be: how.
    Otherwise(String),
}

impl Audit {
    /// An audit of a database.
    pub fn new(database: Database) -> Self {
        Audit { database }
    }

    /// How many games were rated.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn games(&self) -> Result<u64, DbErr> {
        store::change::count_games(self.database.read()).await
    }

    /// Holds games to the results that should have been reported of them; none means that a game is not to be rated.
    /// Answers which of them are rated, and where that is not as it should be.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn hold(
        &self,
        owed: &BTreeMap<GameId, Option<ApplyResultRequest>>,
    ) -> Result<(BTreeSet<GameId>, BTreeMap<GameId, Difference>), DbErr> {
        let (changes, unreadable) =
            match store::change::of_games(self.database.read(), owed.keys().copied().collect()).await {
                Ok(changes) => (changes, None),
                Err(StoreError::Database(error)) => return Err(error),
                Err(error) => (Vec::new(), Some(error.to_string())),
            };
        let annulled =
            store::moderation::annulled(self.database.read(), owed.keys().map(|game| game.uuid())).await?;
        let mut rated: BTreeMap<GameId, Vec<Change>> = BTreeMap::new();
        for change in changes {
            rated.entry(change.game).or_default().push(change);
        }
        let differences = owed.iter().filter_map(|(id, owed)| {
            let changes = rated.get(id).map_or(&[][..], Vec::as_slice);
            let difference = match (&unreadable, owed) {
                (Some(why), Some(_)) => Some(Difference::Otherwise(why.clone())),
                (_, Some(owed)) => compare(owed, annulled.contains(id), changes),
                (_, None) if changes.is_empty() => None,
                (_, None) => Some(Difference::Otherwise("it is rated, and should not be".to_owned())),
            };
            difference.map(|difference| (*id, difference))
        });
        let differences = differences.collect();
        Ok((rated.into_keys().collect(), differences))
    }

    /// Rates all games anew, from nothing, and holds what is written to what follows. What is rated meanwhile may differ.
    ///
    /// # Errors
    /// When the database does not answer, or holds what cannot be read.
    pub async fn unfounded(&self) -> Result<Vec<Unfounded>, StoreError> {
        let on = self.database.read();
        let advantages = Advantages::new(store::advantage::all(on).await?);
        let (mut book, mut after) = (Book::new(advantages), None);
        let mut last: Option<Key> = None;
        loop {
            let seeds = store::seed::page(on, last.as_ref(), store::game::PAGE).await?;
            let Some((newest, _)) = seeds.last() else { break };
            last = Some(newest.clone());
            for (key, rating) in seeds {
                book.seed(key, rating);
            }
        }
        loop {
            let games = store::game::page(on, None, after).await?;
            let Some(last) = games.last() else { break };
            after = Some(last.place());
            for game in &games {
                book.play(game);
            }
        }
        let mut unfounded = Vec::new();
        let mut last: Option<Key> = None;
        loop {
            let ratings = store::rating::page(on, last.as_ref(), store::game::PAGE).await?;
            let Some((newest, _)) = ratings.last() else { break };
            last = Some(newest.clone());
            for (key, written) in ratings {
                let follows = book.knows(&key).then(|| book.rating(&key));
                book.forget(&key);
                if follows.as_ref() != Some(&written) {
                    unfounded.push(Unfounded { key, written: Some(written), follows });
                }
            }
        }
        let missing = book.ratings().into_iter().map(|(key, follows)| Unfounded {
            key: key.clone(),
            written: None,
            follows: Some(follows.clone()),
        });
        unfounded.extend(missing);
        Ok(unfounded)
    }
}

/// A rating that does not follow from the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfounded {
    /// Whose, and which.
    pub key: Key,
    /// What is written; nothing where nothing is.
    pub written: Option<PlayerRating>,
    /// What follows from the games in their order; nothing for who has not played.
    pub follows: Option<PlayerRating>,
}

/// Where the changes of a game are not those of its result.
fn compare(owed: &ApplyResultRequest, annulled: bool, changes: &[Change]) -> Option<Difference> {
    if changes.is_empty() {
        return Some(Difference::Missing);
    }
    // When it ended is nowhere compared: the ratings know it only of their newest game.
    let game = match Game::try_from(owed.clone()) {
        Ok(game) => Game { annulled, ..game },
        Err(error) => {
            return Some(Difference::Otherwise(format!("its result cannot be rated: {}", error.message)));
        }
    };
    let sides: BTreeSet<usize> = changes.iter().map(|change| change.side.index()).collect();
    let right = changes.len() == rules::Side::BOTH.len() && sides.len() == rules::Side::BOTH.len();
    if right && changes.iter().all(|change| follows(change, &game)) {
        return None;
    }
    let [first, second] = &game.players;
    Some(Difference::Otherwise(format!(
        "it is rated otherwise than as {:?} of {} against {} in {} ({:?})",
        game.verdict(),
        first.id,
        second.id,
        game.category.variant,
        game.category.speed
    )))
}

/// Whether a change is one by this game.
fn follows(change: &Change, game: &Game) -> bool {
    let (player, opponent) = (&game.players[change.side.index()], &game.players[change.side.other().index()]);
    let same = change.key.account == player.id && change.key.category.is_alike(&game.category);
    same && change.opponent == opponent.id && change.verdict == game.verdict()
}
