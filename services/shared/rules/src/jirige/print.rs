//! Writing records.

use core::fmt::Write as _;

use super::{
    VARIANT,
    record::{NO_TURN, POSITION, SETUP},
};
use crate::{
    Act, Record, Side,
    headings::{RESULT, RULES, act_words, heading_lines, line, rule_words},
    outcome_text,
    prelude::*,
};

/// Writes a record, one pair of turns a line. Reading it again gives the same record, if each heading is one line
/// of text under a proper name, and each act one word.
pub fn print_record(record: &Record) -> String {
    let mut text = String::new();
    heading_lines(&mut text, record, &[RULES, RESULT, POSITION]);
    let mut rules = record.rule_set.clone();
    // An empty one is no position; it stays an option.
    let position = rules.options.remove(SETUP).filter(|setup| !setup.trim().is_empty());
    if position.is_none() {
        rules = record.rule_set.clone();
    }
    let words = rule_words(&rules);
    if !words.is_empty() {
        line(&mut text, RULES, &words);
    }
    if let Some(position) = position {
        line(&mut text, POSITION, &act_words(&position));
    }
    if let Some(outcome) = &record.outcome {
        line(&mut text, RESULT, &outcome_text::print(&VARIANT, outcome));
    }
    turns(&mut text, &record.acts);
    text
}

fn turns(text: &mut String, acts: &[Act]) {
    let mut pair = 0_u32;
    let mut dark_waits = false;
    for (side, act) in acts.iter().filter_map(|act| Some((act.side()?, act))) {
        let words = act_words(&act.text);
        // Writing to a string cannot fail.
        let _ = match side {
            Side::Second if dark_waits => writeln!(text, " {words}"),
            _ => {
                if dark_waits {
                    text.push('\n');
                }
                pair += 1;
                match side {
                    Side::First => write!(text, "{pair}. {words}"),
                    Side::Second => writeln!(text, "{pair}. {NO_TURN} {words}"),
                }
            }
        };
        dark_waits = side == Side::First;
    }
    if dark_waits {
        text.push('\n');
    }
}
