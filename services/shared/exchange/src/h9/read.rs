//! From a table of results to an event.

use std::collections::BTreeMap;

use pairing::{Number, ResultCode};

use super::from_word;
use crate::{
    Bye, DoubtKind, Fault, Game, Grade, Halves, HandicapRule, Header, Ids, Name, Outcome, Overtime,
    PersonName, Place, Player, ReadError, Round, TimeControl, Tournament, day,
    doubt::Doubts,
    limits::{BOARD_MAX, HANDICAP_MAX, LINE_BYTES_MAX, NUMBER_MAX, PLAYERS_MAX, ROUNDS_MAX},
};

/// A field of a line, and the column in which it begins.
type Field<'t> = (u32, &'t str);

/// Whether a line is that of a player: a place, a name, and somewhere a result.
pub(crate) fn is_line(line: &str) -> bool {
    let told = line.split([';', '|']).next().unwrap_or_default();
    let mut words = told.split_whitespace();
    let place = words.next().is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    place && words.next().is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_digit())) && {
        let last = words.last();
        last.is_some_and(|it| parse(it).is_some())
    }
}

pub(crate) fn read(text: &str, doubts: &mut Doubts) -> Result<Tournament, ReadError> {
    let mut event = Tournament::default();
    let mut rows: Vec<Row> = Vec::new();
    let lines = text.replace("\r\n", "\n");
    for (number, line) in (1..).zip(lines.split(['\n', '\r'])) {
        if line.len() > LINE_BYTES_MAX {
            return Err(ReadError::new(Fault::TextTooLong, (number, 1), ""));
        }
        if let Some(at) = line.trim_end().find(|it: char| it.is_control() && it != '\t') {
            return Err(ReadError::new(Fault::Control, (number, column(line, at)), ""));
        }
        let (told, comment) = line.split_once(';').unwrap_or((line, ""));
        head(&mut event.header, comment, doubts);
        if told.trim().is_empty() {
            continue;
        }
        if rows.len() == PLAYERS_MAX {
            return Err(ReadError::new(Fault::TooManyPlayers, (number, 1), ""));
        }
        rows.push(Row::of(number, told, doubts)?);
    }
    let rounds = rows.first().map_or(0, |it| it.results.len());
    if let Some(row) = rows.iter().find(|it| it.results.len() != rounds) {
        return Err(ReadError::new(Fault::RoundsDiffer, (row.line, 1), &row.results.len().to_string()));
    }
    event.rounds = Table::of(&rows)?.rounds(rounds)?;
    event.players = rows.into_iter().map(|it| it.player).collect();
    Ok(event)
}

/// The column of a byte of a line, from 1, in characters.
fn column(line: &str, byte: usize) -> u32 {
    u32::try_from(line[..byte].chars().count() + 1).unwrap_or(u32::MAX)
}

/// What stands behind a semicolon, if it says something of the event.
fn head(header: &mut Header, comment: &str, doubts: &mut Doubts) {
    let Some((key, rest)) = comment.trim().split_once('[') else { return };
    let Some(value) = rest.trim_end().strip_suffix(']').map(str::trim) else { return };
    if value.is_empty() {
        return;
    }
    let mut doubt = |kind: DoubtKind, understood: bool| {
        if !understood {
            doubts.add(kind, Place::Event, value);
        }
    };
    match key.trim() {
        "EV" => header.name = Name::of(value),
        "PC" => {
            let (country, place) = value.split_once(',').unwrap_or((value, ""));
            (header.country, header.place) = (country.trim().to_owned(), place.trim().to_owned());
        }
        "DT" => {
            let (start, end) = value.split_once(',').unwrap_or((value, value));
            (header.start, header.end) = (day::parse(start), day::parse(end));
            doubt(DoubtKind::Date, header.start.is_some() && header.end.is_some());
        }
        "HA" => {
            let reduction = value.strip_prefix('h').and_then(|it| it.parse().ok());
            let reduction: Option<u8> = reduction.filter(|it| *it <= HANDICAP_MAX);
            header.handicaps = reduction.map(|reduction| {
                let most = if reduction == HANDICAP_MAX { 0 } else { HANDICAP_MAX };
                HandicapRule { by_score: false, reduction, most, none_from: None }
            });
            doubt(DoubtKind::Number, reduction.is_some());
        }
        "KM" => {
            header.komi = Halves::parse(value);
            doubt(DoubtKind::Komi, header.komi.is_some());
        }
        "TM" | "TA" => {
            let minutes: Option<u32> = value.parse().ok();
            let minutes = minutes.filter(|it| *it <= TimeControl::SECONDS_MAX / 60);
            header.time = minutes.map(|it| TimeControl { basic_seconds: 60 * it, overtime: Overtime::None });
            doubt(DoubtKind::TimeControl, minutes.is_some());
        }
        _ => {}
    }
}

