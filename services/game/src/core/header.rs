//! A game without its position: all that lists need, and whoever only asks whose game it is and how it stands.

use chassis::id::AccountId;
use rules::Side;
use time::OffsetDateTime;

use super::{Event, EventKind, Game, GameInfo, GameState, Progress};

/// What a game is and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What does not change.
    pub info: GameInfo,
    /// The number of the last event.
    pub sequence: u64,
    /// When it happened.
    pub updated: OffsetDateTime,
    /// Where the game stands.
    pub state: GameState,
}

impl Header {
    /// A game between the two ends of its log; none if that does not begin with a creation.
    pub fn between(first: &Event, last: Event) -> Option<Self> {
        let EventKind::Created(info) = &first.kind else { return None };
        let Event { sequence, time: updated, state, .. } = last;
        Some(Header { info: info.as_ref().clone(), sequence, updated, state })
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        self.state.outcome.is_some()
    }

    /// What is under way around the board.
    pub const fn progress(&self) -> &Progress {
        &self.state.progress
    }

    /// The side of an account.
    pub fn side_of(&self, account: AccountId) -> Option<Side> {
        let seats = self.info.seats_in(self.progress());
        Side::BOTH.into_iter().find(|side| seats[side.index()].account == Some(account))
    }
}

impl From<&Game> for Header {
    fn from(game: &Game) -> Self {
        Header {
            info: game.info.clone(),
            sequence: game.sequence,
            updated: game.updated,
            state: game.state.clone(),
        }
    }
}
