//! A finished rated game, as the ratings see it.

use chassis::id::{AccountId, EventId, FederationId, GameId};
use rules::{Side, Verdict};
use scrutiny::Ending;
use time::OffsetDateTime;

use super::{category::Category, glicko2::Score, player_rating::Key};

/// A finished rated game between two different accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its id: a game is rated once.
    pub id: GameId,
    /// Which ratings it counts for.
    pub category: Category,
    /// The first side and the second.
    pub players: [Player; 2],
    /// Who won, as it was told last.
    pub told: Verdict,
    /// Whether a moderator has annulled it for the ratings, whatever is told of it.
    pub annulled: bool,
    /// The event that it belongs to.
    pub event: Option<EventId>,
    /// The federation that it belongs to.
    pub federation: Option<FederationId>,
    /// When it ended.
    pub ended: OffsetDateTime,
    /// Which telling of it this is: one with a higher number corrects those before it.
    pub sequence: u64,
    /// The first side's handicap: 0 for none, 1 for the first move without stones, else its stones.
    pub handicap: u8,
    /// How many acts it had.
    pub acts: u32,
    /// How it ended; nothing where that was not told.
    pub ending: Option<Ending>,
}

/// Where a game stands among all: by its end, and between games that ended at once by its id. Ratings follow from the games in
/// this order, in whatever order they were told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// When it ended.
    pub ended: OffsetDateTime,
    /// Which it is.
    pub game: GameId,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The account.
    pub id: AccountId,
    /// Its name at the end of the game.
    pub name: String,
}

impl Game {
    /// What it is rated as: nothing where it was annulled.
    pub const fn verdict(&self) -> Verdict {
        if self.annulled { Verdict::Void } else { self.told }
    }

    /// Its place among all games.
    pub const fn place(&self) -> Place {
        Place { ended: self.ended, game: self.id }
    }

    /// The ratings that it counts for, the first side's first.
    pub fn keys(&self) -> [Key; 2] {
        self.players.each_ref().map(|player| self.key_of(player))
    }

    /// The rating of one of its players that it counts for.
    pub fn key_of(&self, player: &Player) -> Key {
        Key { account: player.id, category: self.category.clone() }
    }
}

/// What a verdict counts for the first side and the second; `None` when for nothing.
pub const fn scores(verdict: Verdict) -> Option<[Score; 2]> {
    match verdict {
        Verdict::Win(Side::First) => Some([Score::Win, Score::Loss]),
        Verdict::Win(Side::Second) => Some([Score::Loss, Score::Win]),
        Verdict::Draw => Some([Score::Draw, Score::Draw]),
        Verdict::BothLose => Some([Score::Loss, Score::Loss]),
        Verdict::Void => None,
    }
}
