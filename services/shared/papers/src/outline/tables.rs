//! Tables: standings, crosstables and leagues.

use super::{Block, Outline, Row, Table, Text};
use crate::{
    model::{CrossLine, Crosstable, Fate, Form, League, Line, Standings},
    page::Part,
    words::Words,
};

/// Columns that stand beside a name: on a page that is higher than wide, and on one that is wider than high.
struct Abreast(usize, usize);

/// Criteria.
const CRITERIA: Abreast = Abreast(7, 12);
/// Rounds of a crosstable.
const ROUNDS: Abreast = Abreast(9, 15);
/// Opponents of a crosstable: what stands in their columns is one sign.
const OPPONENTS: Abreast = Abreast(15, 24);

impl Outline {
    pub(super) fn standings(&mut self, words: &Words<'_>, sheet: &Standings) {
        let title = if sheet.teams { "papers.title.team_standings" } else { "papers.title.standings" };
        self.titled(words, title, Text::words(words.as_of_round(sheet.round)));
        self.table_of(words, sheet, true);
        if sheet.has(Fate::Rises) {
            let promoted = Text::sign("▲ ").and(Text::words(words.say("papers.promoted")));
            self.blocks.push(Block::Legend(promoted));
        }
    }

    pub(super) fn league(&mut self, words: &Words<'_>, sheet: &League) {
        self.titled(words, "papers.title.league", Text::name(&sheet.season));
        for division in &sheet.divisions {
            let mut heading = Text::words(words.of("papers.division", "name", &division.name.native));
            if division.table.round > 0 {
                heading = heading.then(" · ").and(Text::words(words.as_of_round(division.table.round)));
            }
            self.blocks.push(Block::Heading(heading));
            self.table_of(words, &division.table, false);
        }
        if sheet.has(Fate::Rises) || sheet.has(Fate::Falls) {
            for key in ["papers.promotion", "papers.relegation"] {
                self.blocks.push(Block::Legend(Text::words(words.say(key))));
            }
        }
    }

    pub(super) fn crosstable(&mut self, words: &Words<'_>, sheet: &Crosstable) {
        let of = Text::words(words.as_of_round(sheet.round));
        self.titled(words, "papers.title.crosstable", of);
        let (columns, abreast) = match sheet.form {
            Form::Rounds => (sheet.rounds(), ROUNDS),
            Form::AllPlayAll => (sheet.lines.len(), OPPONENTS),
        };
        for part in self.parts(columns, &abreast) {
            let table = cross_part(words, sheet, &part);
            self.part(words, &part, table, true);
        }
        self.blocks.push(Block::Legend(cross_legend(words, sheet)));
    }

    fn table_of(&mut self, words: &Words<'_>, sheet: &Standings, own_pages: bool) {
        for part in self.parts(sheet.columns.len(), &CRITERIA) {
            let table = standings_part(words, sheet, &part);
            self.part(words, &part, table, own_pages);
        }
        if sheet.is_provisional() {
            self.blocks.push(Block::Legend(Text::words(words.say("papers.provisional"))));
        }
        self.blocks.extend(sheet.meanings(words).into_iter().map(|said| Block::Legend(Text::words(said))));
    }

    /// The parts of a table. One that is too wide turns the page; one that is too wide then, too, is parted.
    fn parts(&mut self, columns: usize, abreast: &Abreast) -> Vec<Part> {
        let is_wide = columns > abreast.0;
        self.landscape |= is_wide;
        Part::of(columns, if is_wide { abreast.1 } else { abreast.0 })
    }

    fn part(&mut self, words: &Words<'_>, part: &Part, mut table: Table, own_pages: bool) {
        table.new_page = own_pages && !part.is_first();
        if !part.is_only() {
            let columns = Text::words(part.said(words));
            // The columns are named in the table's own head, so that they stand on each of its pages.
            table.rows.insert(0, Row::Heading(columns));
        }
        self.blocks.push(Block::Table(table));
    }
}

