//! What the log says of the times of boards, taken over.

use std::time::Duration;

use time::OffsetDateTime;

use super::{Arrangement, ArrangingFact, Proposal, ProposalAnswer};
use crate::core::event::{BoardId, Event, leave};

/// How long after it was decided an entry is written at most, as far as the whole time for an answer goes.
pub(super) const SLACK: Duration = Duration::from_mins(1);

impl Event {
    /// How a board that opens now is arranged; none where games are not.
    pub(in crate::core::event) fn opened(&self, agreed_at: u32, at: OffsetDateTime) -> Option<Arrangement> {
        self.settings.arranging.as_ref().map(|it| Arrangement::opened(it, agreed_at, at))
    }

    /// Opens the boards of a round that begins.
    pub(in crate::core::event) fn open_arranging(
        &mut self,
        round: u16,
        at: OffsetDateTime,
    ) -> Result<(), &'static str> {
        let Some(settings) = self.settings.arranging.clone() else { return Ok(()) };
        let is_of_matches = settings.by_match && self.meetings().is_some();
        let round = self.round_mut(round)?;
        let boards = &round.published.boards;
        let of_match = boards.len() / round.published.matches.len().max(1);
        let each = if is_of_matches { of_match.max(1) } else { 1 };
        for (place, state) in round.boards.iter_mut().enumerate() {
            let agreed_at = boards[place / each * each].table;
            state.arrangement = Some(Box::new(Arrangement::opened(&settings, agreed_at, at)));
        }
        Ok(())
    }

    /// Takes over what happened about the time of a board.
    pub(in crate::core::event) fn take_of_arranging(
        &mut self,
        fact: &ArrangingFact,
        at: OffsetDateTime,
    ) -> Result<(), &'static str> {
        match fact {
            ArrangingFact::Proposed { board, number, times, until } => {
                let answer_within = self.settings.arranging.as_ref().map(|it| it.answer_within);
                // The entry says until when it can be answered as things stand. What of that is leave is not taken for good.
                let away = self.talk(*board).map(|talk| talk.away).unwrap_or_default();
                let waits = leave::counted(at, *until, &away);
                let is_whole = answer_within.is_some_and(|within| waits + SLACK >= within);
                let arrangement = self.arrangement_mut(*board)?;
                *arrangement.asks.entry(*number).or_default() += 1;
                let proposal = Proposal { times: times.clone(), until: at + waits, is_whole, made: at };
                arrangement.proposals.insert(*number, proposal);
            }
            ArrangingFact::Answered { board, number, answer } => {
                let arrangement = self.arrangement_mut(*board)?;
                let proposal = arrangement.proposals.remove(number).ok_or("no such proposal waits")?;
                let is_in_vain = match answer {
                    ProposalAnswer::Accepted => {
                        arrangement.proposals.clear();
                        false
                    }
                    ProposalAnswer::Declined => true,
                    ProposalAnswer::Lapsed => proposal.is_whole,
                    ProposalAnswer::Withdrawn => false,
                };
                if is_in_vain {
                    arrangement.tried.entry(*number).or_default().extend(proposal.times);
                }
            }
            ArrangingFact::Reminded { board, .. } => self.arrangement_mut(*board)?.reminded = at,
            ArrangingFact::LeftToArbiter { board } => self.arrangement_mut(*board)?.left_to_arbiter = true,
        }
        Ok(())
    }

    fn arrangement_mut(&mut self, board: BoardId) -> Result<&mut Arrangement, &'static str> {
        self.board_mut(board)?.arrangement.as_deref_mut().ok_or("the board is not arranged")
    }
}
