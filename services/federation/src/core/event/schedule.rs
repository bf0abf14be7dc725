//! When the rounds and boards of an event begin: by their times, by who is there, and at another time than the others.

use std::time::Duration;

use pairing::{Number, Status};
use time::OffsetDateTime;

use super::{BoardId, Event, Fact, Opening, Participant, Refusal, Round, Stage, Starts, fact::TimingFact};

/// How far ahead a board can be postponed: longer than any event leaves between two of its rounds.
pub const POSTPONED_MAX: Duration = Duration::from_hours(90 * 24);

/// How often a player can ask to have one board postponed, each time to another: more than two need to agree. What is asked
/// stays in the log for good.
pub const ASKS_MAX: u32 = 20;

impl Event {
    /// When the round that was published last begins by itself; none where it does not, or has begun.
    fn round_due(&self) -> Option<OffsetDateTime> {
        let last = self.rounds.last().filter(|last| last.started.is_none())?;
        match self.settings.schedule.starts {
            Starts::ByHand => None,
            Starts::BySchedule => last.published.start,
            Starts::WhenComplete => {
                let before = self.rounds.iter().rev().nth(1);
                let rested =
                    before.and_then(|round| round.over).map(|over| over + self.settings.schedule.rest);
                Some(rested.unwrap_or(last.published_at).max(last.published_at))
            }
        }
    }

    fn postponed_boards(&self) -> impl Iterator<Item = (BoardId, OffsetDateTime)> {
        let begun = |round: &&Round| round.started.is_some();
        let boards = self.rounds.iter().filter(begun).flat_map(Round::laid);
        boards.filter_map(|(board, _, state)| Some((board, state.postponed?)))
    }

    /// When the next thing happens by itself; none where nothing does.
    pub fn due(&self) -> Option<OffsetDateTime> {
        if self.stage != Stage::Running {
            return None;
        }
        let boards = self.postponed_boards().map(|(_, until)| until);
        let answers = self.answers_due().map(|(until, _)| until);
        let arranging = self.arranging_due().chain(self.leave_due());
        boards.chain(answers).chain(self.round_due()).chain(arranging).min()
    }

    /// What happens by itself now but for the begin of a round.
    pub fn act_due_but_round(&self, now: OffsetDateTime) -> Vec<Fact> {
        if self.stage != Stage::Running {
            return Vec::new();
        }
        let boards = self.postponed_boards().filter(|(_, until)| *until <= now);
        let mut facts: Vec<Fact> =
            boards.map(|(board, _)| Fact::Timing(TimingFact::BoardStarted { board })).collect();
        facts.extend(self.answers_due().filter(|(until, _)| *until <= now).map(|(_, lapsed)| lapsed));
        facts.extend(self.arranging_done(now));
        facts.extend(self.leave_done(now));
        facts
    }

    /// What happens by itself now. `held` is what was handed in of line-ups for the round that was published last, and is
    /// not public.
    pub fn act_due(&self, now: OffsetDateTime, held: &[(Number, Opening)]) -> Vec<Fact> {
        let mut facts = self.act_due_but_round(now);
        if let (true, Some(last)) = (self.round_due().is_some_and(|due| due <= now), self.rounds.last()) {
            let round = last.published.round;
            if self.meetings().is_some() {
                facts.extend(self.start_round_of_teams(round, held).unwrap_or_default());
            } else {
                facts.extend(self.begin_round(round).unwrap_or_default());
            }
        }
        facts
    }

    /// Notes that somebody is there for the next round.
    ///
    /// # Errors
    /// When the event does not ask for it, the round is paired already, or he has left.
    pub fn check_in(&self, number: Number, round: u16) -> Result<Vec<Fact>, Refusal> {
        let participant = self.participant(number).ok_or(Refusal::UnknownNumber(number))?;
        let refused = match () {
            () if !self.asks_for_check_in() => Some("nobody has to check in"),
            () if round != self.next_round() => Some("check in for the next round, until it is public"),
            () if super::decide::has_left(&participant.statuses) => Some("he has left"),
            () => None,
        };
        if let Some(why) = refused {
            return Err(Refusal::CheckIn(why));
        }
        let is_new = !self.checked_in.contains(&(round, number));
        Ok(is_new.then_some(Fact::Timing(TimingFact::CheckedIn { number, round })).into_iter().collect())
    }

    /// Whether players say before each round that they are there: in formats that can leave somebody
    /// out, and not where teams meet, which say by their line-ups who plays.
    pub fn asks_for_check_in(&self) -> bool {
        self.settings.schedule.check_in && self.settings.format.leaves_out() && self.meetings().is_none()
    }

    /// What somebody is to the event where this round is paired: who has not checked in is away.
    pub(super) fn statuses(&self, participant: &Participant, round: u16) -> Vec<Status> {
        let mut statuses = participant.statuses.clone();
        let away = round == self.next_round()
            && self.asks_for_check_in()
            && !self.checked_in.contains(&(round, participant.number()));
        if away {
            statuses.push(Status::Absent { round });
        }
        statuses
    }

    /// Notes that a player, or for him the captain of his team, wants his board to be played at another time.
    ///
    /// # Errors
    /// When he does not play there, or nobody knows yet; when the round has begun, the time is none for it, or he has asked
    /// too often.
    pub fn ask_to_postpone(
        &self,
        board: BoardId,
        number: Number,
        until: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let (round, players, state) = self.board_or_ahead(board)?;
        can_postpone(round, &state, until, now)?;
        if !players.contains(&number) {
            return Err(Refusal::Postponement("he does not play at this board"));
        }
        if state.asked.get(&number) == Some(&until) {
            return Ok(Vec::new());
        }
        if state.asks.get(&number).is_some_and(|asks| *asks >= ASKS_MAX) {
            return Err(Refusal::AskedTooOften(ASKS_MAX));
        }
        Ok(vec![Fact::Timing(TimingFact::PostponementAsked { board, number, until })])
    }

    /// Postpones a board to the time for which both players have asked.
    ///
    /// # Errors
    /// When they have not, or the time is none for it any more.
    pub fn postpone_board(
        &self,
        board: BoardId,
        until: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<Vec<Fact>, Refusal> {
        let (round, players, state) = self.board_or_ahead(board)?;
        if state.postponed == Some(until) {
            return Ok(Vec::new());
        }
        can_postpone(round, &state, until, now)?;
        if !players.iter().all(|player| state.asked.get(player) == Some(&until)) {
            return Err(Refusal::Postponement("both players ask for the same time first"));
        }
        Ok(vec![Fact::Timing(TimingFact::BoardPostponed { board, until })])
    }
}

fn can_postpone(
    round: &Round,
    state: &super::BoardState,
    until: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<(), Refusal> {
    let refused = match () {
        () if state.is_settled() => Some("the board has a result"),
        () if round.started.is_some() && state.postponed.is_none() && !state.is_to_be_arranged() => {
            Some("the round has begun")
        }
        () if until <= now => Some("that time has passed"),
        () if until > now + POSTPONED_MAX => Some("at most 90 days ahead"),
        () => None,
    };
    refused.map_or(Ok(()), |why| Err(Refusal::Postponement(why)))
}
