//! Pairs: two tickets that become one match, and matches on their way to becoming games.

use bytes::Bytes;
use uuid::Uuid;

use crate::limits::{self, MATCH_PAYLOAD_MAX, PAIRS_MAX};
use crate::{LiveError, Moment};

/// Two tickets the matchmaker wants to bring together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairProposal {
    /// One ticket.
    pub first: Uuid,
    /// The other.
    pub second: Uuid,
    /// The id of the match, and of the game it becomes; never used before.
    pub match_id: Uuid,
    /// What is needed to create the game, opaque here; at most 16 KiB.
    pub payload: Bytes,
}

/// A match that is not a game yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingMatch {
    /// Its id.
    pub match_id: Uuid,
    /// Its tickets, in the order of the proposal.
    pub tickets: [Uuid; 2],
    /// The payload of the proposal.
    pub payload: Bytes,
    /// Until when nobody else is handed this match.
    pub leased_until: Moment,
}

pub(crate) fn check(pairs: &[PairProposal]) -> Result<(), LiveError> {
    limits::size("list of pairs", pairs.len(), PAIRS_MAX)?;
    pairs
        .iter()
        .try_for_each(|pair| limits::size("payload of a match", pair.payload.len(), MATCH_PAYLOAD_MAX))
}
