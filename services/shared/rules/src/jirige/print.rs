//! Writing records.

use core::fmt::Write as _;

use super::{
    VARIANT,
    record::{NO_TURN, POSITION, SETUP},
};
use crate::{
    Act, Record, Side,
    headings::{act_words, head},
    prelude::*,
};

/// Writes a record, one pair of turns a line. Reading it again gives the same record, if each heading is one line
/// of text under a proper name, and each act one word.
pub fn print_record(record: &Record) -> String {
    let mut rules = record.rule_set.clone();
    let position = rules.options.remove(SETUP).map(|setup| act_words(&setup)).unwrap_or_default();
    // An empty one is no position; it stays an option.
    let rules = if position.is_empty() { &record.rule_set } else { &rules };
    let mut text = head(&VARIANT, record, rules, Some((POSITION, &position)));
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
