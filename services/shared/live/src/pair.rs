//! Pairs: two tickets that become one match, and matches on their way to becoming games.

use uuid::Uuid;

use crate::limits::{self, PAIRS_MAX};
use crate::{LiveError, Moment, Ticket};

/// Two tickets the matchmaker wants to bring together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairProposal {
    /// In which of their pools.
    pub pool: String,
    /// One ticket.
    pub first: Uuid,
    /// The other.
    pub second: Uuid,
    /// The id of the match, and of the game it becomes; never used before.
    pub match_id: Uuid,
}

/// A match that is not a game yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMatch {
    /// Its id.
    pub match_id: Uuid,
    /// In which of their pools its tickets were brought together.
    pub pool: String,
    /// Its tickets as they waited, in the order of the proposal.
    pub tickets: [Ticket; 2],
    /// Until when nobody else is handed this match.
    pub leased_until: Moment,
}

pub(crate) fn check(pairs: &[PairProposal]) -> Result<(), LiveError> {
    limits::size("list of pairs", pairs.len(), PAIRS_MAX)?;
    pairs.iter().try_for_each(|pair| limits::pool(&pair.pool))
}
