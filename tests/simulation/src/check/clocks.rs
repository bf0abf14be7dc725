//! The clocks add up: each reading of a log follows from the one before and what happened, by the decisions of
//! the clock service alone, and nothing but what the log says has changed them.

use api::{
    clock::v1::{ClockEntry, ClockReading},
    game::v1::GameEvent,
    time_control::TimeControl,
};

use super::Log;

/// What happened to the clocks of a game, by the events of its log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClockHistory {
    /// Every entry in order, each with the reading after it.
    pub entries: Vec<ClockEntry>,
    /// The numbers of the events with which a clock changed though they say nothing of it.
    pub unexplained: Vec<u64>,
}

impl ClockHistory {
    /// The history in all events of a game, the first one first.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a GameEvent>) -> Self {
        let mut history = ClockHistory::default();
        let mut before: Option<ClockReading> = None;
        for event in events {
            let after = event.state.as_ref().and_then(|state| state.clock.clone());
            if event.clock_entries.is_empty() && before != after {
                history.unexplained.push(event.sequence);
            }
            // The reading of an event's last step stands in its state.
            let whole = |entry: &ClockEntry| ClockEntry {
                after: entry.after.clone().or_else(|| after.clone()),
                ..entry.clone()
            };
            history.entries.extend(event.clock_entries.iter().map(whole));
            before = after;
        }
        history
    }

    /// What is wrong with it, computed again under the time control of the game; nothing when it adds up.
    pub fn faults(&self, control: TimeControl) -> Vec<String> {
        let unexplained = self.unexplained.iter();
        let mut faults: Vec<String> = unexplained
            .map(|sequence| format!("event {sequence} changed a clock without a reason"))
            .collect();
        match clock::history::first_difference(control, &self.entries) {
            Ok(None) => {}
            Ok(Some(difference)) => faults.push(format!("the clocks do not add up: {difference:?}")),
            Err(bad) => faults.push(format!("the clocks cannot be read: {bad}")),
        }
        faults
    }
}

/// Computes the clocks of a log again.
pub(crate) fn check(log: &Log) -> Vec<String> {
    let history = ClockHistory::of(log.rows.iter().map(|row| &row.event));
    let faults = history.faults(log.table.control);
    faults.into_iter().map(|fault| format!("in {}: {fault}", log.table.id)).collect()
}
