//! Rates anew what follows from games that came late or were corrected.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Bound,
};

use chassis::{
    database::{StoreError, Transaction},
    id::GameId,
};
use rules::Side;

use crate::{
    core::{
        advantage::Advantages,
        book::{Book, Change},
        category::Category,
        game::{Game, Place},
        player_rating::{Key, PlayerRating},
    },
    store,
};

/// Games that were not rated in their turn, in their order, by what they count for.
pub(super) type Late = BTreeMap<Category, BTreeMap<Place, Game>>;

/// Rates these games, and anew each later one of whoever stands otherwise for their sake. What does not follow from them is not
/// touched, and a rating that comes to the same as before ends it for its player.
pub(super) async fn replay(on: &Transaction, late: &Late, advantages: &Advantages) -> Result<(), StoreError> {
    for (category, late) in late {
        let mut replay = Replay { late, book: Book::new(advantages.clone()), causes: HashMap::new() };
        let mut games: Vec<Game> = late.values().next().cloned().into_iter().collect();
        let mut rated = 0;
        while let Some(place) = games.last().map(Game::place) {
            rated += replay.page(on, &games).await?;
            if replay.is_over(place) {
                break;
            }
            games = store::game::page(on, Some(category), Some(place)).await?;
        }
        replay.close(on).await?;
        tracing::info!(
            category.variant = %category.variant,
            category.speed = ?category.speed,
            late = late.len(),
            rated,
            "games came late or were corrected; what follows from them is rated anew"
        );
    }
    Ok(())
}

/// Where a player stood before a game was in its turn.
async fn standing_before(on: &Transaction, key: &Key, place: Place) -> Result<PlayerRating, StoreError> {
    if let Some(player) = store::change::standing_before(on, key, place).await? {
        return Ok(player);
    }
    Ok(PlayerRating::beginning(store::seed::find(on, key).await?))
}

/// A replay in one category.
struct Replay<'a> {
    late: &'a BTreeMap<Place, Game>,
    /// Those who stand otherwise than is written.
    book: Book,
    /// For the sake of which game each of them does.
    causes: HashMap<Key, GameId>,
}

impl Replay<'_> {
    /// Whether nothing behind a place is otherwise than is written.
    fn is_over(&self, place: Place) -> bool {
        let behind = (Bound::Excluded(place), Bound::Unbounded);
        self.book.is_empty() && self.late.range(behind).next().is_none()
    }

    /// Goes through games in their order; how many were rated.
    async fn page(&mut self, on: &Transaction, games: &[Game]) -> Result<usize, StoreError> {
        let known = store::change::of_games(on, games.iter().map(|game| game.id).collect()).await?;
        let known: HashMap<(GameId, Side), Change> =
            known.into_iter().map(|change| ((change.game, change.side), change)).collect();
        let mut anew = Vec::new();
        for game in games {
            let keys = game.keys();
            let is_late = self.late.contains_key(&game.place());
            if !is_late && !keys.iter().any(|key| self.book.knows(key)) {
                continue;
            }
            for (side, key) in Side::BOTH.into_iter().zip(&keys) {
                if !self.book.knows(key) {
                    // Nothing before this game has changed for him.
                    let before = match known.get(&(game.id, side)) {
                        Some(change) if change.before.updated.is_some() => change.before.clone(),
                        // He has not played before, or with what he began was not known when this was rated.
                        _ => standing_before(on, key, game.place()).await?,
                    };
                    self.book.set(key.clone(), before);
                }
            }
            let cause = keys.iter().find_map(|key| self.causes.get(key)).copied();
            let cause = if is_late { Some(game.id) } else { cause };
            for change in self.book.rate(game) {
                let written = known.get(&(game.id, change.side));
                if written.is_some_and(|written| written.after == change.after && !is_late) {
                    // It has come to the same: what follows stands.
                    self.book.forget(&change.key);
                    self.causes.remove(&change.key);
                } else if let Some(cause) = cause {
                    self.causes.insert(change.key.clone(), cause);
                }
                // A game that is rated for the first time, though late, is not rated anew.
                anew.push(Change { cause: cause.filter(|_| written.is_some()), ..change });
            }
        }
        store::change::write(on, anew.iter()).await?;
        Ok(anew.len() / 2)
    }

    /// Writes where those stand now who stand otherwise.
    async fn close(self, on: &Transaction) -> Result<(), StoreError> {
        let accounts = self.book.ratings().iter().map(|(key, _)| key.account).collect();
        let written = store::rating::of_players(on, accounts).await?;
        let revisions: HashMap<Key, i64> =
            written.into_iter().map(|(key, _, revision)| (key, revision)).collect();
        let ratings = self.book.ratings();
        let (played, not): (Vec<_>, Vec<_>) =
            ratings.into_iter().partition(|(_, player)| player.updated.is_some());
        let played = played
            .into_iter()
            .map(|(key, player)| (key, player, revisions.get(key).copied().unwrap_or(0) + 1));
        store::rating::write(on, played).await?;
        // Whose only games came to nothing after all has not played.
        store::rating::remove(on, not.into_iter().map(|(key, _)| key)).await
    }
}
