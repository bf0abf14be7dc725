//! What the server does about leave: where games are by correspondence they rest from its beginning to its end.

use time::OffsetDateTime;

use super::{Leave, LeaveFact, by_correspondence};
use crate::core::event::{BoardId, Event, Fact, Round};

/// Entries that are written about leave in one go: what is left comes with the next look, a second later.
const DONE_AT_ONCE: usize = 1000;

impl Event {
    /// When leave begins or is over of which games are told.
    pub(in crate::core::event) fn leave_due(&self) -> impl Iterator<Item = OffsetDateTime> {
        self.leave_with_games().filter_map(Leave::due)
    }

    /// What is to be done about it now.
    pub(in crate::core::event) fn leave_done(&self, now: OffsetDateTime) -> Vec<Fact> {
        let done = self.leave_with_games().flat_map(|leave| leave.done(now)).take(DONE_AT_ONCE);
        done.map(Fact::Leave).collect()
    }

    fn leave_with_games(&self) -> impl Iterator<Item = &Leave> {
        let all = if self.settings.has_correspondence() { &*self.leaves.all } else { &[] };
        all.iter().filter(|leave| leave.over.is_none())
    }

    /// The games that leave concerns which begins or is over by a fact: those that are played by correspondence, with which
    /// game of its board each is. Of an event that is called off, all that rest.
    pub fn games_of_leave(&self, fact: &Fact) -> Vec<(BoardId, u32)> {
        let concerned: Vec<&Leave> = match fact {
            Fact::Leave(
                LeaveFact::Ended { leave, .. } | LeaveFact::Begun { leave } | LeaveFact::Over { leave },
            ) => self.leaves.find(*leave).filter(|it| it.begun.is_some()).into_iter().collect(),
            Fact::Cancelled { .. } => self.leaves.all.iter().filter(|it| it.holds_games()).collect(),
            _ => return Vec::new(),
        };
        if concerned.is_empty() {
            return Vec::new();
        }
        let is_concerned = |players: &[pairing::Number; 2]| {
            players.iter().any(|it| concerned.iter().any(|leave| self.is_covered(leave.whose, *it)))
        };
        let boards = self.rounds.iter().filter(|round| round.started.is_some()).flat_map(Round::laid);
        let playing = boards.filter(|(board, seat, state)| {
            let has_game = state.postponed.is_none() && !state.is_to_be_arranged() && !state.is_settled();
            has_game && is_concerned(&seat.players) && self.is_by_correspondence(*board)
        });
        playing.map(|(board, _, state)| (board, state.attempt)).collect()
    }

    /// Whether the game of a board is by correspondence.
    pub fn is_by_correspondence(&self, board: BoardId) -> bool {
        let control = self.play_off_at(board).map_or(self.settings.game.time_control, |it| it.time_control);
        by_correspondence(control)
    }
}

impl Leave {
    fn due(&self) -> Option<OffsetDateTime> {
        match (self.begun, self.over) {
            (None, None) => Some(self.span.from),
            (Some(_), None) => Some(self.span.until),
            _ => None,
        }
    }

    fn done(&self, now: OffsetDateTime) -> Vec<LeaveFact> {
        let begins = self.begun.is_none() && self.over.is_none() && self.span.from <= now;
        let is_over = self.over.is_none() && self.span.until <= now;
        let begun = begins.then_some(LeaveFact::Begun { leave: self.number });
        begun.into_iter().chain(is_over.then_some(LeaveFact::Over { leave: self.number })).collect()
    }
}
