//! Reading records: headings and remarks after `#`, and turns numbered in pairs, dark's first.
//!
//! ```text
//! # first: Bataar
//! # rules: 2020 lose_at=2
//! # result: W+ too-few-stones
//! 1. D4 E6
//! 2. A1 I9
//! …
//! 41. E5 *C3
//! 42. *A2 A4xA2
//! ```
//!
//! `..` stands for a side that does not play in a pair: at the beginning of a record from a position with light
//! to move (`1. .. E5-E6`), and where a side plays twice in the opening. A pair that ends with dark may leave it
//! out. A record from a position states it in its heading `position`, in the form of [`super::Setup`]. Several
//! pairs may share a line. What follows a `#` after turns is a remark: it becomes a comment that names the turn.
//! A turn that cannot be read is kept as it was written, for whoever referees the record.

use super::{Turn, VARIANT, game};
use crate::{
    Act, Record, RecordError, Side,
    grid::record::{self, Fault, Headed},
    headings::once,
    prelude::*,
};

/// No record is longer. The longest game, at most 81 captures with up to a thousand quiet turns before each,
/// takes about a million bytes; a usual game takes two thousand.
pub const RECORD_BYTES_MAX: usize = 2 << 20;

/// The name of the line that states the position a record begins with.
pub(super) const POSITION: &str = "position";
/// The option of a rule set that holds the same.
pub(super) const SETUP: &str = "setup";
/// Stands for the turn of a side that does not play in a pair.
pub(super) const NO_TURN: &str = "..";

/// Reads a record.
///
/// # Errors
/// The text is longer than [`RECORD_BYTES_MAX`], the turns are not numbered in order in pairs, or the rules, the
/// position or the result cannot be read.
pub fn parse_record(text: &str) -> Result<Record, RecordError> {
    let mut reader = Reader::default();
    record::read(text, RECORD_BYTES_MAX, &mut reader)?;
    reader.finish().map_err(|detail| RecordError { line: 0, detail })
}

#[derive(Default)]
struct Reader {
    headed: Headed,
    position: Option<String>,
    acts: Vec<Act>,
    pair: Pair,
}

/// The pair being read.
#[derive(Default)]
struct Pair {
    /// Its number; 0 before the first.
    number: u32,
    /// How many words have followed the number.
    words: u8,
    /// How many of them are turns.
    turns: u8,
}

impl record::Reader for Reader {
    fn headed(&mut self) -> &mut Headed {
        &mut self.headed
    }

    fn heading(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            POSITION => once(&mut self.position, value.to_owned(), "the position is stated twice"),
            _ => self.headed.read(&VARIANT, "too-few-stones", (name, value)),
        }
    }

    fn turns(&mut self, text: &str) -> Result<(), Fault> {
        text.split_whitespace().try_for_each(|word| self.word(word))
    }

    fn last(&self) -> Option<String> {
        self.acts.last().map(|act| label(self.pair.number, act))
    }
}

impl Reader {
    /// A number, a turn, or the sign for none.
    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if let Some(number) = word.strip_suffix('.').filter(|it| it.bytes().all(|b| b.is_ascii_digit()))
            && !number.is_empty()
        {
            self.end_of_pair()?;
            let expected = self.pair.number + 1;
            if number.parse() != Ok(expected) {
                return Err(format!("pair {number} stands where pair {expected} should").into());
            }
            self.pair = Pair { number: expected, words: 0, turns: 0 };
            return Ok(());
        }
        let side = match (self.pair.number, self.pair.words) {
            (1.., 0) => Side::First,
            (1.., 1) => Side::Second,
            _ => return Err("turns are numbered in pairs, like 1. D4 E6".into()),
        };
        self.pair.words += 1;
        if word != NO_TURN {
            self.pair.turns += 1;
            let text = word.parse::<Turn>().map_or_else(|_| word.to_owned(), |turn| turn.to_string());
            self.acts.push(Act::by(side, text));
        }
        Ok(())
    }

    fn end_of_pair(&self) -> Result<(), Fault> {
        if self.pair.number > 0 && self.pair.turns == 0 {
            return Err(format!("pair {} has no turn", self.pair.number).into());
        }
        Ok(())
    }

    fn finish(self) -> Result<Record, Fault> {
        self.end_of_pair()?;
        let mut record = self.headed.record(&VARIANT, self.acts);
        if let Some(position) = self.position
            && record.rule_set.options.insert(SETUP.into(), position).is_some()
        {
            return Err("the position is stated twice".into());
        }
        game::start(&record.rule_set).map_err(|error| Fault::from(error.to_string()))?;
        Ok(record)
    }
}

/// What a remark calls a turn: `12. E4` for dark, `12. .. E4` for light.
fn label(pair: u32, act: &Act) -> String {
    match act.side() {
        Some(Side::Second) => format!("{pair}. {NO_TURN} {}", act.text),
        // The system has no part in this game.
        Some(Side::First) | None => format!("{pair}. {}", act.text),
    }
}
