//! What an event does to the clocks.

use api::time_control::TimeControl;
use chassis::id::GameId;

use super::{
    Adjustment, Audience, Event, InvalidStep, Micros, Moment, PauseReason, Reading, Side, SideTime, Turn,
    control_of, lag,
};

/// An event that a game's clocks are to take.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest {
    /// The game.
    pub game: GameId,
    /// Its time control.
    pub control: TimeControl,
    /// The last reading of its log.
    pub before: Option<Reading>,
    /// What happened.
    pub event: Event,
    /// When.
    pub now: Moment,
    /// Who alone may hear the clock; none for everybody.
    pub audience: Option<Audience>,
}

/// What an event did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The reading after the event; with a fallen flag the reading at the fall, no clock running.
    pub after: Reading,
    /// The side whose flag had fallen before the event, if one had: the event itself is then void. Or the side
    /// whose flag a deduction makes fall.
    pub flagged: Option<Side>,
    /// What of the turn was not charged because the network took it.
    pub compensated: Micros,
}

/// Takes one event. The same arguments give the same answer.
///
/// - A flag falls at [`Reading::flag_time`] exactly: a press at that moment is late, whatever the network took.
/// - Time never goes backwards: an event before the turn's `since` counts as at it, so nobody is charged for
///   it, and no span of time is charged twice.
/// - While the clocks are paused nothing is charged; a press then ends the turn with what it had been charged,
///   and the next turn is held.
/// - The revision grows by one with every change; a watch, a pause for a reason that holds, a resume for one
///   that does not, a correction of nothing, and a credit for an outage in which nobody was charged, change
///   nothing.
///
/// # Errors
/// When the event and the reading do not fit.
pub fn step(
    control: TimeControl,
    before: Option<&Reading>,
    event: &Event,
    now: Moment,
) -> Result<Step, InvalidStep> {
    let before = match (before, event) {
        (Some(before), _) => *before,
        (None, Event::Start { .. } | Event::Pause { .. } | Event::Adjust { .. }) => Reading::full(control),
        (None, _) => return Err(InvalidStep::NotStarted),
    };
    check(control, &before, event)?;
    // What is given back is given back before anyone looks at the flag.
    let held = match *event {
        Event::CreditOutage { from, until } => credited(&before, from, until.min(now)),
        _ => before,
    };
    if let Some(side) = held.fallen(control, now) {
        return Ok(Step::fall(&before, side));
    }
    let after = match *event {
        Event::Press { side, next, lag } => return Ok(pressed(control, &before, (side, next), lag, now)),
        Event::Start { running } => changed(Reading { turn: Some(Turn::new(running, now)), ..before }),
        Event::Stop => stopped(control, &before, now),
        Event::Pause { reason } => paused(control, &before, reason, now),
        Event::Resume { reason } => resumed(&before, reason, now),
        Event::Adjust { side, by } => {
            let adjusted = adjusted(control, &before, side, by);
            if let Some(side) = adjusted.spent(control, now) {
                return Ok(Step::fall(&before, side));
            }
            adjusted
        }
        Event::CreditOutage { .. } | Event::Watch => held,
    };
    Ok(Step::to(after))
}

impl Step {
    const fn to(after: Reading) -> Self {
        Step { after, flagged: None, compensated: Micros::ZERO }
    }

    /// A flag falls: that side has nothing left.
    fn fall(before: &Reading, side: Side) -> Self {
        let after = changed(Reading { turn: None, ..before.with_time(side, SideTime::default()) });
        Step { after, flagged: Some(side), compensated: Micros::ZERO }
    }
}

fn check(control: TimeControl, before: &Reading, event: &Event) -> Result<(), InvalidStep> {
    if !Side::BOTH.into_iter().all(|side| before.time(side).fits(control_of(control, side))) {
        return Err(InvalidStep::TooManyPeriods);
    }
    match *event {
        Event::Start { .. } if before.turn.is_some() => Err(InvalidStep::AlreadyStarted),
        Event::CreditOutage { from, until } if until < from => Err(InvalidStep::OutageBackwards),
        _ => Ok(()),
    }
}

