//! What a ticket is now, as its owner is told.

use chassis::id::{GameId, TicketId};
use rules::Side;
use time::OffsetDateTime;

use super::{Match, Outlook, Player, Settings};

/// What a ticket is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It waits.
    Waiting {
        /// Since when.
        since: OffsetDateTime,
        /// What it has to expect.
        outlook: Outlook,
        /// The rating difference that its owner accepts.
        window: u32,
        /// Other pools in which somebody waits, and how many.
        others: Vec<(Settings, u32)>,
        /// When it leaves the queue for another game of its owner's.
        leaves: Option<OffsetDateTime>,
    },
    /// It is to become a long game, if both accept that.
    Offered {
        /// What is to be played.
        settings: Box<Settings>,
        /// Until when its owner may answer.
        until: OffsetDateTime,
        /// Whether he has accepted.
        accepted: bool,
    },
    /// It has become a game that exists.
    Matched {
        /// The game.
        game: GameId,
        /// The owner's side.
        side: Side,
        /// The opponent.
        opponent: Player,
    },
    /// Its owner withdrew it.
    Cancelled,
    /// Nobody held on to it.
    Expired,
}

impl Status {
    /// What a ticket of a match is once the game exists; `None` for a ticket that is no part of it.
    pub fn matched(matched: &Match, ticket: TicketId) -> Option<Self> {
        let (side, opponent) = matched.seat(ticket)?;
        Some(Status::Matched { game: matched.game, side, opponent: opponent.clone() })
    }

    /// Whether it never changes again.
    pub const fn is_final(&self) -> bool {
        !matches!(self, Status::Waiting { .. } | Status::Offered { .. })
    }
}
