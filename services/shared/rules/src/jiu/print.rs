//! Writing records, and joining the two halves of one.

use alloc::borrow::Cow;
use core::fmt::Write as _;

use super::{PLACEMENT_PLIES, VARIANT};
use crate::{
    Act, Record, RecordError, Side,
    headings::{act_words, head, rule_words},
    prelude::*,
};

/// Writes a record, one act a line. Reading it again gives the same record, if each heading is one line of text
/// under a proper name, and its acts alternate as the rules have it.
pub fn print_record(record: &Record) -> String {
    let mut text = head(&VARIANT, record, &record.rule_set, None);
    for (index, act) in record.acts.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {}", label(&record.acts, index), act_words(&act.text));
    }
    text
}

/// What a record calls the act with this index: `W1` to `B196` in the placement, then from `B1` again.
pub fn label(acts: &[Act], index: usize) -> String {
    let colour = acts.get(index).and_then(Act::side).map_or('?', |side| VARIANT.letter(side));
    let movement_only = acts.first().is_some_and(|first| first.side() == Some(Side::Second));
    let placement = PLACEMENT_PLIES as usize;
    let number = if movement_only || index < placement { index + 1 } else { index - placement + 1 };
    format!("{colour}{number}")
}

/// Whether a record has only its movement phase: only that begins with an act of Black.
pub fn lacks_placement(record: &Record) -> bool {
    record.acts.first().is_some_and(|act| act.side() == Some(Side::Second))
}

/// The whole game from a record of its placement and one of its movement.
///
/// The headings are those of both, the result is that of the movement, and so are the rules unless it states
/// none.
///
/// # Errors
/// The first is not a placement of 196 acts, the second does not begin with the movement, or the two state
/// different rules.
pub fn join_placement(placement: &Record, movement: &Record) -> Result<Record, RecordError> {
    let error = |detail: &'static str| RecordError { line: 0, detail: Cow::Borrowed(detail) };
    if lacks_placement(placement) || placement.acts.len() != PLACEMENT_PLIES as usize {
        return Err(error("a placement has 196 acts"));
    }
    if !lacks_placement(movement) {
        return Err(error("the movement does not begin with an act of Black"));
    }
    let stated = |record: &Record| !rule_words(&record.rule_set).is_empty();
    let rule_set = match (stated(placement), stated(movement)) {
        (true, true) if placement.rule_set != movement.rule_set => {
            return Err(error("placement and movement state different rules"));
        }
        (true, false) => placement.rule_set.clone(),
        _ => movement.rule_set.clone(),
    };
    Ok(Record {
        variant: VARIANT.id,
        rule_set,
        headings: movement.headings.iter().chain(&placement.headings).cloned().collect(),
        acts: placement.acts.iter().chain(&movement.acts).cloned().collect(),
        outcome: movement.outcome.clone(),
    })
}
