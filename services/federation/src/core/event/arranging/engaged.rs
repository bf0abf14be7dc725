//! How long a board that begins at an agreed time engages its players: so long they agree on no other.

use std::time::Duration;

use api::time_control::{Control, TimeControl};
use chassis::id::AccountId;
use pairing::Number;
use time::OffsetDateTime;

use super::decide::open_boards;
use crate::core::event::{
    BoardId, Event, Fact, Refusal, TeamFact,
    fact::{LogEntry, TimingFact},
};

/// The longest for which a game is reckoned: main times of three hours a side are a long day, and who has more rests between.
pub(crate) const SPAN_MAX: Duration = Duration::from_hours(6);

/// A board at which somebody plays at an agreed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engagement {
    /// Which.
    pub board: BoardId,
    /// Who, under which number.
    pub number: Number,
    /// With which account.
    pub account: AccountId,
    /// When it begins.
    pub from: OffsetDateTime,
    /// Until when its game can be under way.
    pub until: OffsetDateTime,
}

/// What entries of a log have changed of who is engaged by an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engagements {
    /// Boards of which nothing of before holds.
    pub over: Vec<BoardId>,
    /// Rounds of whose boards nothing does.
    pub rounds: Vec<u16>,
    /// Who is engaged from now on.
    pub begun: Vec<Engagement>,
}

impl Event {
    /// How long a game is reckoned to be under way at most: the main times of both sides, and at most six hours. It is an
    /// estimate: periods and increments come on top, and most games are shorter. Where a move may take days, or no clock
    /// runs, a game keeps nobody from another.
    pub fn game_span(&self) -> Duration {
        let TimeControl { first, second } = self.settings.game.time_control;
        let main = |control: Control| match control {
            Control::Correspondence { .. } | Control::Unlimited => None,
            // What a side has for one move is no main time.
            Control::PerMove { .. } => control.expected(),
            timed => timed.main(),
        };
        let both = main(first).zip(main(second)).map(|(first, second)| first.saturating_add(second));
        both.unwrap_or_default().min(SPAN_MAX)
    }

    /// Who is engaged by a board: its players with accounts, where it has an agreed time and its game is not over.
    fn engaged_by(&self, board: BoardId) -> Vec<Engagement> {
        let Ok((_, seat, state)) = self.find_board(board) else { return Vec::new() };
        let begins = state.postponed.or(state.started).filter(|_| state.awaits_its_end());
        begins.map_or_else(Vec::new, |from| self.of_players(board, seat.players, from))
    }

    fn of_players(&self, board: BoardId, players: [Number; 2], from: OffsetDateTime) -> Vec<Engagement> {
        let span = self.game_span();
        let engaged = |number: Number| {
            let account = self.participant(number)?.entrant.account?;
            Some(Engagement { board, number, account, from, until: from + span })
        };
        if span.is_zero() { Vec::new() } else { players.into_iter().filter_map(engaged).collect() }
    }

    /// Whom a time would engage on which two sides agree for a board, or for all boards of its match: those of the side, and
    /// those of the other.
    ///
    /// # Errors
    /// When there is no such board.
    pub fn would_engage(
        &self,
        board: BoardId,
        side: Number,
        at: OffsetDateTime,
    ) -> Result<[Vec<Engagement>; 2], Refusal> {
        let (round, _, state) = self.find_board(board)?;
        let agreed_at = state.arrangement.as_ref().map(|it| it.agreed_at);
        let together = open_boards(round).filter(|(.., table)| Some(*table) == agreed_at);
        let mut both = [Vec::new(), Vec::new()];
        let team = self.team_of(side);
        for (board, ..) in together {
            let (_, seat, _) = self.find_board(board)?;
            for engagement in self.of_players(board, seat.players, at) {
                let number = engagement.number;
                let own = number == side || (team.is_some() && self.team_of(number) == team);
                both[usize::from(!own)].push(engagement);
            }
        }
        Ok(both)
    }

    /// What entries of the log have changed of who is engaged, of which this is the event after them.
    pub fn engagements<'a>(&self, entries: impl IntoIterator<Item = &'a LogEntry>) -> Engagements {
        let mut changed = Engagements::default();
        for entry in entries {
            match &entry.fact {
                Fact::Timing(
                    TimingFact::BoardPostponed { board, .. } | TimingFact::BoardStarted { board },
                )
                | Fact::Result { board, .. }
                | Fact::ReplayStarted { board } => changed.over.push(*board),
                Fact::RoundRetracted { round, .. } => changed.rounds.push(*round),
                // What was agreed on before the boards were laid holds for those who sit there.
                Fact::Team(TeamFact::BoardsLaid { round, boards }) => {
                    changed.over.extend(boards.iter().map(|it| BoardId { round: *round, table: it.table }));
                }
                _ => {}
            }
        }
        changed.over.sort_unstable();
        changed.over.dedup();
        changed.begun = changed.over.iter().flat_map(|board| self.engaged_by(*board)).collect();
        changed
    }
}
