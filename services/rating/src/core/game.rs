//! A finished rated game, as the ratings see it.

use chassis::id::{AccountId, GameId};
use time::OffsetDateTime;

use super::{book::Key, category::Category, glicko2::Score};

/// A finished rated game between two different accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its id: a game is rated once.
    pub id: GameId,
    /// Which ratings it counts for.
    pub category: Category,
    /// The first side and the second.
    pub players: [Player; 2],
    /// Who won.
    pub verdict: Verdict,
    /// When it ended.
    pub ended: OffsetDateTime,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The account.
    pub id: AccountId,
    /// Its name at the end of the game.
    pub name: String,
}

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who acts first at the start.
    First,
    /// The other.
    Second,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first side.
    FirstWins,
    /// The second side.
    SecondWins,
    /// Neither; half a point each.
    Draw,
    /// Both lost; no point for either.
    BothLose,
    /// The game counts for nothing.
    Void,
}

impl Game {
    /// The rating of one of its players that it counts for.
    pub fn key_of(&self, player: &Player) -> Key {
        Key { account: player.id, category: self.category.clone() }
    }
}

impl Side {
    /// Both sides, in the order of [`Game::players`].
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Its place in [`Game::players`].
    pub const fn index(self) -> usize {
        match self {
            Side::First => 0,
            Side::Second => 1,
        }
    }

    /// The opponent's side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl Verdict {
    /// What it counts for the first side and the second; `None` when for nothing.
    pub const fn scores(self) -> Option<[Score; 2]> {
        match self {
            Verdict::FirstWins => Some([Score::Win, Score::Loss]),
            Verdict::SecondWins => Some([Score::Loss, Score::Win]),
            Verdict::Draw => Some([Score::Draw, Score::Draw]),
            Verdict::BothLose => Some([Score::Loss, Score::Loss]),
            Verdict::Void => None,
        }
    }
}
