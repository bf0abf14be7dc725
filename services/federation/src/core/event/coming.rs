//! The games of an event that are still to begin, at a time that is known.

use chassis::id::AccountId;
use time::OffsetDateTime;

use super::{BoardId, Event, Stage, round::Round};

/// A game that somebody is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Who.
    pub account: AccountId,
    /// Where.
    pub board: BoardId,
    /// When it begins.
    pub starts: OffsetDateTime,
}

impl Event {
    /// Who is to play between two moments: when his round begins, or at the time to which his board was postponed or arranged. Of a
    /// round that is not public nobody knows, nor of what was to begin and has not.
    pub fn coming(&self, after: OffsetDateTime, until: OffsetDateTime) -> Vec<Coming> {
        if self.stage == Stage::Cancelled {
            return Vec::new();
        }
        let mut found = Vec::new();
        for round in &self.rounds {
            for (board, seat, state) in round.laid() {
                // One that is postponed counts as something until it is played.
                let is_open = state.result.is_none() && state.started.is_none();
                let of_round = || self.still_begins(round).filter(|_| is_open && state.arrangement.is_none());
                let starts = state.postponed.or_else(of_round);
                let Some(starts) = starts.filter(|starts| after < *starts && *starts <= until) else {
                    continue;
                };
                let players = seat.players.iter().filter_map(|player| self.participant(*player));
                let accounts = players.filter_map(|player| player.entrant.account);
                found.extend(accounts.map(|account| Coming { account, board, starts }));
            }
        }
        found
    }

    /// When a round begins that has not.
    fn still_begins(&self, round: &Round) -> Option<OffsetDateTime> {
        round.published.start.filter(|_| round.started.is_none() && self.settings.arranging.is_none())
    }
}