/// What a player has of a round.
#[derive(Clone, Copy, Debug)]
struct Told {
    column: u32,
    /// 0 for nobody.
    opponent: u32,
    sign: char,
    by_default: bool,
    colour: Option<char>,
    handicap: Option<u8>,
}

/// A result: the place of the opponent, a sign, and perhaps a colour and a handicap.
fn parse(field: &str) -> Option<Told> {
    let end = field.find(|it: char| !it.is_ascii_digit())?;
    let (digits, rest) = field.split_at(end);
    let opponent: u32 = digits.parse().ok().filter(|it| *it <= NUMBER_MAX)?;
    let mut signs = rest.chars();
    let sign = signs.next().filter(|it| matches!(it, '+' | '-' | '='))?;
    let behind = signs.as_str();
    let by_default = behind.starts_with('!');
    let seat = behind.trim_start_matches(['/', '!']);
    let mut told = Told { column: 1, opponent, sign, by_default, colour: None, handicap: None };
    let mut letters = seat.chars();
    match letters.next() {
        None => return Some(told),
        Some(colour @ ('w' | 'b')) => told.colour = Some(colour),
        Some('?') => {}
        Some(_) => return None,
    }
    let stones = letters.as_str();
    if !stones.is_empty() {
        told.handicap = Some(stones.parse().ok().filter(|it| *it <= HANDICAP_MAX)?);
    }
    Some(told)
}

/// Whether a field would be read as a result.
pub(super) fn is_result(field: &str) -> bool {
    parse(field).is_some()
}

/// The line of a player.
struct Row {
    line: u32,
    player: Player,
    results: Vec<Told>,
}

/// The fields before the results: place, name, first name, grade, country and club.
const FIELDS: usize = 6;

impl Row {
    fn of(line: u32, told: &str, doubts: &mut Doubts) -> Result<Row, ReadError> {
        let (table, pin) = told.split_once('|').unwrap_or((told, ""));
        let mut fields: Vec<Field<'_>> = fields(table);
        let results = fields.iter().rposition(|it| parse(it.1).is_none()).map_or(0, |at| at + 1);
        let results = fields.split_off(results);
        if results.len() > ROUNDS_MAX {
            return Err(ReadError::new(Fault::TooManyRounds, (line, 1), ""));
        }
        let field = |at: usize| fields.get(at).copied().unwrap_or((1, ""));
        let missing = |what: &str| ReadError::new(Fault::Missing, (line, 1), what);
        let (at, place) = field(0);
        let number: u32 = place.parse().map_err(|_| ReadError::new(Fault::Number, (line, at), place))?;
        if !(1..=NUMBER_MAX).contains(&number) {
            return Err(ReadError::new(Fault::Range, (line, at), place));
        }
        if fields.len() < FIELDS - 1 {
            return Err(missing("name, first name, grade, country and club"));
        }
        let said = field(3).1;
        let grade = Grade::parse(said);
        if grade.is_none() && !from_word(said).is_empty() {
            doubts.add(DoubtKind::Grade, Place::Player(Number(number)), said);
        }
        // Without a club the first score stands in its place.
        let club = Some(field(5).1).filter(|it| !it.bytes().all(|it| it.is_ascii_digit()));
        let egf = pin.trim().to_owned();
        let player = Player {
            name: PersonName::new("", &from_word(field(1).1), &from_word(field(2).1)),
            club: from_word(club.unwrap_or_default()),
            country: from_word(field(4).1),
            grade,
            ids: Ids { egf, ..Ids::default() },
            ..Player::new(number)
        };
        let told = results.iter().filter_map(|(column, it)| Some(Told { column: *column, ..parse(it)? }));
        Ok(Row { line, player, results: told.collect() })
    }

