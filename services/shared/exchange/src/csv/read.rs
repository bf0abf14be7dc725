//! From a crosstable to an event.

use std::collections::BTreeMap;

use csv::{Reader, ReaderBuilder, StringRecord};
use pairing::{Number, Reason};

use super::{Cell, PLAYER_COLUMNS, ROUND_COLUMN, restored};
use crate::{
    Bye, Fault, Game, Grade, Ids, Outcome, PersonName, Player, ReadError, Round, Tournament,
    limits::{BOARD_MAX, CSV_LINE_BYTES_MAX, NUMBER_MAX, PLAYERS_MAX, ROUNDS_MAX, TEXT_CHARS_MAX},
};

/// Whether a line is the head of a table that is read: its first column is known.
pub(crate) fn is_head(line: &str) -> bool {
    let mut cells = line.split(',').map(|it| it.trim().trim_matches('"'));
    line.contains(',') && cells.next().is_some_and(|it| PLAYER_COLUMNS.contains(&it))
}

/// The rows of a table, one after the other: of each the line and the cells, as they were before they were made neutral.
pub(super) struct Rows<'t> {
    reader: Reader<&'t [u8]>,
    record: StringRecord,
    columns: usize,
    line: u32,
    left: usize,
}

impl<'t> Rows<'t> {
    /// The names of the columns, and at most so many rows behind them.
    pub(super) fn of(text: &'t str, most: usize) -> Result<(Vec<String>, Rows<'t>), ReadError> {
        if let Some((line, _)) = (1..).zip(text.split('\n')).find(|it| it.1.len() > CSV_LINE_BYTES_MAX) {
            return Err(ReadError::new(Fault::TextTooLong, (line, 1), ""));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut rows = Rows { reader, record: StringRecord::new(), columns: 0, line: 1, left: most };
        let (_, columns) = rows.read()?.ok_or_else(|| ReadError::new(Fault::Empty, (1, 1), ""))?;
        rows.columns = columns.len();
        Ok((columns, rows))
    }

    /// The next row.
    pub(super) fn row(&mut self) -> Result<Option<(u32, Vec<String>)>, ReadError> {
        let Some((line, cells)) = self.read()? else { return Ok(None) };
        if cells.len() != self.columns {
            return Err(ReadError::new(Fault::Cells, (line, 1), &cells.len().to_string()));
        }
        self.left =
            self.left.checked_sub(1).ok_or_else(|| ReadError::new(Fault::TooManyPlayers, (line, 1), ""))?;
        Ok(Some((line, cells)))
    }

    fn read(&mut self) -> Result<Option<(u32, Vec<String>)>, ReadError> {
        let more = self.reader.read_record(&mut self.record);
        let more = more.map_err(|it| ReadError::new(Fault::NotUtf8, (self.line, 1), &it.to_string()))?;
        if !more {
            return Ok(None);
        }
        let place = self.record.position();
        self.line = place.map_or(self.line, |it| u32::try_from(it.line()).unwrap_or(u32::MAX));
        Ok(Some((self.line, cells(self.line, &self.record)?)))
    }
}

/// Where each of the columns stands, by name; an error where one is there twice.
pub(super) fn places(columns: &[String]) -> Result<BTreeMap<&str, usize>, ReadError> {
    let mut places = BTreeMap::new();
    for (at, name) in columns.iter().enumerate() {
        if places.insert(name.as_str(), at).is_some() {
            return Err(ReadError::new(Fault::Column, (1, column(at)), name));
        }
    }
    Ok(places)
}

/// The number of a cell, from 1.
pub(super) fn column(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

fn cells(line: u32, record: &StringRecord) -> Result<Vec<String>, ReadError> {
    let cell = |(at, cell): (usize, &str)| {
        let error = |fault| Err(ReadError::new(fault, (line, column(at)), cell));
        let cell = restored(cell).trim();
        // A quote that is not closed takes in the lines that follow, and is found by their ends.
        if cell.contains(char::is_control) {
            return error(Fault::Control);
        }
        if cell.chars().count() > TEXT_CHARS_MAX {
            return error(Fault::TextTooLong);
        }
        Ok(cell.to_owned())
    };
    record.iter().enumerate().map(cell).collect()
}

pub(crate) fn read(text: &str) -> Result<Tournament, ReadError> {
    let (columns, mut rows) = Rows::of(text, PLAYERS_MAX)?;
    let places = places(&columns)?;
    let mut rounds: BTreeMap<usize, usize> = BTreeMap::new();
    for (name, at) in &places {
        let (name, at) = (*name, *at);
        let error = |fault| ReadError::new(fault, (1, column(at)), name);
        if let Some(digits) = name.strip_prefix(ROUND_COLUMN) {
            let round: usize = digits.parse().map_err(|_| error(Fault::Number))?;
            if !(1..=ROUNDS_MAX).contains(&round) || rounds.insert(round, at).is_some() {
                return Err(error(Fault::TooManyRounds));
            }
        } else if !PLAYER_COLUMNS.contains(&name) {
            return Err(error(Fault::Column));
        }
    }
    let has = |name: &str| places.contains_key(name);
    if !has("number") || !(has("native_name") || has("last_name")) {
        let what = "number, and native_name or last_name";
        return Err(ReadError::new(Fault::Missing, (1, 1), what));
    }
    let mut table = Table::default();
    while let Some((line, cells)) = rows.row()? {
        let cell = |name: &str| places.get(name).map_or((0, ""), |at| (*at, cells[*at].as_str()));
        let player = player(line, cell)?;
        let number = player.number;
        if table.lines.insert(number, line).is_some() {
            let place = (line, column(places["number"]));
            return Err(ReadError::new(Fault::Double, place, &number.to_string()));
        }
        table.event.players.push(player);
        for (round, at) in rounds.iter().filter(|it| !cells[*it.1].is_empty()) {
            let error = |fault| ReadError::new(fault, (line, column(*at)), &cells[*at]);
            let cell = Cell::parse(&cells[*at]).map_err(error)?;
            table.cells.insert((*round, number), (cell, (line, column(*at))));
        }
    }
    table.event.rounds.resize(rounds.keys().next_back().copied().unwrap_or(0), Round::default());
    table.rounds()
}

fn player<'r>(line: u32, cell: impl Fn(&str) -> (usize, &'r str)) -> Result<Player, ReadError> {
    let text = |name: &str| cell(name).1.to_owned();
    let error = |name: &str, fault| ReadError::new(fault, (line, column(cell(name).0)), cell(name).1);
    let number: u32 = cell("number").1.parse().map_err(|_| error("number", Fault::Number))?;
    if !(1..=NUMBER_MAX).contains(&number) {
        return Err(error("number", Fault::Range));
    }
    let rating = match cell("rating").1 {
        "" => None,
        digits => Some(digits.parse::<i32>().map_err(|_| error("rating", Fault::Number))?),
    };
    if rating.is_some_and(|it| !(-Player::RATING_MAX..=Player::RATING_MAX).contains(&it)) {
        return Err(error("rating", Fault::Range));
    }
    let grade = match cell("grade").1 {
        "" => None,
        word => Some(Grade::parse(word).ok_or_else(|| error("grade", Fault::Code))?),
    };
    Ok(Player {
        number: Number(number),
        name: PersonName::new(cell("native_name").1, cell("last_name").1, cell("first_name").1),
        club: text("club"),
        country: text("country"),
        rating,
        grade,
        title: text("title"),
        ids: Ids {
            member: text("member_id"),
            egf: text("egf_pin"),
            aga: text("aga_id"),
            fide: text("fide_id"),
        },
    })
}

