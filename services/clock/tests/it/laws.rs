//! Laws of a step, for every reading and every time that a caller could send.

use std::time::Duration;

use api::time_control::TimeControl;
use clock::core::{Event, Micros, Moment, Reading, Running, Side, SideTime, step};
use proptest::prelude::*;

/// A stretch of a game.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    /// The running side thinks, then acts.
    Turn(u32),
    /// The platform is down for so long; then that is credited.
    Outage(u32),
    /// The running side thinks while the other acts out of turn.
    Aside(u32),
}

proptest! {
    #[test]
    fn a_step_is_total_and_the_same_twice(
        control in any_control(),
        before in proptest::option::of(any_reading()),
        event in any_event(),
        now in any_moment(),
    ) {
        let once = step(control, before.as_ref(), &event, now);
        prop_assert_eq!(once, step(control, before.as_ref(), &event, now));
        let (Ok(once), Some(before)) = (once, before) else { return Ok(()) };
        let after = once.after;
        prop_assert!(after.revision >= before.revision);
        prop_assert_eq!(
            after == before,
            after.revision == before.revision,
            "the revision tells whether something changed"
        );
        if let Some(side) = once.flagged {
            prop_assert_eq!(before.running.map(|running| running.side), Some(side));
            prop_assert!(before.flag_time(control) <= Some(now));
            prop_assert_eq!((after.running, after.time(side)), (None, SideTime::default()));
        }
        if matches!(event, Event::Watch) && once.flagged.is_none() {
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn a_flag_falls_if_and_only_if_its_time_has_come(
        control in any_control(),
        before in any_reading(),
        now in any_moment(),
    ) {
        let watched = step(control, Some(&before), &Event::Watch, now);
        prop_assume!(watched.is_ok());
        let due = before.flag_time(control).is_some_and(|flag_time| flag_time <= now);
        prop_assert_eq!(watched.map(|step| step.flagged.is_some()), Ok(due));
    }

    #[test]
    fn a_credit_never_brings_a_flag_nearer(
        control in any_control(),
        before in any_reading(),
        (one, other) in (any_moment(), any_moment()),
        now in any_moment(),
    ) {
        let credit = Event::CreditOutage { from: one.min(other), until: one.max(other) };
        let credited = step(control, Some(&before), &credit, now);
        prop_assume!(credited.is_ok());
        let credited = credited.expect("assumed");
        let plain = step(control, Some(&before), &Event::Watch, now).expect("fits as the credit does");
        match credited.flagged {
            Some(_) => prop_assert_eq!(credited.flagged, plain.flagged),
            None => prop_assert!(credited.after.flag_time(control) >= before.flag_time(control)),
        }
    }

    #[test]
    fn what_is_charged_is_the_time_that_passed_less_the_outages(
        increment_s in 0..5_u64,
        stretches in proptest::collection::vec(any_stretch(), 0..60),
        start in -1_000_000_000..1_000_000_000_i64,
    ) {
        let main = Duration::from_hours(24);
        let increment = Duration::from_secs(increment_s);
        let control = TimeControl::Fischer { main, increment, cap: None };
        let mut now = start;
        let take = |reading: Option<&Reading>, event, now| {
            step(control, reading, &event, Moment(now)).expect("the event fits").after
        };
        let mut reading = take(None, Event::Start { running: Side::First }, now);
        let (mut down, mut turns) = (0, 0);
        for stretch in stretches {
            let running = reading.running.expect("the game goes on").side;
            let from = now;
            let event = match stretch {
                Stretch::Turn(pause) => {
                    now += i64::from(pause);
                    turns += 1;
                    Event::Press { side: running, next: Some(running.other()) }
                }
                Stretch::Outage(pause) => {
                    now += i64::from(pause);
                    down += now - from;
                    Event::CreditOutage { from: Moment(from), until: Moment(now) }
                }
                Stretch::Aside(pause) => {
                    now += i64::from(pause);
                    Event::Press { side: running.other(), next: Some(running) }
                }
            };
            reading = take(Some(&reading), event, now);
        }
        let end = take(Some(&reading), Event::Stop, now);
        let given = Micros::from(main).times(2).plus(Micros::from(increment).times(turns));
        let left = end.first.main.plus(end.second.main);
        prop_assert_eq!(given.minus(left).0, (now - start - down).unsigned_abs());
    }
}

/// At most 60 of them of under 24 minutes each: together less than the main time of a day.
fn any_stretch() -> impl Strategy<Value = Stretch> {
    let pause = || 0..1_400_000_000_u32;
    prop_oneof![
        4 => pause().prop_map(Stretch::Turn),
        1 => pause().prop_map(Stretch::Outage),
        1 => pause().prop_map(Stretch::Aside),
    ]
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let span = || {
        prop_oneof![
            any::<u64>().prop_map(Duration::from_micros),
            (0..1_000_000_u64).prop_map(Duration::from_micros),
            Just(Duration::MAX),
            Just(Duration::ZERO),
        ]
    };
    prop_oneof![
        span().prop_map(|main| TimeControl::Absolute { main }),
        (span(), span(), proptest::option::of(span()))
            .prop_map(|(main, increment, cap)| TimeControl::Fischer { main, increment, cap }),
        (span(), span(), prop_oneof![any::<u32>(), 1..10_u32])
            .prop_map(|(main, period, periods)| TimeControl::ByoYomi { main, period, periods }),
    ]
}

fn any_moment() -> impl Strategy<Value = Moment> {
    prop_oneof![
        any::<i64>().prop_map(Moment),
        (-1000..1000_i64).prop_map(Moment),
        (-1000..1_000_000_i64).prop_map(Moment),
        Just(Moment(i64::MIN)),
        Just(Moment(i64::MAX)),
    ]
}

fn any_reading() -> impl Strategy<Value = Reading> {
    let micros = || prop_oneof![any::<u64>(), 0..2000_u64, Just(u64::MAX)].prop_map(Micros);
    let periods = || prop_oneof![4 => Just(0_u32), 2 => 0..5_u32, 1 => any::<u32>()];
    let time = || (micros(), periods()).prop_map(|(main, periods)| SideTime { main, periods });
    let running = (proptest::sample::select(&Side::ALL[..]), any_moment())
        .prop_map(|(side, since)| Running { side, since });
    // One short of the end, so that the revision has room to grow.
    (time(), time(), proptest::option::weighted(0.8, running), 0..u64::MAX - 1)
        .prop_map(|(first, second, running, revision)| Reading { first, second, running, revision })
}

fn any_event() -> impl Strategy<Value = Event> {
    let side = || proptest::sample::select(&Side::ALL[..]);
    prop_oneof![
        side().prop_map(|running| Event::Start { running }),
        (side(), proptest::option::of(side())).prop_map(|(side, next)| Event::Press { side, next }),
        Just(Event::Stop),
        Just(Event::Watch),
        (any_moment(), any_moment()).prop_map(|(from, until)| Event::CreditOutage { from, until }),
    ]
}
