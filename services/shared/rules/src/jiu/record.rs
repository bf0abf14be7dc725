//! Reading records: comment lines and headings that start with `#`, and numbered acts.
//!
//! ```text
//! # date: 2011-08-01
//! # rules: aba draw_repetitions=3
//! # result: B+R
//! W1: H8
//! …
//! B196: N13
//! B1: G7
//! W2: H8
//! B3: H7→H8 FC-F7
//! ```
//!
//! The numbers begin again with the movement. Several acts may share a line, as in print; the colour may be
//! missing (`1:H8`), odd numbers being White's in the placement and Black's in the movement. A record that
//! begins with an act of Black has only the movement. What follows a `#` after acts is a remark: it becomes a
//! comment that names the act. An act that is no turn at all is kept as it was written, for [`crate::engine::check`].

use super::{Options, PLACEMENT_PLIES, Turn, VARIANT, label};
use crate::{
    Act, Record, RecordError, Side, StoneColour,
    grid::record::{self, Fault, Headed},
    headings::{RULES, act_words},
    prelude::*,
};

/// No record is longer. The longest game the rules allow, at most 194 captures with up to a thousand quiet
/// turns before each, takes about three million bytes; a usual game takes four thousand.
pub const RECORD_BYTES_MAX: usize = 4 << 20;

/// Reads a record.
///
/// # Errors
/// The text is longer than [`RECORD_BYTES_MAX`], a line is neither a comment nor an act, the acts are not
/// numbered in order, or the rules or the result cannot be read.
pub fn parse_record(text: &str) -> Result<Record, RecordError> {
    let mut reader = Reader::default();
    record::read(text, RECORD_BYTES_MAX, &mut reader)?;
    Ok(reader.headed.record(&VARIANT, reader.acts))
}

#[derive(Default)]
struct Reader {
    headed: Headed,
    acts: Vec<Act>,
}

/// `B23:` in front of an act.
#[derive(Clone, Copy)]
struct Label {
    colour: Option<StoneColour>,
    number: u32,
}

impl record::Reader for Reader {
    fn headed(&mut self) -> &mut Headed {
        &mut self.headed
    }

    fn heading(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.headed.read(&VARIANT, "fourteen", (name, value))?;
        let stated = self.headed.rule_set.as_ref().filter(|_| name == RULES);
        match stated.map(Options::from_rule_set) {
            Some(Err(error)) => Err(error.to_string().into()),
            _ => Ok(()),
        }
    }

    fn last(&self) -> Option<String> {
        self.acts.len().checked_sub(1).map(|last| label(&self.acts, last))
    }

    /// The acts of a line: each a label and the words up to the next one.
    fn turns(&mut self, text: &str) -> Result<(), Fault> {
        let pieces = pieces(text);
        let mut open: Option<(Label, Vec<&str>)> = None;
        for (n, (label, word)) in pieces.iter().enumerate() {
            // A piece like `B4:` before `FC-` ends a list, as in `TC-B3,B4: FC-L1`.
            let starts =
                label.filter(|_| n == 0 || !pieces.get(n + 1).is_some_and(|(_, next)| is_list(next)));
            match (starts, &mut open) {
                (Some(label), open) => {
                    if let Some((label, words)) = open.replace((label, Vec::new())) {
                        self.act(label, &words)?;
                    }
                }
                (None, Some((_, words))) => words.push(word),
                (None, None) => return Err("a line starts with # or with a numbered act, like B3:".into()),
            }
        }
        match open {
            Some((label, words)) => self.act(label, &words),
            None => Ok(()),
        }
    }
}

impl Reader {
    fn act(&mut self, label: Label, words: &[&str]) -> Result<(), Fault> {
        let movement_only = match self.acts.first() {
            Some(first) => first.side() == Some(Side::Second),
            None => label.colour == Some(StoneColour::Black),
        };
        let done = u32::try_from(self.acts.len()).unwrap_or(u32::MAX);
        let (moving, expected) = match done.checked_sub(PLACEMENT_PLIES) {
            _ if movement_only => (true, done + 1),
            Some(moved) => (true, moved + 1),
            None => (false, done + 1),
        };
        if label.number != expected {
            return Err(format!("act {} stands where act {expected} should", label.number).into());
        }
        // Odd numbers are White's in the placement and Black's in the movement.
        let by_number = if moving == label.number.is_multiple_of(2) { Side::First } else { Side::Second };
        let side = label.colour.map_or(by_number, |colour| VARIANT.side_of(colour));
        let text = act_words(&words.join(" "));
        let text = text.parse::<Turn>().map_or(text, |turn| turn.to_string());
        self.acts.push(Act::by(side, text));
        Ok(())
    }
}

/// The words of a line, each label apart from what follows it without a blank.
fn pieces(text: &str) -> Vec<(Option<Label>, &str)> {
    let mut pieces = Vec::new();
    for mut word in text.split_whitespace() {
        while let Some((label, length)) = label_of(word) {
            let (piece, rest) = word.split_at(length);
            pieces.push((Some(label), piece));
            word = rest;
        }
        if !word.is_empty() {
            pieces.push((None, word));
        }
    }
    pieces
}

/// The label a word begins with, and its length with the colon.
fn label_of(word: &str) -> Option<(Label, usize)> {
    let (label, _) = word.split_once(':')?;
    let (colour, digits) = match label.as_bytes().first()? {
        b'B' | b'b' => (Some(StoneColour::Black), &label[1..]),
        b'W' | b'w' => (Some(StoneColour::White), &label[1..]),
        _ => (None, label),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((Label { colour, number: digits.parse().ok()? }, label.len() + 1))
}

/// Whether a word begins a list of jumped or chosen stones.
fn is_list(word: &str) -> bool {
    word.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("FC-") || it.eq_ignore_ascii_case("TC-"))
}
