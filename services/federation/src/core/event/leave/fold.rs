//! What the log says of leave, taken over.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::{Leave, LeaveFact, Span, Whose};
use crate::core::event::{BoardId, Event, LogEntry};

impl Event {
    /// Takes over what happened about leave.
    pub(in crate::core::event) fn take_of_leave(
        &mut self,
        fact: &LeaveFact,
        entry: &LogEntry,
    ) -> Result<(), &'static str> {
        match *fact {
            LeaveFact::Taken { leave, whose, span, reason } => {
                if leave as usize != self.leaves.all.len() + 1 {
                    return Err("leave is numbered in order");
                }
                let (granted, request) = (reason.is_some(), entry.request);
                self.leaves.of.entry(whose).or_default().push(self.leaves.all.len());
                self.leaves.all.push(Leave {
                    number: leave,
                    whose,
                    span,
                    granted,
                    ended: false,
                    request,
                    begun: None,
                    over: None,
                });
                if granted {
                    self.open_anew(whose, span, entry.at)?;
                }
            }
            LeaveFact::Ended { leave, until, .. } => {
                let leave = self.leave_mut(leave)?;
                leave.span.until = until;
                leave.ended = true;
                leave.over = Some(entry.sequence);
            }
            LeaveFact::Begun { leave } => self.leave_mut(leave)?.begun = Some(entry.sequence),
            LeaveFact::Over { leave } => self.leave_mut(leave)?.over = Some(entry.sequence),
        }
        Ok(())
    }

    fn leave_mut(&mut self, leave: u32) -> Result<&mut Leave, &'static str> {
        let place = (leave as usize).wrapping_sub(1);
        self.leaves.all.get_mut(place).ok_or("there is no such leave")
    }

    /// Opens boards anew that were to begin within leave which is granted: they are arranged as boards are that open when
    /// it is over. A board that is arranged by nobody keeps its time.
    fn open_anew(&mut self, whose: Whose, span: Span, at: OffsetDateTime) -> Result<(), &'static str> {
        let Some(settings) = self.settings.arranging.clone() else { return Ok(()) };
        let within: BTreeSet<BoardId> = self.agreed_within(whose, span).map(|(board, _)| board).collect();
        let agreed_at = |board: &BoardId| {
            let (_, _, state) = self.find_board(*board).ok()?;
            Some(BoardId { table: state.arrangement.as_ref()?.agreed_at, ..*board })
        };
        let talks: BTreeSet<BoardId> = within.iter().filter_map(agreed_at).collect();
        for talk in talks {
            let round = self.round_mut(talk.round)?;
            let tables = round.published.boards.iter().map(|it| it.table);
            for (table, state) in tables.zip(&mut round.boards) {
                let Some(own) = state.arrangement.as_deref_mut() else { continue };
                if own.agreed_at != talk.table {
                    continue;
                }
                if table == talk.table {
                    own.open_anew(&settings, span.until);
                }
                if state.postponed.is_some_and(|to| span.contains(to)) {
                    (state.postponed, state.result) = (None, None);
                }
            }
            round.note_end(at);
        }
        Ok(())
    }
}
