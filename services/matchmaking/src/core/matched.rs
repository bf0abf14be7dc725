//! Who was matched with whom, and what has become of it.

use chassis::id::{AccountId, ChallengeId, GameId, TicketId};
use rules::Side;

use super::{History, Settings, side_of_one};

/// The highest rating that is taken over: far beyond any that a system of ratings gives.
const RATING_MAX: f64 = 100_000.0;

/// A player as his ticket names him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// His account.
    pub account: AccountId,
    /// His name when he opened the ticket.
    pub name: String,
    /// His rating then, rounded.
    pub rating: u32,
    /// The ticket with which he looks for a game.
    pub ticket: TicketId,
}

/// Two players who were taken out of a pool together; who is first is not yet known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The game's id, with which the pair is known everywhere.
    pub game: GameId,
    /// What they play.
    pub settings: Settings,
    /// The two, in no order.
    pub players: [Player; 2],
}

/// Two players and their sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The game's id.
    pub game: GameId,
    /// What they play.
    pub settings: Settings,
    /// Who has the first side.
    pub first: Player,
    /// Who has the second.
    pub second: Player,
    /// The challenge that it came of; nothing if the queue has made it.
    pub challenge: Option<ChallengeId>,
}

/// What has become of a match. It only ever leaves `Pending`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchState {
    /// The game has yet to be made.
    Pending,
    /// The game exists.
    Created,
    /// The game was refused for good: there is none and will be none.
    Failed,
}

impl Player {
    /// A rating as a player has it on a ticket: rounded, and far beyond any rating there is at most;
    /// `None` for what is no number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is clamped to what the type holds"
    )]
    pub fn round(rating: f64) -> Option<u32> {
        rating.is_finite().then(|| rating.clamp(0.0, RATING_MAX).round() as u32)
    }
}

impl Pair {
    /// Gives the two their sides, by the sides they had so far; the coin decides between equals.
    #[must_use]
    pub fn seated(self, histories: [History; 2], coin: bool) -> Match {
        self.seated_at(side_of_one(histories[0], histories[1], coin))
    }

    /// The same with the side that the first of the two has chosen.
    #[must_use]
    pub fn seated_at(self, side: Side) -> Match {
        let [one, other] = self.players;
        let (first, second) = if side == Side::First { (one, other) } else { (other, one) };
        Match { game: self.game, settings: self.settings, first, second, challenge: None }
    }
}

impl Match {
    /// The player with a ticket; `None` for a ticket that is no part of it.
    pub fn player(&self, ticket: TicketId) -> Option<&Player> {
        [&self.first, &self.second].into_iter().find(|player| player.ticket == ticket)
    }

    /// The side of a ticket and the opponent; `None` for a ticket that is no part of it.
    pub fn seat(&self, ticket: TicketId) -> Option<(Side, &Player)> {
        if self.first.ticket == ticket {
            Some((Side::First, &self.second))
        } else if self.second.ticket == ticket {
            Some((Side::Second, &self.first))
        } else {
            None
        }
    }
}
