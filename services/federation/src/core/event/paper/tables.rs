//! Papers that say who stands where.

use std::collections::BTreeMap;

use pairing::{
    Entry, Number, Player, Reason, ResultCode, fraction_text,
    standings::{Criterion, Line, Working},
    whole,
};
use papers::{Cell, Colour, Colours, Column, CrossLine, Crosstable, Fate, Form, Standings};

use super::{Names, code};
use crate::core::{
    document::{CELLS_MAX, DocumentFault},
    event::{Event, Format, Table},
};

impl Event {
    /// Who stands where after a round.
    pub fn standings_sheet(&self, round: u16, names: &Names) -> Standings {
        let table = self.table(round);
        let teams = self.settings.teams.is_some();
        let own = |line: &Line| shown(line, teams);
        let lines: Vec<Vec<(Column, String)>> = table.lines.iter().map(own).collect();
        let columns = columns(&lines);
        let line = |(line, shown): (&Line, &Vec<(Column, String)>)| papers::Line {
            place: line.place,
            who: if teams { self.team_person(line.number, names) } else { self.person(line.number, names) },
            cells: columns.iter().map(|column| cell(shown, *column)).collect(),
            provisional: line.provisional,
            fate: fate(&table, line.number),
        };
        let lines = table.lines.iter().zip(&lines).map(line).collect();
        Standings { round: table.round, teams, columns, lines }
    }

    /// Everybody's results.
    ///
    /// # Errors
    /// When there would be too many.
    pub(super) fn crosstable_sheet(&self, round: u16, names: &Names) -> Result<Crosstable, DocumentFault> {
        let form = match self.settings.format {
            Format::RoundRobin { .. } | Format::Match { .. } => Form::AllPlayAll,
            _ => Form::Rounds,
        };
        let width = match form {
            Form::Rounds => usize::from(round),
            Form::AllPlayAll => self.participants.len(),
        };
        if self.participants.len().saturating_mul(width) > CELLS_MAX {
            return Err(DocumentFault::TooLarge);
        }
        let players: BTreeMap<Number, Player> =
            self.players(round.saturating_add(1)).into_iter().map(|it| (it.number, it)).collect();
        let table = self.table(round);
        // Where a team is the sum of its members, the members are what has been played.
        let lines = if self.settings.teams.is_some() { &table.players } else { &table.lines };
        let line = |line: &Line| CrossLine {
            place: line.place,
            who: self.person(line.number, names),
            points: line.points.to_string(),
            cells: players.get(&line.number).map(|it| self.cells(it, round)).unwrap_or_default(),
        };
        Ok(Crosstable { round, form, lines: lines.iter().map(line).collect() })
    }

    /// What one had in each round, from the first.
    fn cells(&self, player: &Player, round: u16) -> Vec<Cell> {
        let entry = |round: u16| player.history.iter().find(|entry| entry.round == round);
        (1..=round).map(|round| entry(round).map(|it| self.cell(it)).unwrap_or_default()).collect()
    }

    fn cell(&self, entry: &Entry) -> Cell {
        let moves_first = match self.colours() {
            Colours::BlackFirst => Some([Colour::Black, Colour::White]),
            Colours::WhiteFirst => Some([Colour::White, Colour::Black]),
            Colours::Open => None,
        };
        let own = entry.played.or(entry.assigned);
        let colour = own.zip(moves_first).map(|(own, [first, second])| match own {
            pairing::Colour::First => first,
            pairing::Colour::Second => second,
        });
        // A board of which nothing is known yet counts as one that is adjourned, and says that nothing was played.
        let is_open = entry.code == ResultCode::Adjourned && entry.reason == Reason::NotPlayed;
        Cell {
            opponent: entry.opponent.map(|number| number.0),
            colour,
            code: (!is_open).then(|| code(entry.code)),
        }
    }
}

fn fate(table: &Table, number: Number) -> Fate {
    if table.promoted.contains(&number) { Fate::Rises } else { Fate::Stays }
}

/// The columns of all lines, each where the first line has it that has it.
fn columns(lines: &[Vec<(Column, String)>]) -> Vec<Column> {
    let mut columns = Vec::new();
    for (column, _) in lines.iter().flatten() {
        if !columns.contains(column) {
            columns.push(*column);
        }
    }
    columns
}

fn cell(shown: &[(Column, String)], column: Column) -> String {
    shown.iter().find(|(own, _)| *own == column).map(|(_, text)| text.clone()).unwrap_or_default()
}

/// What decides a line, and what that was worked out from.
fn shown(line: &Line, teams: bool) -> Vec<(Column, String)> {
    let points = if teams { Column::MatchPoints } else { Column::Points };
    let mut shown: Vec<(Column, String)> = Vec::new();
    let mut nth: BTreeMap<&str, u32> = BTreeMap::new();
    for (rank, criterion) in (1..).zip(&line.criteria) {
        let nth = nth.entry(criterion.name).and_modify(|nth| *nth += 1).or_insert(1);
        shown.push((column(criterion, *nth, rank, points), text(criterion)));
        if let Working::Total { opponents, highest, rounds, .. } = &criterion.working {
            shown.extend([
                (points, line.points.to_string()),
                (Column::Opponents, fraction_text(opponents)),
                (Column::Highest, highest.to_string()),
                (Column::Rounds, rounds.to_string()),
            ]);
        }
    }
    if shown.iter().all(|(column, _)| *column != points) {
        shown.insert(0, (points, line.points.to_string()));
    }
    shown
}

fn column(criterion: &Criterion, nth: u32, rank: u32, points: Column) -> Column {
    match criterion.name {
        "total" => Column::Total,
        "points" => points,
        "opponents" => Column::Opponents,
        "a" => Column::A,
        "warnings" => Column::Warnings,
        "stayed" => Column::Stayed,
        "play_off" => Column::PlayOff,
        "lot" => Column::Lot,
        "mms" => Column::Mms,
        "sos" => Column::Sos,
        "sosos" => Column::Sosos,
        "sodos" => Column::Sodos,
        "buchholz_cut_1" => Column::BuchholzCut1,
        "buchholz_median" => Column::BuchholzMedian,
        "dummy_buchholz" => Column::DummyBuchholz,
        "direct_encounter" => Column::DirectEncounter,
        "wins" => Column::Wins,
        "koya" => Column::Koya,
        "performance" => Column::Performance,
        "game_points" => Column::GamePoints,
        "games" => Column::Games,
        "board" => Column::BoardPoints(nth),
        "member" => Column::MemberPoints(nth),
        _ => Column::Other(rank),
    }
}

/// What a criterion amounts to, as people write it: warnings and lots are negative, since fewer and earlier are better.
fn text(criterion: &Criterion) -> String {
    match criterion.name {
        "warnings" => fraction_text(&-criterion.value),
        "lot" => fraction_text(&(whole(1) - criterion.value)),
        _ => fraction_text(&criterion.value),
    }
}
