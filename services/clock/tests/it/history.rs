//! Histories: what was logged is what follows, and what was changed afterwards is found.

use api::{
    clock::v1::{ClockEntry, StepRequest},
    clock_log,
    time_control::TimeControl,
};
use clock::core::{
    Adjustment, Entry, Event, Micros, Moment, PauseReason, Side, Step, first_difference, replay,
};
use proptest::prelude::*;

use crate::{
    fixture::{Fixture, START, press, request, start, stop},
    laws::{any_control, any_lag},
};

proptest! {
    #[test]
    fn a_log_replays_to_itself_and_every_change_is_found(
        (first, second) in (any_control(), any_control()),
        events in proptest::collection::vec((0..9_000_000_i64, any_event()), 1..30),
        at in any::<proptest::sample::Index>(),
        what in 0..6_usize,
    ) {
        let control = TimeControl { first, second };
        let mut now = 0;
        let mut log = vec![(Event::Start { running: Side::First }, Moment(0))];
        log.extend(events.into_iter().map(|(pause, event)| {
            now += pause;
            (event, Moment(now))
        }));
        let steps = replay(control, log.clone()).expect("every event fits");
        prop_assert_eq!(&replay(control, log.clone()).expect("as before"), &steps);
        let entry = |((event, at), step): ((Event, Moment), Step)| Entry { event, at, step };
        let mut entries: Vec<Entry> = log.into_iter().zip(steps).map(entry).collect();
        prop_assert_eq!(first_difference(control, entries.clone()), None);
        let at = at.index(entries.len());
        tamper(&mut entries[at], what);
        let found = first_difference(control, entries.clone()).expect("a difference");
        prop_assert_eq!((found.index, found.logged), (at, entries[at].step));
    }
}

/// Changes what a log says came of an event.
fn tamper(entry: &mut Entry, what: usize) {
    let step = &mut entry.step;
    match what {
        0 => step.after.first.main = Micros(step.after.first.main.0 + 1),
        1 => step.after.second.periods += 1,
        2 => step.after.revision += 1,
        3 => step.compensated = Micros(step.compensated.0 + 1),
        4 => step.flagged = if step.flagged.is_some() { None } else { Some(Side::First) },
        _ => step.after.second.lag_quota = Micros(step.after.second.lag_quota.0 + 1),
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    let side = || proptest::sample::select(&Side::BOTH[..]);
    let reason = || proptest::sample::select(&PauseReason::ALL[..]);
    let span = || (1..5_000_000_u64).prop_map(Micros);
    prop_oneof![
        8 => (side(), any_lag()).prop_map(|(side, lag)| Event::Press { side, next: Some(side.other()), lag }),
        1 => Just(Event::Watch),
        1 => reason().prop_map(|reason| Event::Pause { reason }),
        2 => reason().prop_map(|reason| Event::Resume { reason }),
        1 => (side(), span()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Add(span) }),
        1 => (side(), span()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Deduct(span) }),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_log_of_the_service_is_checked() {
    let fixture = Fixture::new();
    let replica = fixture.replica();
    let (game, text) = (fixture.game(), "5m+3s");
    let control: TimeControl = text.parse().expect("a control");
    let mut log: Vec<ClockEntry> = Vec::new();
    let mut before = None;
    for number in 0..5 {
        let event = match (&before, number) {
            (None, _) => start(),
            (Some(_), 4) => stop(),
            (Some(reading), _) => press(reading),
        };
        let at = START + std::time::Duration::from_secs(number * 7);
        let asked: StepRequest = request(&game, text, before.clone(), event, at);
        let answer = replica.internal().step(asked.clone()).await.expect("fits").into_inner();
        log.push(clock_log::entry(&asked, &answer));
        before = answer.after;
    }
    assert_eq!(clock::history::first_difference(control, &log).expect("readable"), None);
    log[3].event_time.as_mut().expect("a time").nanos += 1000;
    let found = clock::history::first_difference(control, &log).expect("readable").expect("a difference");
    assert_eq!(found.index, 3);
    assert_ne!(found.computed.expect("fits").after, found.logged.after);
    log[2].after = None;
    let bad = clock::history::first_difference(control, &log).expect_err("an entry without a reading");
    assert_eq!(bad.index, 2);
}
