//! The history of a game's clocks, computed again from its log.

use api::time_control::TimeControl;

use super::{Event, InvalidStep, Moment, Reading, Step, step};

/// One entry of a log: what happened, when, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What happened.
    pub event: Event,
    /// When.
    pub at: Moment,
    /// What the log says came of it.
    pub step: Step,
}

/// Where a log differs from what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place of the entry in the log, from 0.
    pub index: usize,
    /// What the log says.
    pub logged: Step,
    /// What follows from the entries before it.
    pub computed: Result<Step, InvalidStep>,
}

/// An event that does not fit those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index}: {bad}")]
pub struct HistoryError {
    /// Its place, from 0.
    pub index: usize,
    /// Why.
    pub bad: InvalidStep,
}

/// What every event does, from the start on. A game whose flag has fallen may go on: that is for the log to say.
///
/// # Errors
/// At the first event that does not fit.
pub fn replay(
    control: TimeControl,
    events: impl IntoIterator<Item = (Event, Moment)>,
) -> Result<Vec<Step>, HistoryError> {
    let mut last: Option<Reading> = None;
    let take = |(index, (event, at)): (usize, (Event, Moment))| {
        let step = step(control, last.as_ref(), &event, at).map_err(|bad| HistoryError { index, bad })?;
        last = Some(step.after);
        Ok(step)
    };
    events.into_iter().enumerate().map(take).collect()
}

/// The first entry of a log that says something else than follows from those before it; none when the whole
/// log is right.
pub fn first_difference(control: TimeControl, log: impl IntoIterator<Item = Entry>) -> Option<Difference> {
    let mut last: Option<Reading> = None;
    log.into_iter().enumerate().find_map(|(index, Entry { event, at, step: logged })| {
        let computed = step(control, last.as_ref(), &event, at);
        last = Some(logged.after);
        (computed != Ok(logged)).then_some(Difference { index, logged, computed })
    })
}
