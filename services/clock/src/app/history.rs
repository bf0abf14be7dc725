//! The log of a game's clocks, held to what follows from it.

use api::{clock::v1 as pb, clock_log, time_control::TimeControl};

use crate::{
    core::{self, Difference, Entry, Micros},
    error::{Error, InvalidField},
    wire,
};

/// An entry of a log that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("entry {index}: {error}")]
pub struct EntryError {
    /// Its place in the log, from 0.
    pub index: usize,
    /// Why.
    pub error: Error,
}

/// The first entry of a game's log that says something else than follows from the entries before it and the
/// time control; none when the whole log is right.
///
/// # Errors
/// When an entry cannot be read.
pub fn first_difference(
    control: TimeControl,
    log: &[pb::ClockEntry],
) -> Result<Option<Difference>, EntryError> {
    let read = |(index, logged)| entry(logged).map_err(|bad| EntryError { index, error: bad.into() });
    let log: Vec<Entry> = log.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    Ok(core::first_difference(control, log))
}

fn entry(entry: &pb::ClockEntry) -> Result<Entry, InvalidField> {
    let compensated = entry
        .compensated_duration
        .as_ref()
        .map_or(Some(Micros::ZERO), |span| api::time::span(span).map(Micros::from));
    let bad = InvalidField { field: "compensated_duration", detail: "a duration that is not negative" };
    Ok(Entry {
        event: wire::event(clock_log::event(entry).as_ref())?,
        at: wire::moment(entry.event_time.as_ref(), "event_time")?,
        step: core::Step {
            after: wire::required_reading(entry.after.as_ref())?,
            flagged: wire::side(entry.flagged, "flagged")?,
            compensated: compensated.ok_or(bad)?,
        },
    })
}
