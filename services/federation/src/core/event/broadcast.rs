//! What of an event is younger than its broadcast is late: the entries that tell of it, and how the event was before them.
//!
//! Whatever happens at a board, or is reported of it and ruled on it, is for everybody only after the delay of the
//! broadcast. The log is shown up to the first such entry, for each one after it holds a hash of those before; what is
//! shown of the event itself is the event with those entries undone.

use pairing::Number;
use time::OffsetDateTime;

use super::{
    BoardId, BoardState, CheckItem, Event, Fact, Incident, LogEntry, ResultSource, Sealed,
    fact::IncidentFact, settings::DELAY_MAX,
};

/// An entry that tells of what happens at a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// Its number.
    sequence: u64,
    /// When it was written.
    at: OffsetDateTime,
    /// When the one before it was.
    before: OffsetDateTime,
    board: BoardId,
    undo: Undo,
}

/// How the event was before an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Undo {
    /// As it is after it, for whoever may not see the entry.
    Nothing,
    /// The board stood so, and this was ticked off that the entry opens again.
    Board { state: Box<BoardState>, checked: Vec<CheckItem> },
    /// The incident had one ruling fewer, and this appeal against the one before.
    Ruling { number: u32, appeal: Option<(Number, Sealed)> },
    /// Nobody had appealed.
    Appeal { number: u32 },
}

impl Event {
    /// Since when what happens at boards is not for everybody; none where all of it is.
    pub fn unseen_since(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let delay = self.settings.broadcast_delay;
        (!delay.is_zero() && !self.stage.is_over()).then(|| now - delay)
    }

    /// The number of the last entry that is for everybody: nothing after it is, for it has the hash of what is not.
    pub fn last_seen(&self, now: OffsetDateTime) -> u64 {
        self.unseen(now).next().map_or(self.sequence, |first| first.sequence - 1)
    }

    /// Since when the last that is not for everybody yet is known.
    pub fn last_unseen(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.unseen(now).next_back().map(|last| last.at)
    }

    /// Whether anything is held back from somebody; who plays at a board sees what happens there.
    pub fn holds_back(&self, now: OffsetDateTime, own: Option<Number>) -> bool {
        self.unseen(now).any(|told| told.undo != Undo::Nothing && !self.plays_at(own, told.board))
    }

    /// Whether any of what is not for everybody yet is of somebody's own boards.
    pub fn has_unseen_of(&self, now: OffsetDateTime, own: Number) -> bool {
        self.unseen(now).any(|told| self.plays_at(Some(own), told.board))
    }

    /// Whether somebody who is no official may know of an incident: one at the board of others is told late, but to who has
    /// reported it.
    pub fn sees_incident(&self, incident: &Incident, own: Option<Number>, now: OffsetDateTime) -> bool {
        incident.report.board.is_none_or(|board| self.plays_at(own, board))
            || (own.is_some() && incident.report.reporter == own)
            || self.unseen_since(now).is_none_or(|since| incident.reported <= since)
    }

    /// Whether somebody plays at a board.
    pub fn plays_at(&self, own: Option<Number>, board: BoardId) -> bool {
        let plays = |own| self.find_board(board).is_ok_and(|(_, seat, _)| seat.players.contains(&own));
        own.is_some_and(plays)
    }

    /// The event as somebody sees it who is none of its officials: it says that it is as old as what everybody sees of its
    /// log, and what is younger of the boards of others is undone.
    #[must_use]
    pub fn as_seen(&self, now: OffsetDateTime, own: Option<Number>) -> Event {
        let mut seen = self.clone();
        let Some(first) = self.unseen(now).next() else { return seen };
        (seen.sequence, seen.updated) = (first.sequence - 1, first.before);
        for told in self.unseen(now).rev().filter(|told| !self.plays_at(own, told.board)) {
            seen.undo(told);
        }
        seen
    }

    fn unseen(&self, now: OffsetDateTime) -> impl DoubleEndedIterator<Item = &Told> {
        let is_seen = |since| self.told.partition_point(|told| told.at <= since);
        let first = self.unseen_since(now).map_or(self.told.len(), is_seen);
        self.told.range(first..)
    }

    /// Remembers of an entry that is taken over next how the event was before it, as long as it may not be for everybody.
    pub(super) fn remember(&mut self, entry: &LogEntry) {
        let Some((board, undo)) = self.tells(&entry.fact) else { return };
        while self.told.front().is_some_and(|told| told.at + DELAY_MAX < entry.at) {
            self.told.pop_front();
        }
        let (sequence, at, before) = (entry.sequence, entry.at, self.updated);
        self.told.push_back(Told { sequence, at, before, board, undo });
    }

    /// Nothing is put back at boards that are not laid any more.
    pub(super) fn forget_boards_of(&mut self, round: u16) {
        for told in self.told.iter_mut().filter(|told| told.board.round == round) {
            if matches!(told.undo, Undo::Board { .. }) {
                told.undo = Undo::Nothing;
            }
        }
    }

    /// The board of which a fact tells what happens there, and how to undo it. Boards that somebody left are no secret.
    fn tells(&self, fact: &Fact) -> Option<(BoardId, Undo)> {
        match fact {
            Fact::Result { board, result } if result.source != ResultSource::Departure => {
                Some((*board, self.undo_at(*board)))
            }
            Fact::ReplayStarted { board } => Some((*board, self.undo_at(*board))),
            Fact::Incident(fact) => match fact {
                IncidentFact::Noticed { board, .. } => Some((*board, Undo::Nothing)),
                // Whoever shows incidents asks when they were reported.
                IncidentFact::Reported(report) => Some((report.board?, Undo::Nothing)),
                IncidentFact::Ruled { number, .. } => {
                    let incident = self.incident(*number)?;
                    let undo = Undo::Ruling { number: *number, appeal: incident.appeal };
                    Some((incident.report.board?, undo))
                }
                IncidentFact::Appealed { number, .. } => {
                    Some((self.incident(*number)?.report.board?, Undo::Appeal { number: *number }))
                }
            },
            _ => None,
        }
    }

    fn undo_at(&self, board: BoardId) -> Undo {
        let before = |(_, _, state): (_, _, &BoardState)| Undo::Board {
            state: Box::new(state.clone()),
            checked: self.opened_by_results(),
        };
        self.find_board(board).map_or(Undo::Nothing, before)
    }

    fn undo(&mut self, told: &Told) {
        match &told.undo {
            Undo::Nothing => {}
            Undo::Board { state: before, checked } => {
                self.checked.extend(checked);
                if let Ok(state) = self.board_mut(told.board) {
                    // Who sits at a board to judge is no secret.
                    let arbiters = std::mem::take(&mut state.arbiters);
                    *state = BoardState { arbiters, ..BoardState::clone(before) };
                }
            }
            Undo::Ruling { number, appeal } => {
                if let Ok(incident) = self.incident_mut(*number) {
                    incident.steps.pop();
                    incident.appeal = *appeal;
                }
            }
            Undo::Appeal { number } => {
                if let Ok(incident) = self.incident_mut(*number) {
                    incident.appeal = None;
                }
            }
        }
    }
}
