//! The book of rated games: it enters each game once, and says what the game did.
//!
//! A book holds only what the games at hand concern; where it comes from and how it is kept is the business
//! of `store`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chassis::id::{AccountId, GameId};
use rules::{Side, Verdict};

use super::{
    game::{Game, scores},
    glicko2,
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
    /// The rating before the game.
    pub before: f64,
    /// Where the player stood after it; for a void game, where the player stood anyway.
    pub after: PlayerRating,
}

/// What one game did to the first side and the second.
pub type Changes = [Change; 2];

/// The game is in the book already, with other players, another category or another verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is already rated with other players, variant, speed class or verdict")]
pub struct Contradiction;

/// Rated games and where their players stand.
#[derive(Clone, Debug, Default)]
pub struct Book {
    rated: HashMap<GameId, Changes>,
    ratings: BTreeMap<Key, PlayerRating>,
    entered: Vec<GameId>,
    moved: BTreeSet<Key>,
}

impl Book {
    /// A book with games that were entered before, and where players stand after them. Who is missing has not
    /// played yet.
    pub fn open(
        rated: impl IntoIterator<Item = Changes>,
        ratings: impl IntoIterator<Item = (Key, PlayerRating)>,
    ) -> Book {
        Book {
            rated: rated.into_iter().map(|changes| (changes[0].game, changes)).collect(),
            ratings: ratings.into_iter().collect(),
            ..Book::default()
        }
    }

    /// Enters a game, and says what it did. A game that is in the book already does nothing more: the answer
    /// is what it did then.
    ///
    /// # Errors
    /// [`Contradiction`] when the book knows the game otherwise.
    pub fn enter(&mut self, game: &Game) -> Result<Changes, Contradiction> {
        if let Some(changes) = self.rated.get(&game.id) {
            return if is_of(changes, game) { Ok(changes.clone()) } else { Err(Contradiction) };
        }
        let before = game.players.each_ref().map(|player| self.rating(&game.key_of(player)));
        let after = rate(game, &before);
        let changes = Side::BOTH.map(|side| {
            let (me, other) = (side.index(), side.other().index());
            Change {
                game: game.id,
                side,
                key: game.key_of(&game.players[me]),
                opponent: game.players[other].id,
                opponent_before: before[other].rating.value(),
                verdict: game.verdict,
                before: before[me].rating.value(),
                after: after[me].clone(),
            }
        });
        if game.verdict != Verdict::Void {
            for change in &changes {
                self.ratings.insert(change.key.clone(), change.after.clone());
                self.moved.insert(change.key.clone());
            }
        }
        self.entered.push(game.id);
        self.rated.insert(game.id, changes.clone());
        Ok(changes)
    }

    /// Where a player stands now.
    pub fn rating(&self, key: &Key) -> PlayerRating {
        self.ratings.get(key).cloned().unwrap_or(PlayerRating::INITIAL)
    }

    /// What the games did that were entered since the book was opened.
    pub fn entered(&self) -> impl Iterator<Item = &Change> {
        self.entered.iter().filter_map(|game| self.rated.get(game)).flatten()
    }

    /// Where those stand, in the order of their keys, whose ratings have moved since the book was opened.
    pub fn moved(&self) -> impl Iterator<Item = (&Key, &PlayerRating)> {
        self.moved.iter().filter_map(|key| self.ratings.get_key_value(key))
    }
}

/// Where both stand after a game.
fn rate(game: &Game, before: &[PlayerRating; 2]) -> [PlayerRating; 2] {
    let Some(scores) = scores(game.verdict) else {
        return before.clone();
    };
    let [first, second] = Side::BOTH.map(|side| {
        let player = &before[side.index()];
        (player.rating, player.idle_until(game.ended), scores[side.index()])
    });
    let (first, second) = glicko2::play(first, second);
    [
        before[0].after(first, &game.players[0].name, game.ended),
        before[1].after(second, &game.players[1].name, game.ended),
    ]
}

/// Whether these are the changes of this very game. Names and the time are not compared: the first report of
/// them stands.
fn is_of(changes: &Changes, game: &Game) -> bool {
    changes
        .iter()
        .zip(&game.players)
        .all(|(change, player)| change.key == game.key_of(player) && change.verdict == game.verdict)
}

#[cfg(test)]
mod tests;
