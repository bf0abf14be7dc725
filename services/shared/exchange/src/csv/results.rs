//! The table of results: a line for each game and each bye.

use std::collections::BTreeMap;

use pairing::{Number, Reason, ResultCode};

use super::{
    Mark,
    read::{Rows, assemble, column, places},
    write::Table,
};
use crate::{
    Bye, Fault, Outcome, Place, ReadError, Round, Tournament, WriteError,
    limits::{HANDICAP_MAX, ROUNDS_MAX},
};

/// The columns, in their order.
const COLUMNS: [&str; 11] = [
    "round",
    "board",
    "white",
    "white_name",
    "black",
    "black_name",
    "coloured",
    "handicap",
    "white_result",
    "black_result",
    "reason",
];

/// The most lines: all boards of an event of as many rounds as there may be, as far as a file goes.
const LINES_MAX: usize = 1_000_000;

/// The table of what came of every board, and of every bye. A bye has its player under `white` and nobody under `black`.
pub fn results(event: &Tournament, mark: Mark) -> Result<Vec<u8>, WriteError> {
    let mut table = Table::new(mark);
    table.row(COLUMNS)?;
    let name = |number: Number| event.player(number).map_or_else(String::new, |it| it.name.shown());
    for (number, round) in event.numbered_rounds() {
        for game in &round.games {
            let [white, black] = game.outcome.codes();
            table.row([
                number.to_string(),
                game.board.to_string(),
                game.white.to_string(),
                name(game.white),
                game.black.to_string(),
                name(game.black),
                if game.coloured { "yes" } else { "no" }.to_owned(),
                game.handicap.to_string(),
                white.name().to_owned(),
                black.name().to_owned(),
                game.reason.name().to_owned(),
            ])?;
        }
        for bye in &round.byes {
            let mut row = COLUMNS.map(|_| String::new());
            row[0] = number.to_string();
            row[2] = bye.player.to_string();
            row[3] = name(bye.player);
            bye.code.name().clone_into(&mut row[8]);
            table.row(row)?;
        }
    }
    table.finish()
}

/// Adds the lines of a table of results to an event whose players are known; rounds that it has not are added, what is in
/// the event already stays. Names are for people, and are passed over.
///
/// ```
/// use exchange::{Player, Tournament, csv};
/// let mut event = Tournament { players: vec![Player::new(1), Player::new(2)], ..Tournament::default() };
/// let head = "round,board,white,white_name,black,black_name,coloured,handicap,white_result,black_result,reason";
/// let table = format!("{head}\n1,1,2,,1,,yes,0,win,loss,resign\n");
/// csv::read_results(&mut event, table.as_bytes())?;
/// assert_eq!(csv::results(&event, csv::Mark::None)?, table.replace('\n', "\r\n").as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_results(event: &mut Tournament, bytes: &[u8]) -> Result<(), ReadError> {
    let (columns, mut rows) = Rows::of(crate::format::text_of(bytes)?, LINES_MAX)?;
    let places = places(&columns)?;
    let known = |it: &&str| COLUMNS.contains(it);
    if let Some((name, at)) = places.iter().find(|it| !known(it.0)) {
        return Err(ReadError::new(Fault::Column, (1, column(*at)), name));
    }
    let needed = COLUMNS.iter().filter(|it| !it.ends_with("_name"));
    if let Some(name) = needed.into_iter().find(|it| !places.contains_key(**it)) {
        return Err(ReadError::new(Fault::Missing, (1, 1), name));
    }
    let mut told = event.clone();
    let mut first: BTreeMap<u16, u32> = BTreeMap::new();
    while let Some((line, cells)) = rows.row()? {
        let cell = |name: &str| places.get(name).map_or((1, ""), |at| (column(*at), cells[*at].as_str()));
        let round = Line { line, cell }.add(&mut told)?;
        first.entry(round).or_insert(line);
    }
    told.tidy();
    // Of what only the whole of it shows the first line of the round is named.
    let line_of = |place| match place {
        Place::Round(round) | Place::Entry { round, .. } => first.get(&round).copied().unwrap_or(1),
        _ => 1,
    };
    let sound = told.check();
    sound.map_err(|it| ReadError::new(it.fault, (line_of(it.place), 1), &it.place.to_string()))?;
    *event = told;
    Ok(())
}

struct Line<'r, F: Fn(&str) -> (u32, &'r str)> {
    line: u32,
    cell: F,
}

impl<'r, F: Fn(&str) -> (u32, &'r str)> Line<'r, F> {
    fn error(&self, name: &str, fault: Fault) -> ReadError {
        let (column, cell) = (self.cell)(name);
        ReadError::new(fault, (self.line, column), cell)
    }

    fn number(&self, name: &str) -> Result<u32, ReadError> {
        (self.cell)(name).1.parse().map_err(|_| self.error(name, Fault::Number))
    }

    fn player(&self, event: &Tournament, name: &str) -> Result<Number, ReadError> {
        let number = Number(self.number(name)?);
        event.player(number).map(|it| it.number).ok_or_else(|| self.error(name, Fault::UnknownPlayer))
    }

    fn code(&self, name: &str) -> Result<ResultCode, ReadError> {
        ResultCode::named((self.cell)(name).1).ok_or_else(|| self.error(name, Fault::Code))
    }

    /// Adds the line, and says to which round.
    fn add(&self, event: &mut Tournament) -> Result<u16, ReadError> {
        let number = self.number("round")? as usize;
        if !(1..=ROUNDS_MAX).contains(&number) {
            return Err(self.error("round", Fault::TooManyRounds));
        }
        let round = u16::try_from(number).unwrap_or(u16::MAX);
        let white = self.player(event, "white")?;
        let code = self.code("white_result")?;
        event.rounds.resize(event.rounds.len().max(number), Round::default());
        if (self.cell)("black").1.is_empty() {
            event.rounds[number - 1].byes.push(Bye { player: white, code });
            return Ok(round);
        }
        let black = self.player(event, "black")?;
        let other = self.code("black_result")?;
        let outcome =
            Outcome::of([code, other]).ok_or_else(|| self.error("black_result", Fault::Contradiction))?;
        let coloured = match (self.cell)("coloured").1 {
            "yes" => Some(true),
            "no" => None,
            _ => return Err(self.error("coloured", Fault::Code)),
        };
        let stones = u8::try_from(self.number("handicap")?).ok().filter(|it| *it <= HANDICAP_MAX);
        let stones = stones.ok_or_else(|| self.error("handicap", Fault::Range))?;
        let reason =
            Reason::named((self.cell)("reason").1).ok_or_else(|| self.error("reason", Fault::Code))?;
        let seats = (self.number("board")?, stones, reason);
        let game = assemble(white, black, coloured, outcome, seats);
        let game = game.ok_or_else(|| self.error("board", Fault::Range))?;
        event.rounds[number - 1].games.push(game);
        Ok(round)
    }
}
