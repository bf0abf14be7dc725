//! Tables of CSV, for spreadsheets and scripts: UTF-8, commas, lines that end with CR and LF, the first of them the names of
//! the columns.
//!
//! | table | columns |
//! | --- | --- |
//! | players ([`players`]) | `number`, `native_name`, `last_name`, `first_name`, `club`, `country`, `rating`, `grade`, `title`, `member_id`, `egf_pin`, `aga_id`, `fide_id` |
//! | crosstable ([`crosstable`]) | those of players, and `round 1`, `round 2` … |
//! | results ([`results`]) | `round`, `board`, `white`, `white_name`, `black`, `black_name`, `coloured`, `handicap`, `white_result`, `black_result`, `reason` |
//! | standings ([`standings`]) | `place`, `number`, `native_name`, `last_name`, `first_name`, `club`, `country`, `grade`, `points`, a column for each criterion, `provisional` |
//!
//! - The crosstable is [`crate::Format::Csv`]: everything of players and games is in it, and nothing of the event's head or of
//!   teams. A table of players is one of no rounds. Its columns may stand in any order and be left out, but for
//!   the number and one of the names.
//! - A cell of a round is what came of it: `12 w win t3`, against 12 with white at table 3; `h2` tells a handicap, `-`
//!   stands for a colour that nobody knows, a reason follows where it is not the usual one: `4 b loss t1 h2 resign`.
//!   Without an opponent it is the name of the bye alone. Results and reasons are called as [`pairing`] calls them.
//! - The table of results has a line for each game, and one without `black` for each bye; [`read_results`] adds them to an
//!   event whose players are known.
//! - A cell that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, one of these in full width, TAB or
//!   CR) is written with an apostrophe before it ([`neutral`]), which is taken away on reading ([`restored`]).
//! - With a byte order mark ([`Mark::Bom`]) spreadsheets take a file for UTF-8; on reading it is passed over. Tables in GBK or
//!   UTF-16 are refused by name.
//! - Columns of errors are counted in cells.

mod read;
mod results;
mod write;

use std::{borrow::Cow, fmt::Write as _};

use pairing::{Number, Reason, ResultCode};

pub(crate) use read::{is_head, read};
pub use results::{read_results, results};
pub(crate) use write::Table;
pub use write::{crosstable, players, standings};

use crate::{Fault, Game, limits::HANDICAP_MAX};

/// The columns of players.
const PLAYER_COLUMNS: [&str; 13] = [
    "number",
    "native_name",
    "last_name",
    "first_name",
    "club",
    "country",
    "rating",
    "grade",
    "title",
    "member_id",
    "egf_pin",
    "aga_id",
    "fide_id",
];

/// The beginning of the names of the columns of rounds.
const ROUND_COLUMN: &str = "round ";

/// Whether a table begins with a byte order mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Without one, as scripts like it.
    #[default]
    None,
    /// With one, as spreadsheets need it.
    Bom,
}

/// What begins a formula. Spreadsheets of Chinese and Japanese take the signs of full width for the others.
const FORMULAS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Whether a spreadsheet would take a cell for a formula.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(FORMULAS)
}

/// A cell that is no formula: with one more apostrophe before what would be one, and before apostrophes before it.
///
/// ```
/// use exchange::csv::{neutral, restored};
/// assert_eq!((&*neutral("=1+1"), &*neutral("＝1"), &*neutral("王伟")), ("'=1+1", "'＝1", "王伟"));
/// assert_eq!((restored("'=1+1"), restored("'t Hooft")), ("=1+1", "'t Hooft"));
/// ```
pub fn neutral(cell: &str) -> Cow<'_, str> {
    if is_formula(cell.trim_start_matches('\'')) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// What a cell was before it was made neutral.
pub fn restored(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => cell,
    }
}

/// What a player has of a round, as a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// No game.
    Bye(ResultCode),
    /// A game.
    Game { opponent: Number, white: Option<bool>, code: ResultCode, board: u32, handicap: u8, reason: Reason },
}

