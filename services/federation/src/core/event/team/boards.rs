//! The boards of a round of teams, from its matches and line-ups.

use pairing::{Colour, Number, Reason, ResultCode, berger, lineup::LineupLaw};

use super::{EnteredTeam, Opening, TeamFact, TeamSettings, arena};
use crate::core::event::{
    Event, Fact, Format, Refusal,
    fact::{Board, BoardId, BoardResult, ResultSource},
    round::Round,
};

impl Event {
    /// Starts a round of teams: opens the line-ups that were handed in, lays the boards, and decides those of players who
    /// are away. `held` is what was handed in and is not public.
    ///
    /// # Errors
    /// When the round is not the last, or has begun.
    pub fn start_round_of_teams(&self, round: u16, held: &[(Number, Opening)]) -> Result<Vec<Fact>, Refusal> {
        let started = self.begin_round(round)?;
        let mut facts = self.open_all(round, held);
        let opened = self.with(&facts)?;
        let boards = opened.round(round).map(|open| opened.boards_of(open)).unwrap_or_default();
        let forfeits: Vec<Fact> =
            boards.iter().filter_map(|board| opened.forfeit_if_away(round, board)).collect();
        facts.push(Fact::Team(TeamFact::BoardsLaid { round, boards }));
        facts.extend(forfeits);
        facts.extend(started);
        Ok(facts)
    }

    /// The event after facts about teams.
    fn with(&self, facts: &[Fact]) -> Result<Event, Refusal> {
        let mut event = self.clone();
        for fact in facts {
            if let Fact::Team(fact) = fact {
                event.take_of_teams(fact).map_err(Refusal::Round)?;
            }
        }
        Ok(event)
    }

    /// The boards of a round, table 1 first: those of match 1, then those of match 2.
    pub(in crate::core::event) fn boards_of(&self, round: &Round) -> Vec<Board> {
        let Some(settings) = self.meetings() else { return Vec::new() };
        let coloured = self.settings.game.variant.moves_first.is_some();
        let mut boards = Vec::new();
        for meeting in &round.published.matches {
            for (players, first_has) in self.seats(settings, round, meeting) {
                let turned = coloured && first_has == Colour::Second;
                boards.push(Board {
                    table: u32::try_from(boards.len()).unwrap_or(u32::MAX).saturating_add(1),
                    players: if turned { [players[1], players[0]] } else { players },
                    coloured,
                    place: None,
                    reasons: Vec::new(),
                    handicap: 0,
                });
            }
        }
        boards
    }

    /// Who meets whom at the boards of a match, with the colour of the first team's player.
    fn seats(&self, settings: &TeamSettings, round: &Round, meeting: &Board) -> Vec<([Number; 2], Colour)> {
        let [Some(first), Some(second)] = meeting.players.map(|number| self.team(number)) else {
            return Vec::new();
        };
        if self.settings.format == Format::Arena {
            // Whoever has the first colour stands first in the match already.
            return arena::next_of(self, round, [first, second])
                .map(|it| (it, Colour::First))
                .into_iter()
                .collect();
        }
        let [ours, theirs] = [first, second].map(|team| self.line_up(round, team));
        if settings.line_up == LineupLaw::WholeTeam {
            let part = u32::from(round.published.round - 1) % settings.rounds_of_match();
            let games =
                berger::scheveningen(settings.boards).into_iter().nth(part as usize).unwrap_or_default();
            let seat = |game: berger::MemberGame| {
                Some(([*ours.get(game.a as usize)?, *theirs.get(game.b as usize)?], game.colour_of_a))
            };
            return games.into_iter().filter_map(seat).collect();
        }
        // The first team has the first colour on boards of odd numbers.
        let colours = (0usize..).map(|at| Colour::first_if(at.is_multiple_of(2)));
        ours.into_iter().zip(theirs).map(|(a, b)| [a, b]).zip(colours).collect()
    }

    /// What comes of a board before it is played, because somebody is not there (29.4).
    fn forfeit_if_away(&self, round: u16, board: &Board) -> Option<Fact> {
        let codes = match board.players.map(|number| self.is_there(number, round)) {
            [true, true] => return None,
            [true, false] => [ResultCode::ForfeitWin, ResultCode::ForfeitLoss],
            [false, true] => [ResultCode::ForfeitLoss, ResultCode::ForfeitWin],
            [false, false] => [ResultCode::DoubleForfeit; 2],
        };
        let result = BoardResult {
            source: ResultSource::Departure,
            ..BoardResult::decided(codes, Reason::Withdrawal)
        };
        Some(Fact::Result { board: BoardId { round, table: board.table }, result })
    }

    /// The two teams of an event that has no more.
    pub(in crate::core::event) fn two_teams(&self) -> Option<[&EnteredTeam; 2]> {
        let starters = crate::core::event::plan::starters(self);
        let &[one, other] = starters.as_slice() else { return None };
        Some([self.team(one)?, self.team(other)?])
    }
}
