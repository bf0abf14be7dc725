//! From an event to tables.

use std::collections::BTreeMap;

use csv::{StringRecord, Terminator, Writer, WriterBuilder};
use pairing::{Number, fraction_text, standings::Line};

use super::{Cell, Mark, PLAYER_COLUMNS, ROUND_COLUMN, neutral};
use crate::{Place, Player, Refusal, Tournament, WriteError};

/// A table that is being written.
pub(crate) struct Table(Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new(mark: Mark) -> Table {
        let bytes = match mark {
            Mark::None => Vec::new(),
            Mark::Bom => "\u{feff}".as_bytes().to_vec(),
        };
        Table(WriterBuilder::new().terminator(Terminator::CRLF).from_writer(bytes))
    }

    /// A row, each cell of which is made neutral.
    pub(crate) fn row<S: AsRef<str>>(
        &mut self,
        cells: impl IntoIterator<Item = S>,
    ) -> Result<(), WriteError> {
        let mut record = StringRecord::new();
        cells.into_iter().for_each(|it| record.push_field(&neutral(it.as_ref())));
        let written = self.0.write_record(&record);
        written.map_err(|it| WriteError::new(Refusal::Format, Place::Event, it.to_string()))
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, WriteError> {
        let finished = self.0.into_inner();
        finished.map_err(|it| WriteError::new(Refusal::Format, Place::Event, it.to_string()))
    }
}

/// The table of players.
pub fn players(event: &Tournament, mark: Mark) -> Result<Vec<u8>, WriteError> {
    let mut table = Table::new(mark);
    table.row(PLAYER_COLUMNS)?;
    for player in &event.players {
        table.row(player_cells(player))?;
    }
    table.finish()
}

/// The table of players with what each of them has of each round.
pub fn crosstable(event: &Tournament, mark: Mark) -> Result<Vec<u8>, WriteError> {
    let mut cells: BTreeMap<Number, Vec<String>> = BTreeMap::new();
    let mut put = |number: Number, at: usize, cell: Cell| {
        let row = cells.entry(number).or_default();
        row.resize(at, String::new());
        row.push(cell.text());
    };
    for (at, round) in event.rounds.iter().enumerate() {
        for game in &round.games {
            let [white, black] = Cell::of(game);
            put(game.white, at, white);
            put(game.black, at, black);
        }
        round.byes.iter().for_each(|it| put(it.player, at, Cell::Bye(it.code)));
    }
    let mut table = Table::new(mark);
    let rounds = (1..=event.rounds.len()).map(|it| format!("{ROUND_COLUMN}{it}"));
    table.row(PLAYER_COLUMNS.into_iter().map(str::to_owned).chain(rounds))?;
    for player in &event.players {
        let mut row = cells.remove(&player.number).unwrap_or_default();
        row.resize(event.rounds.len(), String::new());
        table.row(player_cells(player).into_iter().chain(row))?;
    }
    table.finish()
}

/// The table of standings: lines as [`pairing::standings`] makes them, with the names of their players.
///
/// ```
/// use exchange::{PersonName, Player, Tournament, csv};
/// use pairing::{Number, standings::Line};
/// let mut event = Tournament::default();
/// event.players.push(Player { name: PersonName::new("王伟", "Wang", "Wei"), ..Player::new(7) });
/// let line = Line { number: Number(7), place: Some(1), points: 6, criteria: Vec::new(), provisional: false };
/// let table = csv::standings(&event, &[line], csv::Mark::None)?;
/// assert!(String::from_utf8_lossy(&table).ends_with("\r\n1,7,王伟,Wang,Wei,,,,6,no\r\n"));
/// # Ok::<(), exchange::WriteError>(())
/// ```
pub fn standings(event: &Tournament, lines: &[Line], mark: Mark) -> Result<Vec<u8>, WriteError> {
    const COLUMNS: [&str; 9] =
        ["place", "number", "native_name", "last_name", "first_name", "club", "country", "grade", "points"];
    let mut names: Vec<&'static str> = Vec::new();
    for criterion in lines.iter().flat_map(|it| &it.criteria) {
        if !names.contains(&criterion.name) {
            names.push(criterion.name);
        }
    }
    let mut table = Table::new(mark);
    table.row(COLUMNS.iter().chain(&names).chain(&["provisional"]))?;
    let nobody = Player::default();
    for line in lines {
        let player = event.player(line.number).unwrap_or(&nobody);
        let [_, native, last, first, club, country, _, grade, ..] = player_cells(player);
        let place = line.place.map_or_else(String::new, |it| it.to_string());
        let (number, points) = (line.number.to_string(), line.points.to_string());
        let criteria = names.iter().map(|name| {
            let criterion = line.criteria.iter().find(|it| it.name == *name);
            criterion.map_or_else(String::new, |it| fraction_text(&it.value))
        });
        let provisional = if line.provisional { "yes" } else { "no" };
        let cells = [place, number, native, last, first, club, country, grade, points].into_iter();
        table.row(cells.chain(criteria).chain([provisional.to_owned()]))?;
    }
    table.finish()
}

fn player_cells(player: &Player) -> [String; 13] {
    let (name, ids) = (&player.name, &player.ids);
    [
        player.number.to_string(),
        name.native.clone(),
        name.last.clone(),
        name.first.clone(),
        player.club.clone(),
        player.country.clone(),
        player.rating.map_or_else(String::new, |it| it.to_string()),
        player.grade.map_or_else(String::new, |it| it.to_string()),
        player.title.clone(),
        ids.member.clone(),
        ids.egf.clone(),
        ids.aga.clone(),
        ids.fide.clone(),
    ]
}
