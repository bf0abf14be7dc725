//! What a record says was played, act by act, with its place in the file.

use super::{author_named, segment::Segment, side_named};
use crate::{ActError, Author, Outcome, Record, RecordError, RuleSet, Side, Variant, prelude::*};

/// A record as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct Plies {
    /// Every act, in order.
    pub acts: Vec<Ply>,
    /// The rules it states, if any.
    pub rule_set: Option<RuleSet>,
    /// The result it states, if any.
    pub outcome: Option<Outcome>,
    /// What is wrong with it as a text.
    pub fault: Option<(u32, ActError)>,
}

/// An act of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    /// The line of the file, from 1; 0 when it is not known.
    pub line: u32,
    /// What the file calls the act (`B23`), or its number.
    pub label: String,
    /// Who acts; `None` is whoever may.
    pub author: Option<Author>,
    /// The act.
    pub text: String,
    /// The number where another one should stand.
    pub expected: Option<u32>,
}

/// `B23:` before an act.
struct Label<'a> {
    text: &'a str,
    side: Option<Side>,
    number: u32,
}

/// Reads the record of a segment: as the variant reads it, and where that fails line by line, so that a fault
/// costs no more than an act.
pub(super) fn read(variant: &Variant, segment: &Segment) -> Plies {
    let loose = if segment.is_tree() { Vec::new() } else { loose(variant, segment) };
    match (variant.parse_record)(&segment.text()) {
        Ok(record) => of_record(variant, record, &loose),
        Err(error) if loose.is_empty() => {
            let fault = Some(located(segment, &error)).filter(|_| !segment.record.is_empty());
            Plies { fault, ..Plies::default() }
        }
        // The faults are found again, each with its act; what the headings say is still wanted.
        Err(_) => headings(variant, segment, loose),
    }
}

fn of_record(variant: &Variant, record: Record, loose: &[Ply]) -> Plies {
    let Record { rule_set, acts, outcome, .. } = record;
    let known = loose.len() == acts.len();
    let plies = acts.into_iter().enumerate().map(|(n, act)| {
        let author = Some(act.author);
        let by =
            act.side().map_or_else(|| act.author.name().to_owned(), |side| variant.letter(side).to_string());
        let number = || format!("act {}, {by}", n + 1);
        let (line, label) = match loose.get(n).filter(|_| known) {
            Some(ply) => (ply.line, ply.label.clone()),
            None => (0, number()),
        };
        Ply { line, label, author, text: act.text, expected: None }
    });
    Plies { acts: plies.collect(), rule_set: Some(rule_set).filter(is_stated), outcome, fault: None }
}

/// The rules and the result of a record whose acts cannot be read as a whole.
fn headings(variant: &Variant, segment: &Segment, plies: Vec<Ply>) -> Plies {
    let is_heading = |line: &str| line.trim_start().starts_with('#');
    let text: Vec<&str> =
        segment.record.iter().map(|(_, line)| if is_heading(line) { line.as_str() } else { "" }).collect();
    match (variant.parse_record)(&text.join("\n")) {
        Ok(Record { rule_set, outcome, .. }) => {
            Plies { acts: plies, rule_set: Some(rule_set).filter(is_stated), outcome, fault: None }
        }
        Err(error) if text.iter().any(|line| !line.is_empty()) && error.line > 0 => {
            Plies { acts: plies, fault: Some(located(segment, &error)), ..Plies::default() }
        }
        Err(_) => Plies { acts: plies, ..Plies::default() },
    }
}

fn is_stated(rule_set: &RuleSet) -> bool {
    !rule_set.id.is_empty() || !rule_set.options.is_empty()
}

fn located(segment: &Segment, error: &RecordError) -> (u32, ActError) {
    let line = usize::try_from(error.line).ok().and_then(|line| line.checked_sub(1));
    let line = line.and_then(|line| segment.record.get(line)).map_or(0, |(number, _)| *number);
    (line, ActError::illegal("BAD_RECORD", error.detail.clone()))
}

/// The acts of a record in printed notation, by their labels; a line without any label is an act.
fn loose(variant: &Variant, segment: &Segment) -> Vec<Ply> {
    let mut plies = Vec::new();
    let mut number = None;
    for (line, text) in &segment.record {
        let first = plies.len();
        let acts = text.split_once('#').map_or(text.as_str(), |(acts, _)| acts);
        loose_line(variant, *line, acts, &mut number, &mut plies);
        for ply in plies[first..].iter_mut().filter(|ply| ply.author.is_none()) {
            if let Some((word, act)) = ply.text.split_once(' ')
                && let Some(author) = author_named(variant.colours, word)
            {
                (ply.author, ply.text) = (Some(author), act.to_owned());
            }
        }
    }
    plies
}

/// The acts of one line; `number` is that of the act before.
fn loose_line(variant: &Variant, line: u32, acts: &str, number: &mut Option<u32>, plies: &mut Vec<Ply>) {
    let first = plies.len();
    let mut word_before = "";
    for word in acts.split_whitespace() {
        let mut rest = word;
        // Behind a comma a list goes on: `TC-B3, B4: FC-L1`.
        while let Some(label) = label(variant, rest).filter(|_| !word_before.ends_with(',')) {
            rest = &rest[label.text.len() + 1..];
            let wanted = number.map_or(label.number, |before| before.saturating_add(1));
            // The count may begin again, as it does with the movement of Jiu.
            let fits = label.number == wanted || label.number == 1;
            let expected = (!fits).then_some(wanted);
            *number = Some(label.number);
            let (label, author) = (label.text.to_owned(), label.side.map(Author::Side));
            plies.push(Ply { line, label, author, text: String::new(), expected });
        }
        word_before = word;
        if plies.len() == first {
            let label = format!("act {}", first + 1);
            plies.push(Ply { line, label, author: None, text: String::new(), expected: None });
        }
        if let Some(ply) = plies.last_mut() {
            append(&mut ply.text, rest);
        }
    }
}

fn append(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// The label a word begins with: a colour or none, a number, and a colon behind it.
fn label<'a>(variant: &Variant, word: &'a str) -> Option<Label<'a>> {
    let (text, _) = word.split_once(':')?;
    let digits = text.trim_start_matches(|char: char| char.is_ascii_alphabetic());
    let colour = &text[..text.len() - digits.len()];
    let side = side_named(variant.colours, colour);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if colour.len() > 1 || !colour.is_empty() && side.is_none() {
        return None;
    }
    Some(Label { text, side, number: digits.parse().ok()? })
}