/// Where a cell stands.
type At = (u32, u32);

/// What has been read so far.
#[derive(Default)]
struct Table {
    event: Tournament,
    lines: BTreeMap<Number, u32>,
    cells: BTreeMap<(usize, Number), (Cell, At)>,
}

impl Table {
    fn rounds(mut self) -> Result<Tournament, ReadError> {
        for ((round, number), (cell, at)) in &self.cells {
            let rounds = &mut self.event.rounds[round - 1];
            match *cell {
                Cell::Bye(code) => rounds.byes.push(Bye { player: *number, code }),
                Cell::Game { opponent, .. } => {
                    let theirs = self.cells.get(&(*round, opponent)).map(|it| it.0);
                    if let Some(game) = game(*number, *cell, theirs, *at, &self.lines)? {
                        rounds.games.push(game);
                    }
                }
            }
        }
        Ok(self.event)
    }
}

/// The game of a cell, when it is that of the lower number; an error where the other one has another.
fn game(
    number: Number,
    cell: Cell,
    theirs: Option<Cell>,
    at: At,
    known: &BTreeMap<Number, u32>,
) -> Result<Option<Game>, ReadError> {
    let Cell::Game { opponent, white, code, board, handicap, reason } = cell else { return Ok(None) };
    let error = |fault| ReadError::new(fault, at, &opponent.to_string());
    if opponent == number {
        return Err(error(Fault::Himself));
    }
    if !known.contains_key(&opponent) {
        return Err(error(Fault::UnknownPlayer));
    }
    let Some(Cell::Game { code: their_code, .. }) = theirs else { return Err(error(Fault::Contradiction)) };
    let outcome = Outcome::of([code, their_code]).ok_or_else(|| error(Fault::Contradiction))?;
    let game = assemble(number, opponent, white, outcome, (board, handicap, reason));
    let game = game.ok_or_else(|| error(Fault::Range))?;
    let [of_white, of_black] = Cell::of(&game);
    let (own, other) = if game.white == number { (of_white, of_black) } else { (of_black, of_white) };
    if own != cell || Some(other) != theirs {
        return Err(error(Fault::Contradiction));
    }
    Ok((number < opponent).then_some(game))
}

/// A game with the seats that are told, the outcome as the first of the two would have it with white.
pub(super) fn assemble(
    number: Number,
    opponent: Number,
    white: Option<bool>,
    outcome: Outcome,
    (board, handicap, reason): (u32, u8, Reason),
) -> Option<Game> {
    let game = match white {
        Some(true) => Game::new(board, number, opponent, outcome),
        Some(false) => Game::new(board, opponent, number, outcome.turned()),
        None => Game::new(board, number, opponent, outcome).uncoloured(),
    };
    (1..=BOARD_MAX).contains(&board).then_some(Game { handicap, reason, ..game })
}
