//! The book of ratings: what each game does to two of them, game by game.
//!
//! A book knows only whom it was told of; where that comes from, and in which order games are rated, is not its business.

use std::collections::HashMap;

use chassis::id::{AccountId, GameId};
use rules::{Side, Verdict};

use super::{
    advantage::Advantages,
    game::{Game, scores},
    glicko2::{self, Rating},
    player_rating::{Key, PlayerRating},
};

/// What one game did to one rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The game.
    pub game: GameId,
    /// Which side the player had.
    pub side: Side,
    /// Whose rating, and which.
    pub key: Key,
    /// The opponent.
    pub opponent: AccountId,
    /// The opponent's rating before the game.
    pub opponent_before: f64,
    /// How the game ended.
    pub verdict: Verdict,
    /// Where the player stood before the game.
    pub before: PlayerRating,
    /// Where the player stood after it; for a void game, where the player stood anyway.
    pub after: PlayerRating,
    /// The game for whose sake this was reckoned anew after it had been once: it came late, or was corrected.
    pub cause: Option<GameId>,
}

/// What one game did to the first side and the second.
pub type Changes = [Change; 2];

/// Where players stand.
#[derive(Clone, Debug, Default)]
pub struct Book {
    ratings: HashMap<Key, PlayerRating>,
    /// With what players begin who have not played.
    seeds: HashMap<Key, Rating>,
    /// By how much first sides are stronger than their ratings.
    advantages: Advantages,
}

impl Book {
    /// A book that knows nobody yet.
    pub fn new(advantages: Advantages) -> Self {
        Book { advantages, ..Book::default() }
    }

    /// Says where a player stands. Who is not said to stand anywhere has not played.
    pub fn set(&mut self, key: Key, player: PlayerRating) {
        self.ratings.insert(key, player);
    }

    /// Says with what a player begins who has not played. Who is not said to begins with the initial rating.
    pub fn seed(&mut self, key: Key, rating: Rating) {
        self.seeds.insert(key, rating);
    }

    /// Whether it is said with what a player begins.
    pub fn is_seeded(&self, key: &Key) -> bool {
        self.seeds.contains_key(key)
    }

    /// Forgets where a player stands.
    pub fn forget(&mut self, key: &Key) {
        self.ratings.remove(key);
    }

    /// Whether it is known where a player stands.
    pub fn knows(&self, key: &Key) -> bool {
        self.ratings.contains_key(key)
    }

    /// Whether nobody is known.
    pub fn is_empty(&self) -> bool {
        self.ratings.is_empty()
    }

    /// Where a player stands now.
    pub fn rating(&self, key: &Key) -> PlayerRating {
        let begins = || PlayerRating::beginning(self.seeds.get(key).copied());
        self.ratings.get(key).cloned().unwrap_or_else(begins)
    }

    /// Where all stand, in the order of their keys.
    pub fn ratings(&self) -> Vec<(&Key, &PlayerRating)> {
        let mut ratings: Vec<_> = self.ratings.iter().collect();
        ratings.sort_unstable_by_key(|(key, _)| *key);
        ratings
    }

    /// Rates a game, the next one of both its players. A void one changes nothing.
    pub fn play(&mut self, game: &Game) {
        self.enter(game);
    }

    /// The same, and says what it did.
    pub fn rate(&mut self, game: &Game) -> Changes {
        let (keys, before, after) = self.enter(game);
        Side::BOTH.map(|side| {
            let (me, other) = (side.index(), side.other().index());
            Change {
                game: game.id,
                side,
                key: keys[me].clone(),
                opponent: game.players[other].id,
                opponent_before: before[other].rating.value(),
                verdict: game.verdict(),
                before: before[me].clone(),
                after: after[me].clone(),
                cause: None,
            }
        })
    }

    /// Enters a game: whose ratings it is about, and where both stood before and stand after it.
    fn enter(&mut self, game: &Game) -> ([Key; 2], [PlayerRating; 2], [PlayerRating; 2]) {
        let keys = game.keys();
        let before = keys.each_ref().map(|key| self.rating(key));
        let after = rate(game, &before, self.advantages.of(game));
        if game.verdict() != Verdict::Void {
            self.ratings.extend(keys.clone().into_iter().zip(after.clone()));
        }
        (keys, before, after)
    }
}

/// Where both stand after a game in which the first side was stronger than its rating by so much.
fn rate(game: &Game, before: &[PlayerRating; 2], advantage: f64) -> [PlayerRating; 2] {
    let Some(scores) = scores(game.verdict()) else {
        return before.clone();
    };
    let [first, second] = Side::BOTH.map(|side| {
        let player = &before[side.index()];
        (player.rating, player.idle_until(game.ended), scores[side.index()])
    });
    let (first, second) = glicko2::play(first, second, advantage);
    [
        before[0].after(first, &game.players[0].name, game.ended),
        before[1].after(second, &game.players[1].name, game.ended),
    ]
}

#[cfg(test)]
mod tests;
