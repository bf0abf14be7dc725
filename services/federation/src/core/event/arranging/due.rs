//! What the server does about boards that are to be arranged: proposals lapse, players are reminded, and what nobody has
//! arranged becomes what the settings say.

use std::collections::BTreeMap;

use pairing::{Number, Reason, ResultCode};
use time::OffsetDateTime;

use super::{
    Arranging, ArrangingFact, Otherwise, ProposalAnswer,
    decide::{Talk, answered, open_boards},
};
use crate::core::event::{BoardId, BoardResult, Event, Fact, ResultSource, fact::TimingFact, round::Round};

/// Entries that are written about arranging in one go: what is left comes with the next look, a second later.
const DONE_AT_ONCE: usize = 1000;

impl Event {
    /// When something is due about boards that are to be arranged.
    pub(in crate::core::event) fn arranging_due(&self) -> impl Iterator<Item = OffsetDateTime> {
        let settings = self.settings.arranging.as_ref();
        settings.into_iter().flat_map(|it| self.talks().into_iter().flat_map(|talk| talk.due(it)))
    }

    /// What is to be done about them now.
    pub(in crate::core::event) fn arranging_done(&self, now: OffsetDateTime) -> Vec<Fact> {
        let Some(settings) = &self.settings.arranging else { return Vec::new() };
        let done = self.talks().into_iter().flat_map(|talk| self.done(settings, &talk, now));
        done.take(DONE_AT_ONCE).collect()
    }

    /// Whether a board waits for an arbiter because nobody has arranged it.
    pub fn has_unarranged(&self) -> bool {
        self.talks().iter().any(|talk| talk.arrangement.left_to_arbiter && talk.pending().next().is_some())
    }

    /// Everything that is still to be arranged.
    fn talks(&self) -> Vec<Talk<'_>> {
        if self.settings.arranging.is_none() {
            return Vec::new();
        }
        self.rounds.iter().flat_map(|round| self.talks_of(round)).collect()
    }

    fn done(&self, settings: &Arranging, talk: &Talk<'_>, now: OffsetDateTime) -> Vec<Fact> {
        // Where all that is open begins now, nobody waits for an answer any more.
        if talk.open.iter().all(|(_, agreed)| agreed.is_some_and(|at| at <= now)) {
            return Vec::new();
        }
        let lapsed = talk.arrangement.proposals.iter().filter(|(_, it)| it.until <= now);
        let lapsed = lapsed.map(|(side, _)| answered(talk.agreed_at, *side, ProposalAnswer::Lapsed));
        let lapsed: Vec<Fact> = lapsed.collect();
        // What has lapsed counts when it is settled who has tried.
        if !lapsed.is_empty() || talk.arrangement.left_to_arbiter || talk.pending().next().is_none() {
            return lapsed;
        }
        let deadline = talk.arrangement.deadline;
        if deadline <= now {
            return self.unarranged(settings, talk);
        }
        if talk.next_reminder(settings).is_some_and(|at| at <= now) {
            return vec![Fact::Arranging(ArrangingFact::Reminded { board: talk.agreed_at, deadline })];
        }
        Vec::new()
    }

    /// What becomes of boards that nobody has arranged.
    fn unarranged(&self, settings: &Arranging, talk: &Talk<'_>) -> Vec<Fact> {
        match settings.otherwise {
            Otherwise::Effort { times, void } => {
                let [one, other] = talk.players;
                let tried = |side| talk.arrangement.tried(side) >= times as usize;
                let winner = match [tried(one), tried(other)] {
                    [true, false] => Some(one),
                    [false, true] => Some(other),
                    [true, true] | [false, false] => None,
                };
                talk.pending().filter_map(|board| self.by_effort(board, winner, void)).collect()
            }
            Otherwise::Default { .. } => {
                let begins = |board| Fact::Timing(TimingFact::BoardStarted { board });
                talk.pending().map(begins).collect()
            }
            Otherwise::Arbiter => {
                vec![Fact::Arranging(ArrangingFact::LeftToArbiter { board: talk.agreed_at })]
            }
        }
    }

    /// What is still to be arranged of a round.
    fn talks_of<'a>(&self, round: &'a Round) -> Vec<Talk<'a>> {
        let mut open: BTreeMap<u32, Vec<(BoardId, Option<OffsetDateTime>)>> = BTreeMap::new();
        for (board, state, agreed_at) in open_boards(round) {
            open.entry(agreed_at).or_default().push((board, state.postponed));
        }
        let talk = |(table, open)| {
            let agreed_at = BoardId { round: round.published.round, table };
            let place = round.place_of(table)?;
            let players = round.published.boards.get(place)?.players;
            let arrangement = round.boards.get(place)?.arrangement.as_deref()?;
            Some(self.talk_about(agreed_at, players, arrangement, open))
        };
        open.into_iter().filter_map(talk).collect()
    }

    /// What comes of a board by who has tried to arrange it; of a board of a match, by whose side has.
    fn by_effort(&self, board: BoardId, winner: Option<Number>, void: bool) -> Option<Fact> {
        let (_, seat, _) = self.find_board(board).ok()?;
        let is_of = |side: Number, number: Number| {
            side == number || (self.team_of(side).is_some() && self.team_of(side) == self.team_of(number))
        };
        let codes = match winner {
            Some(side) if is_of(side, seat.players[0]) => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
            Some(_) => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
            None if void => [ResultCode::Annulled; 2],
            None => [ResultCode::DoubleForfeit; 2],
        };
        let decided = BoardResult::decided(codes, Reason::NotPlayed);
        Some(Fact::Result { board, result: BoardResult { source: ResultSource::Unarranged, ..decided } })
    }
}

impl Talk<'_> {
    /// The boards for which no time is agreed on.
    fn pending(&self) -> impl Iterator<Item = BoardId> {
        self.open.iter().filter(|(_, agreed)| agreed.is_none()).map(|(board, _)| *board)
    }

    /// When the players are reminded next. Reminders that were missed are one.
    fn next_reminder(&self, settings: &Arranging) -> Option<OffsetDateTime> {
        let moments = settings.reminders.iter().map(|before| self.arrangement.deadline - *before);
        moments.filter(|at| *at > self.arrangement.reminded).min()
    }

    fn due(&self, settings: &Arranging) -> Vec<OffsetDateTime> {
        let lapses = self.arrangement.proposals.values().map(|it| it.until);
        let awaits = !self.arrangement.left_to_arbiter && self.pending().next().is_some();
        let deadline = awaits.then_some(self.arrangement.deadline);
        let reminder = self.next_reminder(settings).filter(|_| awaits);
        lapses.chain(deadline).chain(reminder).collect()
    }
}
