//! Papers of a round: who meets whom.

use papers::{Colour, Colours, Match, MatchBoard, Matches, Out, PairedBoard, Pairings};

use super::{Names, bye, code};
use crate::core::event::{Event, round::Round, team};

impl Event {
    pub(super) fn pairings_sheet(&self, round: &Round, names: &Names) -> Pairings {
        let boards = round.laid().map(|(_, board, state)| PairedBoard {
            table: board.table.to_string(),
            players: board.players.map(|number| self.person(number, names)),
            result: state.result.as_ref().map(|result| result.codes.map(code)),
        });
        let coloured = round.published.boards.iter().all(|board| board.coloured);
        Pairings {
            round: round.published.round,
            begins: self.begins(round),
            colours: if coloured { self.colours() } else { Colours::Open },
            boards: boards.collect(),
            out: self.out(round, names),
        }
    }

    pub(super) fn matches_sheet(&self, round: &Round, names: &Names) -> Matches {
        Matches {
            round: round.published.round,
            begins: self.begins(round),
            matches: self.matches(round).iter().map(|it| self.match_of(it, names)).collect(),
            out: self.out(round, names),
        }
    }

    fn match_of(&self, meeting: &team::Match, names: &Names) -> Match {
        let first = match self.colours() {
            Colours::BlackFirst => Some((Colour::Black, Colour::White)),
            Colours::WhiteFirst => Some((Colour::White, Colour::Black)),
            Colours::Open => None,
        };
        let board = |(board, it): (u32, &team::MatchBoard)| MatchBoard {
            board,
            players: it.players.map(|number| self.person(number, names)),
            colour: first.map(|(moves_first, other)| if it.first_moves_first { moves_first } else { other }),
            result: it.codes.map(|codes| codes.map(code)),
        };
        let is_known = meeting.boards.iter().any(|board| board.codes.is_some());
        Match {
            number: meeting.number,
            teams: meeting.teams.map(|number| self.team_person(number, names)),
            score: is_known.then(|| meeting.points()),
            boards: (1..).zip(&meeting.boards).map(board).collect(),
        }
    }

    fn out(&self, round: &Round, names: &Names) -> Vec<Out> {
        let out = round.published.out.iter();
        out.map(|(number, code)| Out::new(self.entrant_person(*number, names), bye(*code))).collect()
    }

    fn begins(&self, round: &Round) -> String {
        round.started.or(round.published.start).map(|at| self.moment(at)).unwrap_or_default()
    }
}