impl Table {
    /// A table whose columns have these heads, each with whether it is narrow.
    pub(super) fn with_heads(words: &Words<'_>, heads: &[(&str, bool)]) -> Table {
        Table {
            narrow: heads.iter().map(|(_, narrow)| *narrow).collect(),
            head: heads.iter().map(|(key, _)| Text::words(words.say(key))).collect(),
            ..Table::default()
        }
    }

    fn with_column(&mut self, head: Text) {
        self.narrow.push(true);
        self.head.push(head);
    }
}

impl Row {
    pub(super) fn of<const COLUMNS: usize>(cells: [Text; COLUMNS]) -> Row {
        Row::Cells(cells.map(Some).to_vec())
    }
}

fn of_lines(words: &Words<'_>, who: &str) -> Table {
    Table::with_heads(words, &[("papers.place", true), ("papers.number", true), (who, false)])
}

fn place(place: Option<u32>) -> Text {
    Text::number(place.unwrap_or(0))
}

fn standings_part(words: &Words<'_>, sheet: &Standings, part: &Part) -> Table {
    let mut table = of_lines(words, if sheet.teams { "papers.team" } else { "papers.name" });
    for column in part.slice(&sheet.columns) {
        table.with_column(Text::words(words.column(*column)));
    }
    let row = |line: &Line| {
        let fate = match line.fate {
            Fate::Stays => "",
            Fate::Rises => "▲",
            Fate::Falls => "▼",
        };
        let who = Text::person(&line.who);
        let who = if line.provisional { who.then(" *") } else { who };
        let mut cells = vec![place(line.place).then(fate), Text::number(line.who.number), who];
        cells.extend(part.slice(&line.cells).iter().map(|cell| Text::sign(cell)));
        cells.extend(part.lacking(&line.cells).map(|_| Text::default()));
        Row::Cells(cells.into_iter().map(Some).collect())
    };
    table.rows = sheet.lines.iter().map(row).collect();
    table
}

fn cross_part(words: &Words<'_>, sheet: &Crosstable, part: &Part) -> Table {
    let mut table = of_lines(words, "papers.name");
    if sheet.is_all_play_all() {
        for opponent in part.slice(&sheet.lines) {
            table.with_column(Text::number(opponent.who.number));
        }
    } else {
        for column in part.columns() {
            table.with_column(Text::sign(&(column + 1).to_string()));
        }
    }
    table.with_column(Text::words(words.say("papers.column.points")));
    let row = |line: &CrossLine| {
        let who = Text::name(&line.who.name);
        let mut cells = vec![Some(place(line.place)), Some(Text::number(line.who.number)), Some(who)];
        if sheet.is_all_play_all() {
            cells.extend(part.slice(&sheet.lines).iter().map(|opponent| {
                let other = opponent.who.number;
                (other != line.who.number).then(|| Text::sign(&line.against(other)))
            }));
        } else {
            cells.extend(part.slice(&line.cells).iter().map(|cell| Some(Text::sign(&cell.text()))));
            cells.extend(part.lacking(&line.cells).map(|_| Some(Text::default())));
        }
        cells.push(Some(Text::sign(&line.points)));
        Row::Cells(cells)
    };
    table.rows = sheet.lines.iter().map(row).collect();
    table
}

fn cross_legend(words: &Words<'_>, sheet: &Crosstable) -> Text {
    let said = |key: &str| Text::words(words.say(key));
    let legend = if sheet.is_all_play_all() {
        said("papers.cells_all")
    } else {
        said("papers.cells").then(" ● ").and(said("papers.black")).then(", ○ ").and(said("papers.white"))
    };
    legend
        .then("; … ")
        .and(said("papers.outcome.adjourned"))
        .then(", ↻ ")
        .and(said("papers.outcome.replay_ordered"))
        .then(", × ")
        .and(said("papers.outcome.annulled"))
}
