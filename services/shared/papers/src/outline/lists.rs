//! Lists: schedules, rosters and ratings.

use super::{Block, Outline, Row, Table, Text};
use crate::{
    model::{Entrant, Person, Rated, RatingList, Roster, RosterTeam, Schedule, ScheduledRound},
    page::signed,
    words::Words,
};

/// What a list says of everybody.
const OF_PERSONS: [(&str, bool); 5] = [
    ("papers.number", true),
    ("papers.name", false),
    ("papers.club", false),
    ("papers.grade", true),
    ("papers.rating", true),
];

impl Outline {
    pub(super) fn schedule(&mut self, words: &Words<'_>, sheet: &Schedule) {
        self.titled(words, "papers.title.schedule", Text::default());
        let begins = |round: &ScheduledRound| {
            if round.begins.is_empty() {
                Text::words(words.say("papers.not_set"))
            } else {
                Text::plain(&round.begins)
            }
        };
        let row = |round: &ScheduledRound| {
            Row::of([Text::words(words.count("papers.round", "round", round.round)), begins(round)])
        };
        self.blocks.push(Block::Table(Table {
            narrow: vec![false, false],
            head: vec![Text::default(), Text::words(words.say("papers.begins"))],
            rows: sheet.rounds.iter().map(row).collect(),
            ..Table::default()
        }));
    }

    pub(super) fn roster(&mut self, words: &Words<'_>, sheet: &Roster) {
        let of = Text::words(words.count("papers.entrants", "count", sheet.count()));
        self.titled(words, "papers.title.roster", of);
        for team in &sheet.teams {
            self.team(words, team);
        }
        if sheet.players.is_empty() {
            return;
        }
        let mut table = Table::with_heads(words, &OF_PERSONS);
        table.narrow.push(false);
        table.head.push(Text::words(words.say("papers.state")));
        let row = |player: &Entrant| {
            let state = Some(Text::words(words.state(player.state)));
            Row::Cells(person_cells(&player.who).into_iter().map(Some).chain([state]).collect())
        };
        table.rows = sheet.players.iter().map(row).collect();
        self.blocks.push(Block::Table(table));
    }

    pub(super) fn rating_list(&mut self, words: &Words<'_>, sheet: &RatingList) {
        let date = Text::words(words.of("papers.list_of", "date", &sheet.date));
        self.titled(words, "papers.title.rating_list", Text::name(&sheet.name).then(" · ").and(date));
        if self.moment.is_empty() {
            self.moment.clone_from(&sheet.date);
        }
        let mut heads = OF_PERSONS.to_vec();
        heads[0] = ("papers.place", true);
        heads.extend([("papers.change", true), ("papers.games", true)]);
        let mut table = Table::with_heads(words, &heads);
        let row = |line: &Rated| {
            let [_, name, club, grade, rating] = person_cells(&line.who);
            let change = Text::sign(&signed(line.change.as_ref()));
            // A list has lines of who has not played since: 0 is a number here.
            let games = Text::sign(&line.games.to_string());
            Row::of([Text::number(line.place), name, club, grade, rating, change, games])
        };
        table.rows = sheet.lines.iter().map(row).collect();
        self.blocks.push(Block::Table(table));
    }

    fn team(&mut self, words: &Words<'_>, team: &RosterTeam) {
        let state = words.state(team.state);
        let mut heading = Text::number(team.team.number).then(" ").and(Text::name(&team.team.name));
        if !state.is_empty() {
            heading = heading.then(" ").and(Text::words(state));
        }
        self.blocks.push(Block::Heading(heading));
        if !team.captain.is_empty() {
            let captain = Text::words(words.say("papers.captain")).then(": ").and(Text::name(&team.captain));
            self.blocks.push(Block::Line(captain));
        }
        let mut table = Table::with_heads(words, &OF_PERSONS);
        let row = |person: &Person| Row::of(person_cells(person));
        table.rows = team.players.iter().map(row).collect();
        if !team.reserves.is_empty() {
            table.rows.push(Row::Heading(Text::words(words.say("papers.reserves"))));
            table.rows.extend(team.reserves.iter().map(row));
        }
        self.blocks.push(Block::Table(table));
    }
}

fn person_cells(of: &Person) -> [Text; 5] {
    let rating = of.rating.map_or_else(Text::default, |rating| Text::sign(&rating.to_string()));
    [Text::number(of.number), Text::name(&of.name), Text::name(&of.club), Text::plain(&of.grade), rating]
}