    fn error(&self, told: Told, fault: Fault) -> ReadError {
        let what = if told.opponent == 0 { String::new() } else { told.opponent.to_string() };
        ReadError::new(fault, (self.line, told.column), &what)
    }
}

/// The fields of a line, with the columns in which they begin.
fn fields(line: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut begins: Option<(usize, u32)> = None;
    for (column, (at, it)) in (1..).zip(line.char_indices()) {
        match begins {
            None if !it.is_whitespace() => begins = Some((at, column)),
            Some((from, begin)) if it.is_whitespace() => {
                fields.push((begin, &line[from..at]));
                begins = None;
            }
            _ => {}
        }
    }
    fields.extend(begins.map(|(from, begin)| (begin, &line[from..])));
    fields
}

/// The lines by the places of their players.
struct Table<'r>(BTreeMap<u32, &'r Row>);

impl<'r> Table<'r> {
    fn of(rows: &'r [Row]) -> Result<Table<'r>, ReadError> {
        let mut table = BTreeMap::new();
        for row in rows {
            let number = row.player.number.0;
            if table.insert(number, row).is_some() {
                return Err(ReadError::new(Fault::Double, (row.line, 1), &number.to_string()));
            }
        }
        Ok(Table(table))
    }

    fn rounds(&self, rounds: usize) -> Result<Vec<Round>, ReadError> {
        let round = |at: usize| {
            let mut round = Round::default();
            for (number, row) in &self.0 {
                self.entry(&mut round, at, Number(*number), row)?;
            }
            round.number_boards();
            Ok(round)
        };
        (0..rounds).map(round).collect()
    }

    fn entry(&self, round: &mut Round, at: usize, number: Number, row: &Row) -> Result<(), ReadError> {
        let own = row.results[at];
        if own.opponent == 0 {
            let code = match own.sign {
                '+' => ResultCode::ByeFull,
                '=' => ResultCode::ByeHalf,
                _ => return Ok(()),
            };
            round.byes.push(Bye { player: number, code });
            return Ok(());
        }
        if own.opponent == number.0 {
            return Err(row.error(own, Fault::Himself));
        }
        let Some(other) = self.0.get(&own.opponent) else {
            return Err(row.error(own, Fault::UnknownPlayer));
        };
        let theirs = other.results[at];
        if theirs.opponent != number.0 || !agree(own, theirs) {
            return Err(row.error(own, Fault::Contradiction));
        }
        if number.0 > own.opponent {
            return Ok(());
        }
        let outcome = outcome(own, theirs).ok_or_else(|| row.error(own, Fault::Contradiction))?;
        let handicap = own.handicap.or(theirs.handicap).unwrap_or(0);
        let opponent = Number(own.opponent);
        let is_white = match (own.colour, theirs.colour) {
            (Some(colour), _) => Some(colour == 'w'),
            (None, Some(colour)) => Some(colour == 'b'),
            (None, None) => None,
        };
        let game = match is_white {
            Some(true) => Game::new(BOARD_MAX, number, opponent, outcome),
            Some(false) => Game::new(BOARD_MAX, opponent, number, outcome.turned()),
            None => Game::new(BOARD_MAX, number, opponent, outcome).uncoloured(),
        };
        round.games.push(Game { handicap, ..game });
        Ok(())
    }
}

/// Whether two lines tell the same of a game, as far as both tell it.
fn agree(own: Told, theirs: Told) -> bool {
    let colours = own.colour.is_none() || own.colour != theirs.colour;
    let stones = own.handicap.is_none() || theirs.handicap.is_none() || own.handicap == theirs.handicap;
    colours && stones && own.by_default == theirs.by_default
}

fn outcome(own: Told, theirs: Told) -> Option<Outcome> {
    let code = |it: char| match (it, own.by_default) {
        ('+', false) => Some(ResultCode::Win),
        ('-', false) => Some(ResultCode::Loss),
        ('=', false) => Some(ResultCode::Draw),
        ('+', true) => Some(ResultCode::ForfeitWin),
        ('-', true) => Some(ResultCode::ForfeitLoss),
        _ => None,
    };
    Outcome::of([code(own.sign)?, code(theirs.sign)?])
}
