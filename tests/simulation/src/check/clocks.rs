//! The clocks add up: each reading of a log follows from the one before and what happened, by the decisions of
//! the clock service alone.

use api::{
    board::v1::{Reason, Side},
    clock::v1::{
        ClockEntry, ClockReading, CreditOutage, PressClock, StartClock, StopClock, WatchFlag,
        clock_entry::Event as Entry,
    },
    game::v1::{GameEvent, game_event::Event},
};

use super::Log;

/// Computes the clocks of a log again.
pub(crate) fn check(log: &Log) -> Vec<String> {
    let id = &log.table.id;
    let mut faults = Vec::new();
    let mut entries = Vec::new();
    let mut before: Option<ClockReading> = None;
    for row in &log.rows {
        let after = row.event.state.as_ref().and_then(|state| state.clock.clone());
        match step(&row.event, before.as_ref(), after.as_ref()) {
            Some((event, flagged)) => entries.push(ClockEntry {
                event_time: row.event.time,
                event: Some(event),
                after: after.clone(),
                flagged: flagged.into(),
                compensated_duration: None,
            }),
            None if before == after => {}
            None => faults.push(format!("the clock of {id} changed without a reason: {row:?}")),
        }
        before = after;
    }
    match clock::history::first_difference(log.table.control, &entries) {
        Ok(None) => {}
        Ok(Some(difference)) => faults.push(format!("the clocks of {id} do not add up: {difference:?}")),
        Err(bad) => faults.push(format!("the clocks of {id} cannot be read: {bad}")),
    }
    faults
}

/// What an event did to the clocks, and whose flag had fallen. `None` when it did nothing to them.
fn step(
    event: &GameEvent,
    before: Option<&ClockReading>,
    after: Option<&ClockReading>,
) -> Option<(Entry, Side)> {
    let next = after.map_or(Side::Unspecified, ClockReading::running);
    let start = || after.map(|_| Entry::Start(StartClock { running: next.into() }));
    let nobody = Side::Unspecified;
    let step = match event.event.as_ref()? {
        Event::Created(_) => start()?,
        Event::Played(_) if before.is_none() => start()?,
        Event::Played(_) => match (event.author(), next) {
            (Side::Unspecified, Side::Unspecified) => Entry::Stop(StopClock {}),
            (Side::Unspecified, next) => press(other(next), next),
            (side, next) => press(side, next),
        },
        Event::OutageCredited(outage) => {
            before?;
            Entry::Credit(CreditOutage { from_time: outage.from_time, until_time: outage.until_time })
        }
        Event::Ended(_) => {
            let running = before?.running();
            let outcome = event.state.as_ref()?.outcome.as_ref()?;
            if outcome.reason() == Reason::Time {
                return Some((Entry::Watch(WatchFlag {}), running));
            }
            Entry::Stop(StopClock {})
        }
        Event::DrawOffered(_) | Event::DrawDeclined(_) => return None,
    };
    Some((step, nobody))
}

fn press(side: Side, next: Side) -> Entry {
    Entry::Press(PressClock { side: side.into(), next: next.into(), ..PressClock::default() })
}

const fn other(side: Side) -> Side {
    match side {
        Side::First => Side::Second,
        _ => Side::First,
    }
}
