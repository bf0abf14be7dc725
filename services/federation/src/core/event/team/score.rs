//! What came of matches: a fold of their boards, and nothing that is written anywhere else.

use std::collections::BTreeMap;

use pairing::{
    Colour, Entry, Number, Player, Reason, ResultCode, Status,
    standings::team::{Team, TeamMatch, match_code},
};

use super::EnteredTeam;
use crate::core::event::{
    Event, Format,
    fact::Board,
    round::{BoardState, Round},
};

/// A match of two teams in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The round.
    pub round: u16,
    /// Its number in the round, from 1.
    pub number: u32,
    /// The two; the first has the first colour on boards of odd numbers.
    pub teams: [Number; 2],
    /// Its boards, board 1 first; none before the round has begun.
    pub boards: Vec<MatchBoard>,
}

/// A board of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchBoard {
    /// The table of the round.
    pub table: u32,
    /// The player of the first team, and that of the second.
    pub players: [Number; 2],
    /// Whether the player of the first team stands first at the table, with the colour that moves first.
    pub first_moves_first: bool,
    /// What came of it for each of them; none while nothing is known.
    pub codes: Option<[ResultCode; 2]>,
}

impl Match {
    /// Game points of the two so far.
    pub fn points(&self) -> [u32; 2] {
        [0, 1].map(|side| {
            let codes = self.boards.iter().filter_map(|board| board.codes);
            codes.map(|codes| codes[side].points(0)).sum()
        })
    }

    /// What came of the match for the two; none while a board is open.
    pub fn result(&self) -> Option<[ResultCode; 2]> {
        let codes: Vec<[ResultCode; 2]> = self.boards.iter().map(|it| it.codes).collect::<Option<_>>()?;
        let both = [0, 1].map(|side| match_code(&codes.iter().map(|it| it[side]).collect::<Vec<_>>()));
        (!codes.is_empty() && !both.iter().any(|it| it.is_provisional())).then_some(both)
    }
}

impl Event {
    /// The matches of a round, in the order of their numbers.
    pub fn matches(&self, round: &Round) -> Vec<Match> {
        let meetings = &round.published.matches;
        let each = round.published.boards.len() / meetings.len().max(1);
        let laid = round.laid().collect::<Vec<_>>();
        let of = |(at, meeting): (usize, &Board)| {
            let own = laid.iter().skip(at * each).take(each);
            Match {
                round: round.published.round,
                number: meeting.table,
                teams: meeting.players,
                boards: own.map(|(_, board, state)| self.match_board(meeting, board, state)).collect(),
            }
        };
        meetings.iter().enumerate().map(of).collect()
    }

    fn match_board(&self, meeting: &Board, board: &Board, state: &BoardState) -> MatchBoard {
        let of_first =
            |number| self.participant(number).is_some_and(|it| it.team == Some(meeting.players[0]));
        let straight = of_first(board.players[0]);
        let codes = state.result.as_ref().map(|result| result.codes);
        let turn = |[a, b]: [ResultCode; 2]| if straight { [a, b] } else { [b, a] };
        let [a, b] = board.players;
        MatchBoard {
            table: board.table,
            players: if straight { [a, b] } else { [b, a] },
            first_moves_first: straight,
            codes: codes.map(turn),
        }
    }

    /// The teams with their matches before a round, as tables want them. Rounds are those of matches: where a match goes on
    /// over several rounds of the event they are one.
    pub(super) fn teams_before(&self, round: u16) -> Vec<Team> {
        let length = self.rounds_of_match();
        let mut matches = self.matches_by_team(round);
        let team = |entered: &EnteredTeam| Team {
            number: entered.number(),
            states: entered.statuses.iter().map(|status| in_matches(*status, length)).collect(),
            matches: matches.remove(&entered.number()).unwrap_or_default(),
        };
        self.teams.iter().map(team).collect()
    }

    /// Over how many rounds a match goes.
    pub(super) fn rounds_of_match(&self) -> u16 {
        let rounds = self.meetings().map_or(1, super::TeamSettings::rounds_of_match);
        u16::try_from(rounds).unwrap_or(u16::MAX).max(1)
    }

    /// Whether the matches of a round have begun in the round before.
    pub(in crate::core::event) fn is_within_match(&self, round: u16) -> bool {
        !(round - 1).is_multiple_of(self.rounds_of_match())
    }

    /// Whether a match goes on over several rounds, so that none of them has a result of its own.
    pub fn goes_on(&self) -> bool {
        self.settings.format == Format::Arena || self.rounds_of_match() > 1
    }

