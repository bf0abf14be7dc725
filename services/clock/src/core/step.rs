//! What an event does to the clocks.

use api::time_control::TimeControl;

use super::{BadStep, Event, Micros, Moment, Reading, Running, Side, SideTime};

/// What an event did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The reading after the event; with a fallen flag the reading at the fall, no clock running.
    pub after: Reading,
    /// The side whose flag had fallen before the event, if one had. The event itself is then void.
    pub flagged: Option<Side>,
}

/// Takes one event. The same arguments give the same answer.
///
/// - A flag falls at [`Reading::flag_time`] exactly: a press at that moment is late.
/// - Time never goes backwards: an event before the running side's `since` counts as at it, so nobody is
///   charged for it, and no span of time is charged twice.
/// - The revision grows by one with every change; a watch, and a credit for an outage in which nobody was
///   charged, change nothing.
///
/// # Errors
/// When the event and the reading do not fit.
pub fn step(
    control: TimeControl,
    before: Option<&Reading>,
    event: &Event,
    now: Moment,
) -> Result<Step, BadStep> {
    let Some(before) = before else {
        let Event::Start { running } = *event else {
            return Err(BadStep::NotStarted);
        };
        let running = Some(Running { side: running, since: now });
        return Ok(Step::to(Reading { running, revision: 1, ..Reading::full(control) }));
    };
    check(control, before, event)?;
    let held = match *event {
        Event::CreditOutage { from, until } => credited(before, from, until.min(now)),
        _ => *before,
    };
    if let Some(fallen) = fallen(control, &held, now) {
        return Ok(Step { after: fallen_reading(before, fallen), flagged: Some(fallen) });
    }
    let after = match *event {
        Event::Press { side, next } => pressed(control, before, side, next, now),
        Event::Stop => stopped(control, before, now),
        Event::Start { .. } | Event::CreditOutage { .. } | Event::Watch => held,
    };
    Ok(Step::to(after))
}

impl Step {
    fn to(after: Reading) -> Self {
        Step { after, flagged: None }
    }
}

fn check(control: TimeControl, before: &Reading, event: &Event) -> Result<(), BadStep> {
    let periods = match control {
        TimeControl::ByoYomi { periods, .. } => periods,
        TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => 0,
    };
    if before.first.periods.max(before.second.periods) > periods {
        return Err(BadStep::TooManyPeriods);
    }
    match *event {
        Event::Start { .. } => Err(BadStep::AlreadyStarted),
        Event::CreditOutage { from, until } if until < from => Err(BadStep::OutageBackwards),
        _ => Ok(()),
    }
}

/// The side whose flag has fallen by now.
fn fallen(control: TimeControl, reading: &Reading, now: Moment) -> Option<Side> {
    let flag_time = reading.flag_time(control)?;
    reading.running.map(|running| running.side).filter(|_| now >= flag_time)
}

/// The reading at a fall: that side has nothing left.
fn fallen_reading(before: &Reading, side: Side) -> Reading {
    changed(Reading { running: None, ..before.with_time(side, SideTime::default()) })
}

/// A side has acted, in time.
fn pressed(control: TimeControl, before: &Reading, side: Side, next: Option<Side>, now: Moment) -> Reading {
    let now = not_before_since(before, now);
    let charged = match before.running {
        Some(running) if running.side == side => {
            let left = before.time(side).after_turn(control, now.since(running.since));
            before.with_time(side, left.with_increment(control))
        }
        // Both may act and the other clock runs on: its turn has not ended.
        Some(running) if Some(running.side) == next => return changed(*before),
        _ => *before,
    };
    changed(Reading { running: next.map(|side| Running { side, since: now }), ..charged })
}

/// The clocks are stopped: the running side is charged up to now, and nothing is added.
fn stopped(control: TimeControl, before: &Reading, now: Moment) -> Reading {
    let charged = before.running.map_or(*before, |Running { side, since }| {
        before.with_time(side, before.time(side).after_turn(control, now.since(since)))
    });
    changed(Reading { running: None, ..charged })
}

/// The running side is given back what it was charged between `from` and `until`: its turn began that much
/// later.
fn credited(before: &Reading, from: Moment, until: Moment) -> Reading {
    let Some(Running { side, since }) = before.running else {
        return *before;
    };
    let overlap = until.since(from.max(since));
    if overlap == Micros::ZERO {
        return *before;
    }
    changed(Reading { running: Some(Running { side, since: since.later(overlap) }), ..*before })
}

fn not_before_since(reading: &Reading, now: Moment) -> Moment {
    reading.running.map_or(now, |running| running.since.max(now))
}

/// A revision that can no longer grow stays: 2^64 changes are not reached, but a hostile reading may say so.
fn changed(reading: Reading) -> Reading {
    Reading { revision: reading.revision.saturating_add(1), ..reading }
}
