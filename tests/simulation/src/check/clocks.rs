//! The clocks add up: each reading of a log follows from the one before and what happened, by the decisions of
//! the clock service alone, and nothing but what the log says has changed them.

use api::clock::v1::{ClockEntry, ClockReading};

use super::Log;

/// Computes the clocks of a log again.
pub(crate) fn check(log: &Log) -> Vec<String> {
    let id = &log.table.id;
    let mut faults = Vec::new();
    let mut entries = Vec::new();
    let mut before: Option<ClockReading> = None;
    for row in &log.rows {
        let after = row.event.state.as_ref().and_then(|state| state.clock.clone());
        if row.event.clock_entries.is_empty() && before != after {
            faults.push(format!("the clock of {id} changed without a reason: {row:?}"));
        }
        // The reading of an event's last step stands in its state.
        let whole = |entry: &ClockEntry| ClockEntry {
            after: entry.after.clone().or_else(|| after.clone()),
            ..entry.clone()
        };
        entries.extend(row.event.clock_entries.iter().map(whole));
        before = after;
    }
    match clock::history::first_difference(log.table.control, &entries) {
        Ok(None) => {}
        Ok(Some(difference)) => faults.push(format!("the clocks of {id} do not add up: {difference:?}")),
        Err(bad) => faults.push(format!("the clocks of {id} cannot be read: {bad}")),
    }
    faults
}
