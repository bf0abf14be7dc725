//! Where a player stands in one category.

use chassis::id::AccountId;
use time::OffsetDateTime;

use super::{
    category::Category,
    glicko2::{Periods, Rating},
};

/// Whose rating, and which.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The player.
    pub account: AccountId,
    /// The variant and the speed class.
    pub category: Category,
}

/// A player's rating in one category and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRating {
    /// The rating when it last changed.
    pub rating: Rating,
    /// How many rated games it rests on.
    pub games: u32,
    /// The player's name when it last changed; empty before.
    pub name: String,
    /// When it last changed: the end of the latest of its games. `None` for an initial rating.
    pub updated: Option<OffsetDateTime>,
}

impl PlayerRating {
    /// Where somebody stands who has not played.
    pub const INITIAL: PlayerRating =
        PlayerRating { rating: Rating::INITIAL, games: 0, name: String::new(), updated: None };

    /// Where somebody stands who has not played and begins with this; with the initial rating if with nothing.
    pub fn beginning(with: Option<Rating>) -> PlayerRating {
        PlayerRating { rating: with.unwrap_or(Rating::INITIAL), ..PlayerRating::INITIAL }
    }

    /// The time without games until `now`: none when `now` is before the last change, as when the results of
    /// two games arrive out of order.
    pub fn idle_until(&self, now: OffsetDateTime) -> Periods {
        let idle = self.updated.and_then(|updated| (now - updated).try_into().ok());
        idle.map_or(Periods::ZERO, Periods::of)
    }

    /// The same as it is to be shown at `now`: its deviation has grown since the last change.
    #[must_use]
    pub fn at(self, now: OffsetDateTime) -> PlayerRating {
        PlayerRating { rating: self.rating.idle(self.idle_until(now)), ..self }
    }

    /// The moment from which it is provisional unless a game comes before; `None` when it is provisional
    /// already.
    pub fn ranked_until(&self) -> Option<OffsetDateTime> {
        self.updated?.checked_add(self.rating.ranked_for()?.try_into().ok()?)
    }

    /// The same after one more game, which ended at `ended`.
    #[must_use]
    pub fn after(&self, rating: Rating, name: &str, ended: OffsetDateTime) -> PlayerRating {
        PlayerRating {
            rating,
            games: self.games.saturating_add(1),
            name: name.to_owned(),
            updated: self.updated.max(Some(ended)),
        }
    }
}
