//! Tables of teams (Art. 28.2), with what their players won at their boards.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{
    Fraction, Number, ResultCode, StandingsSettings, Status, SumOf,
    arena::ArenaState,
    standings::{
        Criterion, Line, Sheet, Working, individual,
        team::{self, Member, TeamSheet},
    },
    whole,
};

use super::TeamSettings;
use crate::core::event::{Event, Format, Participant, Table, fact::Board, plan::starters};

impl Event {
    /// The table of teams after a round.
    pub(in crate::core::event) fn team_table(
        &self,
        round: u16,
        teams: &TeamSettings,
        settings: &StandingsSettings,
    ) -> Table {
        let lines = match self.settings.format {
            Format::Arena => self.arena_lines(round),
            format => self.match_lines(round, teams, settings, format),
        };
        Table { round, lines, promoted: Vec::new(), players: self.player_lines(round) }
    }

    fn match_lines(
        &self,
        round: u16,
        teams: &TeamSettings,
        settings: &StandingsSettings,
        format: Format,
    ) -> Vec<Line> {
        let mut list = self.teams_before(round.saturating_add(1));
        if matches!(format, Format::RoundRobin { .. }) {
            // Who left before the start is no part of the table: its half is reckoned by how many began (Art. 29.2).
            let began = starters(self);
            list.retain(|it| began.contains(&it.number));
        }
        let sheet = TeamSheet {
            teams: &list,
            rounds: round.div_ceil(self.rounds_of_match()),
            boards: teams.boards,
            games: teams.rounds_of_match(),
            settings,
            seed: self.rounds.first().map_or([0; 32], |first| first.published.seed),
        };
        match format {
            Format::RoundRobin { cycles } => team::round_robin(&sheet, cycles),
            _ => team::swiss(&sheet),
        }
    }

    /// Who has won the arena; nobody has a place before it is over. Where a team is annulled nothing of it counts for either
    /// (1.11, 8), and the other is the first.
    fn arena_lines(&self, round: u16) -> Vec<Line> {
        let then = self.before(round.saturating_add(1));
        let Some(teams) = self.two_teams() else { return Vec::new() };
        let annulled = teams.map(|team| team.statuses.contains(&Status::Annulled));
        let opening = then.opening([0; 32]);
        let places = match then.arena(opening) {
            Ok(ArenaState::Game { .. }) | Err(_) => [None; 2],
            Ok(_) if annulled.contains(&true) => annulled.map(|is_annulled| (!is_annulled).then_some((1, 0))),
            Ok(ArenaState::Won { first: true }) => [Some((1, 2)), Some((2, 0))],
            Ok(ArenaState::Won { first: false }) => [Some((2, 0)), Some((1, 2))],
            Ok(ArenaState::Drawn) => [Some((1, 1)); 2],
        };
        let won = |team: Number| -> u32 {
            let matches = then.rounds.iter().flat_map(|round| then.matches(round));
            let counted = matches.filter(|_| !annulled.contains(&true));
            counted.map(|it| it.points()[usize::from(it.teams[1] == team)]).sum()
        };
        let line = |(team, decided): (&super::EnteredTeam, Option<(u32, u32)>)| Line {
            number: team.number(),
            place: decided.map(|(place, _)| place),
            points: decided.map_or(0, |(_, points)| points),
            criteria: vec![plain("game_points", won(team.number()))],
            provisional: false,
        };
        let mut lines: Vec<Line> = teams.into_iter().zip(places).map(line).collect();
        lines.sort_by_key(|line| (line.place.is_none(), line.place, line.number));
        lines
    }

    /// What each player has won at his boards, the most first. Those are no places: players of different boards did not
    /// play for the same. Boards with somebody who is annulled, or whose team is, are nobody's.
    fn player_lines(&self, round: u16) -> Vec<Line> {
        let mut codes: BTreeMap<Number, Vec<ResultCode>> = BTreeMap::new();
        let annulled = self.annulled_of_teams();
        let counts = |(_, board, _): &(_, &Board, _)| !board.players.iter().any(|it| annulled.contains(it));
        for (id, board, state) in self.all_boards().filter(counts) {
            for (side, number) in board.players.into_iter().enumerate().filter(|_| id.round <= round) {
                let code = state.result.as_ref().map_or(ResultCode::Adjourned, |it| it.codes[side]);
                codes.entry(number).or_default().push(code);
            }
        }
        let line = |number: Number| {
            let own = codes.get(&number).map_or(&[][..], Vec::as_slice);
            let points = own.iter().map(|code| code.points(0)).sum();
            let games = own.iter().filter(|code| code.is_decided_game()).count();
            Line {
                number,
                place: None,
                points,
                criteria: vec![
                    plain("points", points),
                    plain("games", u32::try_from(games).unwrap_or(u32::MAX)),
                ],
                provisional: own.iter().any(|code| code.is_provisional()),
            }
        };
        let mut lines: Vec<Line> = self.participants.iter().map(|it| line(it.number())).collect();
        lines.sort_by_key(|line| (core::cmp::Reverse(line.points), line.number));
        lines
    }

    /// The players whose results are void, their own or all of their team's.
    fn annulled_of_teams(&self) -> BTreeSet<Number> {
        let is_void = |statuses: &[Status]| statuses.contains(&Status::Annulled);
        let of = |it: &&Participant| {
            let team = it.team.and_then(|team| self.team(team));
            is_void(&it.statuses) || team.is_some_and(|team| is_void(&team.statuses))
        };
        self.participants.iter().filter(of).map(Participant::number).collect()
    }

    /// The table of teams that are the sum of their members, from that of the members.
    pub(in crate::core::event) fn sums(
        &self,
        teams: &TeamSettings,
        players: Table,
        settings: &StandingsSettings,
    ) -> Table {
        let best = if teams.best == 0 { teams.boards } else { teams.best };
        let points: BTreeMap<Number, u32> =
            players.lines.iter().map(|line| (line.number, line.points)).collect();
        let by = if matches!(self.settings.format, Format::Swiss { .. }) {
            settings.sum_of
        } else {
            SumOf::Points
        };
        let totals = self.totals(players.round, settings);
        let member = |number: &Number| {
            let points = points.get(number).copied().unwrap_or(0);
            Member { points, total: totals.get(number).copied().unwrap_or_else(|| whole(points)) }
        };
        let of = |team: &super::EnteredTeam| {
            (team.number(), team.entrant.players.iter().map(member).collect::<Vec<Member>>())
        };
        let sums: Vec<(Number, Vec<Member>)> = self.teams.iter().map(of).collect();
        let open: Vec<Number> =
            players.lines.iter().filter(|line| line.provisional).map(|line| line.number).collect();
        let mut lines = team::sum_of_members(&sums, best as usize, by);
        for line in &mut lines {
            let members = self.team(line.number).into_iter().flat_map(|team| team.entrant.members());
            line.provisional = members.into_iter().any(|member| open.contains(&member));
        }
        Table { lines, players: players.lines, ..players }
    }

    /// The totals T of all players.
    fn totals(&self, round: u16, settings: &StandingsSettings) -> BTreeMap<Number, Fraction> {
        let players = self.players(round.saturating_add(1));
        individual::totals(&Sheet { players: &players, rounds: round, settings, seed: [0; 32] })
    }
}

fn plain(name: &'static str, value: u32) -> Criterion {
    Criterion { name, value: whole(value), working: Working::Plain }
}