    fn matches_by_team(&self, before_round: u16) -> BTreeMap<Number, Vec<TeamMatch>> {
        let length = self.rounds_of_match();
        let mut all: BTreeMap<Number, Vec<TeamMatch>> = BTreeMap::new();
        for round in self.rounds.iter().filter(|it| it.published.round < before_round) {
            let number = (round.published.round - 1) / length + 1;
            for (team, part) in self.parts(round, number) {
                let matches = all.entry(team).or_default();
                match matches.last_mut().filter(|last| last.round == number) {
                    Some(last) => last.boards.extend(part.boards),
                    None => matches.push(part),
                }
            }
        }
        // What is not laid yet is open.
        let boards = usize::from(length) * self.meetings().map_or(0, |teams| teams.boards as usize);
        for it in all.values_mut().flatten().filter(|it| it.opponent.is_some()) {
            it.boards.resize(boards.max(it.boards.len()), ResultCode::Adjourned);
        }
        all
    }

    /// What a round was for each team.
    fn parts(&self, round: &Round, number: u16) -> Vec<(Number, TeamMatch)> {
        let free = round.published.out.iter().map(|(team, code)| {
            (*team, TeamMatch { round: number, opponent: None, boards: Vec::new(), bye: Some(*code) })
        });
        let mut parts: Vec<(Number, TeamMatch)> = free.collect();
        for of in self.matches(round) {
            for side in 0..2 {
                let (opponent, boards) = (Some(of.teams[1 - side]), self.codes(&of, side));
                parts.push((of.teams[side], TeamMatch { round: number, opponent, boards, bye: None }));
            }
        }
        parts
    }

    /// What came of the boards of a match for one side. In a match that goes on, each round is in the order of the team's
    /// own members, whomever they meet.
    fn codes(&self, of: &Match, side: usize) -> Vec<ResultCode> {
        let code = |codes: Option<[ResultCode; 2]>| codes.map_or(ResultCode::Adjourned, |codes| codes[side]);
        let mut boards: Vec<(Number, ResultCode)> =
            of.boards.iter().map(|board| (board.players[side], code(board.codes))).collect();
        if self.rounds_of_match() > 1 {
            boards.sort_by_key(|(player, _)| *player);
        }
        boards.into_iter().map(|(_, code)| code).collect()
    }

    /// Whoever is paired, with what came of the rounds before this one: teams where teams meet, and else players.
    pub(in crate::core::event) fn contenders(&self, before_round: u16) -> Vec<Player> {
        if self.meetings().is_none() {
            return self.players(before_round);
        }
        let paired = self.teams_before(before_round).into_iter().zip(&self.teams);
        paired.map(|(team, entered)| self.contender(&team, entered)).collect()
    }

    /// A team as a player whose games are its matches and whose colours are those of its first boards.
    fn contender(&self, team: &Team, entered: &EnteredTeam) -> Player {
        let coloured = self.settings.game.variant.moves_first.is_some();
        let entry = |it: &TeamMatch| {
            let Some(opponent) = it.opponent else {
                return Entry::bye(it.round, it.bye.unwrap_or(ResultCode::ByeZero));
            };
            let stood_first = |round: &Round| {
                round.published.matches.iter().any(|meeting| meeting.players[0] == team.number)
            };
            let colour = self.round(it.round).map(|round| Colour::first_if(stood_first(round)));
            let assigned = colour.filter(|_| coloured);
            let (code, reason) = (match_code(&it.boards), Reason::Normal);
            Entry { round: it.round, opponent: Some(opponent), code, reason, assigned, played: assigned }
        };
        Player {
            history: team.matches.iter().map(entry).collect(),
            states: entered.statuses.clone(),
            affiliations: entered.entrant.affiliations.clone(),
            ..Player::new(team.number.0)
        }
    }

    /// The same event before a round was made public.
    pub(in crate::core::event) fn before(&self, round: u16) -> Event {
        let mut event = self.clone();
        event.rounds.retain(|it| it.published.round < round);
        event
    }
}

/// A row in rounds of matches, of which each goes over so many rounds.
fn in_matches(status: Status, length: u16) -> Status {
    let later = |round: u16| round.div_ceil(length);
    match status {
        Status::Active { from_round } => Status::Active { from_round: later(from_round) },
        Status::Withdrawn { after_round } => Status::Withdrawn { after_round: later(after_round) },
        Status::Expelled { after_round } => Status::Expelled { after_round: later(after_round) },
        other => other,
    }
}
