//! From a record to properties.

use super::{
    COMMENT, HEADINGS,
    dialect::{Dialect, Opening, Word},
    outcome,
};
use crate::{
    Outcome, Record, RuleSet,
    goban::{Board, Colour, Point, Setup, Size, score::written},
    prelude::*,
};

/// Moves written on one line.
const MOVES_A_LINE: usize = 10;

impl Dialect {
    /// Writes a record; its rule set in full only if it would not be read back without.
    pub(crate) fn print(&self, record: &Record) -> String {
        let plain = write_with(self, record, None);
        match self.parse(plain.as_bytes()) {
            Ok(read) if read.rule_set == record.rule_set => plain,
            _ => write_with(self, record, Some(&record.rule_set)),
        }
    }
}

fn write_with(dialect: &Dialect, record: &Record, private_rules: Option<&RuleSet>) -> String {
    // A rule set that is none is still written, privately; the rest of the file then assumes the usual.
    let start = (dialect.opening)(&record.rule_set)
        .or_else(|| (dialect.opening)(&RuleSet::named("")))
        .expect("a game begins somehow under its own rules");
    let size = start.setup.board().rows();
    let mut out = root(size);
    property(&mut out, "KM", [start.komi.points().as_str()], false);
    if start.handicap > 0 {
        property(&mut out, "HA", [start.handicap.to_string().as_str()], false);
    }
    write_headings(&mut out, record, dialect.rules);
    if let Some(outcome) = &record.outcome {
        write_outcome(&mut out, &outcome::rescored(outcome.clone(), written));
    }
    if let Some(rules) = private_rules {
        write_rule_set(&mut out, rules);
    }
    let placed = placements(dialect, record, &start, size);
    write_stones(&mut out, &start.setup, &placed);
    write_acts(&mut out, &record.acts[placed.len()..], |out, act| write_act(out, dialect, act, size));
    out
}

/// The beginning of a file.
pub(crate) fn root(size: Size) -> String {
    format!("(;GM[1]FF[4]CA[UTF-8]AP[Shoutan]SZ[{}]", size.get())
}

/// Writes the acts that each have a node of their own, and the end of the file.
pub(crate) fn write_acts(out: &mut String, acts: &[crate::Act], write: impl Fn(&mut String, &crate::Act)) {
    for (nth, act) in acts.iter().enumerate() {
        if nth % MOVES_A_LINE == 0 {
            out.push('\n');
        }
        write(out, act);
    }
    out.push_str(")\n");
}

/// Writes `RE`, and `SHO` where it does not say all.
pub(crate) fn write_outcome(out: &mut String, outcome: &Outcome) {
    property(out, "RE", [outcome::write(outcome).as_str()], false);
    if let Some(words) = outcome::write_private(outcome) {
        property(out, "SHO", words.into_iter().filter(|word| !word.is_empty()), false);
    }
}

/// Writes `SHR`, the whole rule set.
pub(crate) fn write_rule_set(out: &mut String, rules: &RuleSet) {
    let options: Vec<_> = rules.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let values = [rules.id.as_str()].into_iter().chain(options.iter().map(String::as_str));
    property(out, "SHR", values, true);
}

/// Writes the headings; `rules` is what `RU` says when none of them does.
pub(crate) fn write_headings(out: &mut String, record: &Record, rules: &str) {
    if record.heading("rules").is_none() {
        property(out, "RU", [rules], false);
    }
    let mut others = Vec::new();
    let mut written: Vec<&str> = Vec::new();
    for (name, value) in &record.headings {
        match HEADINGS.iter().find(|(_, known)| known == name) {
            Some(_) if written.contains(&name.as_str()) => {}
            Some((known, _)) => {
                written.push(name);
                property(out, known, [value.as_str()], name == COMMENT);
            }
            None => others.push(format!("{name}={value}")),
        }
    }
    if !others.is_empty() {
        property(out, "SHH", others.iter().map(String::as_str), true);
    }
}

/// The handicap stones, if the record begins with just as many placements of Black's.
fn placements(dialect: &Dialect, record: &Record, start: &Opening, size: Size) -> Vec<Point> {
    let count = usize::from(start.handicap);
    let board = start.setup.board();
    let mut points = Vec::with_capacity(count);
    if count < 2 || record.acts.len() < count || board.count(Colour::Black) + board.count(Colour::White) > 0 {
        return points;
    }
    for act in &record.acts[..count] {
        match (dialect.word)(&act.text, size) {
            Some(Word::Play(at)) if act.side() == Some(Colour::Black.side()) && !points.contains(&at) => {
                points.push(at);
            }
            _ => return Vec::new(),
        }
    }
    points
}

fn write_stones(out: &mut String, setup: &Setup, placed: &[Point]) {
    let [of_black, white] = Colour::BOTH.map(|colour| stones(setup.board(), colour));
    let black: Vec<_> = placed.iter().copied().map(letters).chain(of_black).collect();
    for (name, stones) in [("AB", &black), ("AW", &white)] {
        if !stones.is_empty() {
            property(out, name, stones.iter().map(String::as_str), false);
        }
    }
    let stands = !white.is_empty() || black.len() > placed.len();
    if setup.to_move() == Colour::White {
        out.push_str("PL[W]");
    } else if stands {
        out.push_str("PL[B]");
    }
}

fn write_act(out: &mut String, dialect: &Dialect, act: &crate::Act, size: Size) {
    // The system plays no part here.
    let Some(player) = act.side() else { return };
    let letter = if Colour::of(player) == Colour::Black { "B" } else { "W" };
    let word = (dialect.word)(&act.text, size);
    out.push(';');
    match word {
        Some(Word::Play(at)) => property(out, letter, [letters(at).as_str()], false),
        Some(Word::Pass | Word::Turn) => property(out, letter, [""], false),
        Some(Word::Talk) | None => {}
    }
    if !matches!(word, Some(Word::Play(_) | Word::Pass)) {
        property(out, "SHA", [format!("{letter} {}", act.text).as_str()], false);
    }
}

/// The stones of a colour as SGF writes them.
pub(crate) fn stones(board: &Board, colour: Colour) -> Vec<String> {
    board.points().filter(|at| board.stone(*at) == Some(colour)).map(letters).collect()
}

/// A point as SGF writes it.
pub(crate) fn letters(at: Point) -> String {
    [at.column(), at.row()].into_iter().map(|index| char::from(b'a' + index)).collect()
}

/// Appends a property with its values, escaped; line breaks become spaces unless they are to be kept.
pub(crate) fn property<'a>(
    out: &mut String,
    name: &str,
    values: impl IntoIterator<Item = &'a str>,
    keep_lines: bool,
) {
    out.push_str(name);
    for value in values {
        out.push('[');
        for char in value.chars() {
            match char {
                '\\' | ']' => out.extend(['\\', char]),
                '\n' if keep_lines => out.push('\n'),
                char if char.is_ascii_control() => out.push(' '),
                char => out.push(char),
            }
        }
        out.push(']');
    }
}
