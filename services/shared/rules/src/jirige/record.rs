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

use alloc::{
    borrow::{Cow, ToOwned as _},
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{Turn, VARIANT, game, print::label};
use crate::{
    Act, Outcome, Record, RecordError, RuleSet, Side,
    headings::{COMMENT, RESULT, RULES, clean, is_name, once, rule_set},
    outcome_text,
};

/// No record is longer. The longest game, at most 81 captures with up to a thousand quiet turns before each,
/// takes about a million bytes; a usual game takes two thousand.
///
/// ```
/// use rules::jirige::{RECORD_BYTES_MAX, parse_record};
///
/// let remark = "#".repeat(RECORD_BYTES_MAX);
/// assert!(parse_record(&remark).is_ok());
/// assert!(parse_record(&(remark + "#")).is_err());
/// ```
pub const RECORD_BYTES_MAX: usize = 2 << 20;

/// The name of the line that states the position a record begins with.
pub(super) const POSITION: &str = "position";
/// The option of a rule set that holds the same.
pub(super) const SETUP: &str = "setup";
/// Stands for the turn of a side that does not play in a pair.
pub(super) const NO_TURN: &str = "..";

/// Reads a record.
///
/// ```
/// let record = rules::jirige::parse_record("# result: B+R\n1. d4 E6\n2. A1 # a quiet corner\n")?;
/// assert_eq!(record.acts[0].text, "D4");
/// assert_eq!(record.heading("comment"), Some("2. A1: a quiet corner"));
/// # Ok::<(), rules::RecordError>(())
/// ```
///
/// # Errors
/// The text is longer than [`RECORD_BYTES_MAX`], the turns are not numbered in order in pairs, or the rules, the
/// position or the result cannot be read.
pub fn parse_record(text: &str) -> Result<Record, RecordError> {
    if text.len() > RECORD_BYTES_MAX {
        let detail = format!("a record has at most {RECORD_BYTES_MAX} bytes");
        return Err(RecordError { line: 0, detail: Cow::Owned(detail) });
    }
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    for (line, number) in text.lines().zip(1..) {
        reader.line(line).map_err(|detail| RecordError { line: number, detail })?;
    }
    reader.finish().map_err(|detail| RecordError { line: 0, detail })
}

#[derive(Default)]
struct Reader {
    rule_set: Option<RuleSet>,
    position: Option<String>,
    headings: Vec<(String, String)>,
    acts: Vec<Act>,
    outcome: Option<Outcome>,
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

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Cow<'static, str>> {
        let line = line.trim();
        if let Some(heading) = line.strip_prefix('#') {
            return self.heading(heading);
        }
        let (turns, remark) = line.split_once('#').unwrap_or((line, ""));
        for word in turns.split_whitespace() {
            self.word(word)?;
        }
        let remark = clean(remark);
        if !remark.is_empty() {
            let about = self.acts.len().checked_sub(1).map(|last| self.about(last));
            let remark = about.map_or(remark.clone(), |about| format!("{about}: {remark}"));
            self.headings.push((COMMENT.to_owned(), remark));
        }
        Ok(())
    }

    fn about(&self, act: usize) -> String {
        label(self.pair.number, &self.acts[act])
    }

    fn heading(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
        let text = clean(text);
        let (name, value) = match text.split_once(':') {
            Some((name, value)) if is_name(name) => (name, value.trim()),
            _ if text.is_empty() => return Ok(()),
            _ => (COMMENT, text.as_str()),
        };
        match name {
            RULES => once(&mut self.rule_set, rule_set(value)?, "the rules are stated twice"),
            POSITION => once(&mut self.position, value.to_owned(), "the position is stated twice"),
            RESULT => {
                let outcome = outcome_text::parse(&VARIANT, value)
                    .ok_or("a result is written like B+R, W+T, B+ too-few-stones, draw or draw quiet")?;
                once(&mut self.outcome, outcome, "the result is stated twice")
            }
            _ => {
                self.headings.push((name.to_owned(), value.to_owned()));
                Ok(())
            }
        }
    }

    /// A number, a turn, or the sign for none.
    fn word(&mut self, word: &str) -> Result<(), Cow<'static, str>> {
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

    fn end_of_pair(&self) -> Result<(), Cow<'static, str>> {
        if self.pair.number > 0 && self.pair.turns == 0 {
            return Err(format!("pair {} has no turn", self.pair.number).into());
        }
        Ok(())
    }

    fn finish(self) -> Result<Record, Cow<'static, str>> {
        self.end_of_pair()?;
        let mut rule_set = self.rule_set.unwrap_or_else(|| RuleSet::named(""));
        if let Some(position) = self.position {
            if rule_set.options.contains_key(SETUP) {
                return Err("the position is stated twice".into());
            }
            rule_set = rule_set.with(SETUP, &position);
        }
        game::start(&rule_set).map_err(|error| Cow::Owned(error.to_string()))?;
        let Reader { headings, acts, outcome, .. } = self;
        Ok(Record { variant: VARIANT.id, rule_set, headings, acts, outcome })
    }
}
