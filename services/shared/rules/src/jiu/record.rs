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
//! comment that names the act. An act that is no turn at all is kept as it was written, for [`super::check`].

use alloc::{
    borrow::Cow,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Options, PLACEMENT_PLIES, Turn, VARIANT, label};
use crate::{
    Act, Outcome, Record, RecordError, RuleSet, Side, StoneColour,
    headings::{COMMENT, RESULT, RULES, act_words, clean, is_name, once, rule_set},
    outcome_text,
};

/// No record is longer. The longest game the rules allow, at most 194 captures with up to a thousand quiet
/// turns before each, takes about three million bytes; a usual game takes four thousand.
///
/// ```
/// use rules::jiu::{RECORD_BYTES_MAX, parse_record};
///
/// assert!(parse_record(&" ".repeat(RECORD_BYTES_MAX)).is_ok());
/// assert!(parse_record(&" ".repeat(RECORD_BYTES_MAX + 1)).is_err());
/// ```
pub const RECORD_BYTES_MAX: usize = 4 << 20;

/// Reads a record.
///
/// ```
/// let record = rules::jiu::parse_record("# result: B+R\nB1: G7 W2: H8\nB3: h7->h8 FC-F7 # closes a square\n")?;
/// assert_eq!(record.acts[2].text, "H7→H8 FC-F7");
/// assert_eq!(record.heading("comment"), Some("B3: closes a square"));
/// assert!(rules::jiu::lacks_placement(&record));
/// # Ok::<(), rules::RecordError>(())
/// ```
///
/// # Errors
/// The text is longer than [`RECORD_BYTES_MAX`], a line is neither a comment nor an act, the acts are not
/// numbered in order, or the rules or the result cannot be read.
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
    Ok(Record {
        variant: VARIANT.id,
        rule_set: reader.rule_set.unwrap_or_else(|| RuleSet::named("")),
        headings: reader.headings,
        acts: reader.acts,
        outcome: reader.outcome,
    })
}

#[derive(Default)]
struct Reader {
    rule_set: Option<RuleSet>,
    headings: Vec<(String, String)>,
    acts: Vec<Act>,
    outcome: Option<Outcome>,
}

/// `B23:` in front of an act.
#[derive(Clone, Copy)]
struct Label {
    colour: Option<StoneColour>,
    number: u32,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Cow<'static, str>> {
        let line = line.trim();
        if let Some(heading) = line.strip_prefix('#') {
            return self.heading(heading);
        }
        let (acts, remark) = line.split_once('#').unwrap_or((line, ""));
        self.items(acts)?;
        let remark = clean(remark);
        if !remark.is_empty() {
            let about = self.acts.len().checked_sub(1).map(|last| label(&self.acts, last));
            let remark = about.map_or(remark.clone(), |about| format!("{about}: {remark}"));
            self.headings.push((String::from(COMMENT), remark));
        }
        Ok(())
    }

    fn heading(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
        let text = clean(text);
        let (name, value) = match text.split_once(':') {
            Some((name, value)) if is_name(name) => (name, value.trim()),
            _ if text.is_empty() => return Ok(()),
            _ => (COMMENT, text.as_str()),
        };
        match name {
            RULES => {
                let rule_set = rule_set(value)?;
                Options::from_rule_set(&rule_set).map_err(|error| Cow::Owned(error.to_string()))?;
                once(&mut self.rule_set, rule_set, "the rules are stated twice")
            }
            RESULT => {
                let outcome = outcome_text::parse(&VARIANT, value)
                    .ok_or("a result is written like B+R, W+T, B+ fourteen, draw or draw quiet")?;
                once(&mut self.outcome, outcome, "the result is stated twice")
            }
            _ => {
                self.headings.push((name.into(), value.into()));
                Ok(())
            }
        }
    }

    /// The acts of a line: each a label and the words up to the next one.
    fn items(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
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

    fn act(&mut self, label: Label, words: &[&str]) -> Result<(), Cow<'static, str>> {
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