impl Cell {
    /// The cells of white and of black.
    fn of(game: &Game) -> [Cell; 2] {
        let [white, black] = game.outcome.codes();
        let cell = |opponent, code, is_white| Cell::Game {
            opponent,
            white: game.coloured.then_some(is_white),
            code,
            board: game.board,
            handicap: game.handicap,
            reason: game.reason,
        };
        [cell(game.black, white, true), cell(game.white, black, false)]
    }

    /// The reason that is not told, because most results have it.
    fn usual(code: ResultCode) -> Reason {
        if code.is_met() { Reason::Normal } else { Reason::Late }
    }

    fn text(self) -> String {
        match self {
            Cell::Bye(code) => code.name().to_owned(),
            Cell::Game { opponent, white, code, board, handicap, reason } => {
                let colour = white.map_or('-', |it| if it { 'w' } else { 'b' });
                let mut text = format!("{opponent} {colour} {} t{board}", code.name());
                if handicap > 0 {
                    let _ = write!(text, " h{handicap}");
                }
                if reason != Cell::usual(code) {
                    text = text + " " + reason.name();
                }
                text
            }
        }
    }

    fn parse(text: &str) -> Result<Cell, Fault> {
        let mut words = text.split_whitespace();
        let first = words.next().ok_or(Fault::Missing)?;
        let Ok(opponent) = first.parse().map(Number) else {
            let code = ResultCode::named(first).filter(|_| words.next().is_none());
            return code.map(Cell::Bye).ok_or(Fault::Code);
        };
        let white = match words.next() {
            Some("w") => Some(true),
            Some("b") => Some(false),
            Some("-") => None,
            _ => return Err(Fault::Code),
        };
        let code = words.next().and_then(ResultCode::named).ok_or(Fault::Code)?;
        let (mut board, mut handicap, mut reason) = (None, 0, Cell::usual(code));
        for word in words {
            match (word.strip_prefix('t'), word.strip_prefix('h')) {
                (Some(digits), _) if digits.parse::<u32>().is_ok() => board = digits.parse().ok(),
                (_, Some(digits)) if digits.parse::<u8>().is_ok() => {
                    handicap = digits.parse().ok().filter(|it| *it <= HANDICAP_MAX).ok_or(Fault::Range)?;
                }
                _ => reason = Reason::named(word).ok_or(Fault::Code)?,
            }
        }
        let board = board.ok_or(Fault::Missing)?;
        Ok(Cell::Game { opponent, white, code, board, handicap, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_every_cell_comes_back() {
        let cells = ["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "'=1", "''@", "'t Hooft", "'", "''", "", "a=b"];
        let wide = ["＝1+1", "＋86 10", "－1", "＠A1", "'＝1", "王＝"];
        for cell in cells.into_iter().chain(wide) {
            let written = neutral(cell);
            assert!(!is_formula(&written), "{written:?}");
            assert_eq!(restored(&written), cell);
        }
        assert!(FORMULAS.iter().all(|it| neutral(&it.to_string()) == format!("'{it}")));
        // What others have written with an apostrophe of its own stays.
        assert_eq!(restored("'t Hooft"), "'t Hooft");
    }

    #[test]
    fn cells_of_rounds_are_read_as_they_are_written() {
        let cells =
            ["12 w win t3", "4 b loss t1 h2 resign", "7 - forfeit_win t2", "pab", "1 w annulled t1 arbiter"];
        for text in cells {
            assert_eq!(Cell::parse(text).map(Cell::text).as_deref(), Ok(text));
        }
        let wrong = [
            "12",
            "12 w",
            "12 x win t1",
            "12 w win",
            "12 w won t1",
            "pab 1",
            "1 w win t1 h99",
            "1 w win t1 because",
        ];
        assert!(wrong.iter().all(|it| Cell::parse(it).is_err()));
    }
}