/// A side has acted, in time.
fn pressed(
    control: TimeControl,
    before: &Reading,
    (side, next): (Side, Option<Side>),
    lag: lag::Lag,
    now: Moment,
) -> Step {
    let mut compensated = Micros::ZERO;
    let charged = match before.turn {
        Some(turn) if turn.side == side => {
            let control = control_of(control, side);
            let (time, took) = (before.time(side), before.charged(turn, now));
            let (spared, lag_quota) = lag::compensate(control, time.lag_quota, lag, took);
            compensated = spared;
            let left = time.after_move(control, took.minus(spared));
            before.with_time(side, SideTime { lag_quota, ..left })
        }
        // Both may act and the other clock runs on: its turn has not ended.
        Some(turn) if Some(turn.side) == next => return Step::to(changed(*before)),
        _ => *before,
    };
    let since = before.turn.map_or(now, |turn| turn.since.max(now));
    let turn = next.map(|side| Turn::new(side, since));
    Step { compensated, ..Step::to(changed(Reading { turn, ..charged })) }
}

/// The clocks are stopped: the side whose turn it is is charged up to now, and nothing is added.
fn stopped(control: TimeControl, before: &Reading, now: Moment) -> Reading {
    let charged = before.turn.map_or(*before, |turn| {
        let left = before.time(turn.side).after(control_of(control, turn.side), before.charged(turn, now));
        before.with_time(turn.side, left)
    });
    changed(Reading { turn: None, pauses: super::Pauses::NONE, ..charged })
}

/// The side whose turn it is is given back what it was charged between `from` and `until`: its clock began to
/// run that much later. While its clock is held there is nothing to give back.
fn credited(before: &Reading, from: Moment, until: Moment) -> Reading {
    let Some(turn) = before.running() else {
        return *before;
    };
    let overlap = until.since(from.max(turn.since));
    if overlap == Micros::ZERO {
        return *before;
    }
    changed(Reading { turn: Some(Turn { since: turn.since.later(overlap), ..turn }), ..*before })
}

/// With the first reason the turn is charged up to now, and held.
fn paused(control: TimeControl, before: &Reading, reason: PauseReason, now: Moment) -> Reading {
    if before.pauses.contains(reason) {
        return *before;
    }
    let turn = before.turn.map(|turn| {
        let unlimited = before.time(turn.side).total(control_of(control, turn.side)).is_none();
        let used = if unlimited { Micros::ZERO } else { before.charged(turn, now) };
        let since = if before.pauses.is_empty() { turn.since.max(now) } else { turn.since };
        Turn { side: turn.side, since, used }
    });
    changed(Reading { turn, pauses: before.pauses.with(reason), ..*before })
}

/// With the last reason gone the turn runs again.
fn resumed(before: &Reading, reason: PauseReason, now: Moment) -> Reading {
    if !before.pauses.contains(reason) {
        return *before;
    }
    let pauses = before.pauses.without(reason);
    let since = |turn: Turn| if pauses.is_empty() { turn.since.max(now) } else { turn.since };
    let turn = before.turn.map(|turn| Turn { since: since(turn), ..turn });
    changed(Reading { turn, pauses, ..*before })
}

/// What a side had when its turn began is corrected.
fn adjusted(control: TimeControl, before: &Reading, side: Side, by: Adjustment) -> Reading {
    let (time, control) = (before.time(side), control_of(control, side));
    let corrected = match by {
        Adjustment::Add(span) => time.with_added(control, span),
        Adjustment::Deduct(span) => time.with_deducted(control, span),
    };
    if corrected == time { *before } else { changed(before.with_time(side, corrected)) }
}

/// A revision that can no longer grow stays: 2^64 changes are not reached, but a hostile reading may say so.
fn changed(reading: Reading) -> Reading {
    Reading { revision: reading.revision.saturating_add(1), ..reading }
}
