//! Laws of a step, for every reading and every time that a caller could send.

use std::time::Duration;

use api::time_control::{Control, TimeControl};
use clock::core::{
    Adjustment, Event, Lag, Micros, Moment, PauseReason, Pauses, Reading, Side, SideTime, Turn, control_of,
    step,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_step_is_total_and_the_same_twice(
        control in any_time_control(),
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
            prop_assert_eq!(before.turn.map(|turn| turn.side), Some(side));
            prop_assert_eq!((after.turn, after.time(side)), (None, SideTime::default()));
            let adjusted = matches!(event, Event::Adjust { .. });
            prop_assert!(adjusted || before.flag_time(control).is_some_and(|flag_time| flag_time <= now));
        }
        if matches!(event, Event::Watch) && once.flagged.is_none() {
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn a_flag_falls_if_and_only_if_its_time_has_come(
        control in any_time_control(),
        before in any_reading(),
        now in any_moment(),
    ) {
        let before = fitted(before, control);
        let watched = step(control, Some(&before), &Event::Watch, now);
        let due = before.flag_time(control).is_some_and(|flag_time| flag_time <= now);
        prop_assert_eq!(watched.map(|step| step.flagged.is_some()), Ok(due));
    }

    #[test]
    fn a_credit_never_brings_a_flag_nearer(
        control in any_time_control(),
        before in any_reading(),
        (one, other) in (any_moment(), any_moment()),
        now in any_moment(),
    ) {
        let credit = Event::CreditOutage { from: one.min(other), until: one.max(other) };
        let before = fitted(before, control);
        let credited = step(control, Some(&before), &credit, now).expect("fits");
        let plain = step(control, Some(&before), &Event::Watch, now).expect("fits as the credit does");
        match credited.flagged {
            Some(_) => prop_assert_eq!(credited.flagged, plain.flagged),
            None => prop_assert!(credited.after.flag_time(control) >= before.flag_time(control)),
        }
    }

    #[test]
    fn a_turn_leaves_no_more_than_there_was_and_what_it_earned(
        control in any_control(),
        took in 0..200_000_000_u64,
        lag in any_lag(),
    ) {
        let before = started(control);
        let full = before.time(Side::First);
        let press = Event::Press { side: Side::First, next: Some(Side::Second), lag };
        let pressed = step(control.into(), Some(&before), &press, Moment(i64::try_from(took).expect("small")));
        let pressed = pressed.expect("fits");
        prop_assert_eq!(
            pressed.flagged.is_some(),
            full.total(control).is_some_and(|total| total <= Micros(took)),
            "the lag is no excuse"
        );
        prop_assume!(pressed.flagged.is_none());
        let left = pressed.after.time(Side::First);
        let charged = took - pressed.compensated.0;
        prop_assert!(pressed.compensated <= lag.counted().min(Micros(took)));
        let earned = match control {
            Control::Fischer { increment, .. } => Micros::from(increment),
            _ => Micros::ZERO,
        };
        prop_assert!(left.main <= full.main.plus(earned));
        prop_assert!(left.periods <= full.periods && left.of_period <= full.of_period);
        // Without gifts, what is gone is what was charged.
        match control {
            Control::Absolute { .. } => prop_assert_eq!(left.main.0, full.main.0 - charged),
            Control::Fischer { cap: None, .. } => {
                prop_assert_eq!(left.main.0, full.main.0 + earned.0 - charged);
            }
            Control::UsDelay { delay, .. } | Control::Bronstein { delay, .. } => {
                let free = charged.min(Micros::from(delay).0);
                prop_assert_eq!(left.main.0, full.main.0 + free - charged);
            }
            Control::ByoYomi { .. } | Control::Reserved { .. } => {
                let period = if let Control::ByoYomi { period, .. } = control { period } else { Duration::from_mins(1) };
                let over = charged.saturating_sub(full.main.0);
                let gone = u64::from(full.periods - left.periods) * Micros::from(period).0;
                prop_assert!(gone <= over && over < gone + Micros::from(period).0);
                prop_assert_eq!(left.main.0, full.main.0.saturating_sub(charged));
            }
            Control::Canadian { moves, .. } if left.moves < moves && left.moves > 0 => {
                prop_assert_eq!(left.main.plus(left.of_period).0, full.main.plus(full.of_period).0 - charged);
            }
            _ => {}
        }
    }

    #[test]
    fn reserved_minutes_are_periods_of_a_minute(
        (main, minutes) in (0..600_000_000_u64, 1..6_u32),
        turns in proptest::collection::vec((0..200_000_000_i64, any_lag()), 1..12),
    ) {
        let free = Duration::from_micros(main);
        let minute = Duration::from_mins(1);
        let controls: [TimeControl; 2] = [
            Control::Reserved { main: free + minute * minutes, minutes }.into(),
            Control::ByoYomi { main: free, period: minute, periods: minutes }.into(),
        ];
        let mut readings = controls.map(|control| started(control.first));
        let mut now = 0;
        for (took, lag) in turns {
            prop_assert_eq!(readings[0], readings[1]);
            prop_assert_eq!(readings[0].flag_time(controls[0]), readings[1].flag_time(controls[1]));
            now += took;
            let press = Event::Press { side: Side::First, next: Some(Side::First), lag };
            let steps = [0, 1].map(|it| {
                step(controls[it], Some(&readings[it]), &press, Moment(now)).expect("fits")
            });
            prop_assert_eq!(steps[0], steps[1]);
            if steps[0].flagged.is_some() {
                return Ok(());
            }
            readings = steps.map(|step| step.after);
        }
    }

    #[test]
    fn both_kinds_of_delay_lose_at_the_same_moment(
        main in 0..60_000_000_u64,
        delay in 1..10_000_000_u64,
        turns in proptest::collection::vec(0..30_000_000_i64, 1..12),
    ) {
        let (main, delay) = (Duration::from_micros(main), Duration::from_micros(delay));
        let controls: [TimeControl; 2] =
            [Control::UsDelay { main, delay }.into(), Control::Bronstein { main, delay }.into()];
        let mut readings = controls.map(|control| started(control.first));
        let mut now = 0;
        for took in turns {
            prop_assert_eq!(readings[0].flag_time(controls[0]), readings[1].flag_time(controls[1]));
            now += took;
            let press = Event::Press { side: Side::First, next: Some(Side::First), lag: Lag::default() };
            let steps = [0, 1].map(|it| {
                step(controls[it], Some(&readings[it]), &press, Moment(now)).expect("fits")
            });
            prop_assert_eq!(steps[0].flagged, steps[1].flagged);
            if steps[0].flagged.is_some() {
                return Ok(());
            }
            readings = steps.map(|step| step.after);
            prop_assert_eq!(readings[0].first.main.plus(delay.into()), readings[1].first.main);
        }
    }

    #[test]
    fn a_later_moment_follows_from_the_reading_alone(
        control in any_control(),
        (at, later) in (0..60_000_000_i64, 0..60_000_000_i64),
    ) {
        let before = started(control);
        let control = TimeControl::same(control);
        let fits = |reading: &Reading, event: &Event, now| {
            step(control, Some(reading), event, Moment(now)).expect("fits").after
        };
        let later = at + later;
        prop_assume!(before.flag_time(control).is_none_or(|flag| flag > Moment(later)));
        // Stopping for a moment and going on changes nothing of what is left.
        let reason = PauseReason::Arbiter;
        let paused = fits(&before, &Event::Pause { reason }, at);
        let resumed = fits(&paused, &Event::Resume { reason }, at);
        prop_assert_eq!(resumed.flag_time(control), before.flag_time(control));
        let left = |reading: &Reading, now| reading.remaining(control, Side::First, Moment(now));
        prop_assert_eq!(left(&resumed, later), left(&before, later));
        prop_assert_eq!(left(&paused, later), left(&before, at));
        // What is left is what a stop leaves.
        let stopped = fits(&before, &Event::Stop, later);
        prop_assert_eq!(stopped.first.main, left(&before, later).main);
        prop_assert_eq!(stopped.first.periods, left(&before, later).periods);
    }
}

/// The same reading with no more periods than the control has.
fn fitted(reading: Reading, control: TimeControl) -> Reading {
    Side::BOTH.into_iter().fold(reading, |reading, side| {
        let (time, full) = (reading.time(side), SideTime::full(control_of(control, side)));
        let fitted = SideTime {
            periods: time.periods.min(full.periods),
            of_period: time.of_period.min(full.of_period),
            moves: time.moves.min(full.moves),
            ..time
        };
        reading.with_time(side, fitted)
    })
}

/// Both clocks full, and the first side's running since the epoch.
fn started(control: Control) -> Reading {
    let start = Event::Start { running: Side::First };
    step(control.into(), None, &start, Moment(0)).expect("a start fits").after
}

/// Controls within the platform's limits, of times that a test can use up.
pub(crate) fn any_control() -> BoxedStrategy<Control> {
    let micros = |range: std::ops::Range<u64>| range.prop_map(Duration::from_micros);
    let main = move || micros(0..100_000_000);
    let step = move || micros(1_000_000..20_000_000);
    prop_oneof![
        micros(1_000_000..100_000_000).prop_map(|main| Control::Absolute { main }),
        (main(), step(), proptest::option::of(micros(100_000_000..110_000_000)))
            .prop_map(|(main, increment, cap)| Control::Fischer { main, increment, cap }),
        (main(), step()).prop_map(|(main, delay)| Control::UsDelay { main, delay }),
        (main(), step()).prop_map(|(main, delay)| Control::Bronstein { main, delay }),
        (main(), step(), 1..6_u32).prop_map(|(main, period, periods)| Control::ByoYomi {
            main,
            period,
            periods
        }),
        (micros(60_000_000..150_000_000), 1..=1_u32)
            .prop_map(|(main, minutes)| Control::Reserved { main, minutes }),
        (main(), step(), 1..6_u32).prop_map(|(main, period, moves)| Control::Canadian {
            main,
            period,
            moves
        }),
        step().prop_map(|time| Control::PerMove { time }),
        Just(Control::Correspondence { days: 1 }),
        Just(Control::Unlimited),
    ]
    .boxed()
}

pub(crate) fn any_lag() -> impl Strategy<Value = Lag> {
    let span = || proptest::option::of((0..3_000_000_u64).prop_map(Micros));
    (span(), span()).prop_map(|(measured, claimed)| Lag { measured, claimed })
}

/// Controls that no caller could send: a step is total on them, too.
fn wild_control() -> BoxedStrategy<Control> {
    let span = || {
        prop_oneof![
            any::<u64>().prop_map(Duration::from_micros),
            (0..1_000_000_u64).prop_map(Duration::from_micros),
            Just(Duration::MAX),
            Just(Duration::ZERO),
        ]
    };
    let number = || prop_oneof![any::<u32>(), 1..10_u32];
    prop_oneof![
        span().prop_map(|main| Control::Absolute { main }),
        (span(), span(), proptest::option::of(span())).prop_map(|(main, increment, cap)| Control::Fischer {
            main,
            increment,
            cap
        }),
        (span(), span()).prop_map(|(main, delay)| Control::UsDelay { main, delay }),
        (span(), span()).prop_map(|(main, delay)| Control::Bronstein { main, delay }),
        (span(), span(), number()).prop_map(|(main, period, periods)| Control::ByoYomi {
            main,
            period,
            periods
        }),
        (span(), number()).prop_map(|(main, minutes)| Control::Reserved { main, minutes }),
        (span(), span(), number()).prop_map(|(main, period, moves)| Control::Canadian {
            main,
            period,
            moves
        }),
        span().prop_map(|time| Control::PerMove { time }),
        number().prop_map(|days| Control::Correspondence { days }),
        Just(Control::Unlimited),
    ]
    .boxed()
}

fn any_time_control() -> BoxedStrategy<TimeControl> {
    let control = || prop_oneof![wild_control(), any_control()];
    (control(), control()).prop_map(|(first, second)| TimeControl { first, second }).boxed()
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

fn any_micros() -> impl Strategy<Value = Micros> {
    prop_oneof![any::<u64>(), 0..2000_u64, Just(u64::MAX)].prop_map(Micros)
}

fn any_reading() -> BoxedStrategy<Reading> {
    let few = || prop_oneof![4 => Just(0_u32), 2 => 0..5_u32, 1 => any::<u32>()];
    let rest = || prop_oneof![3 => Just(Micros::ZERO), 1 => any_micros()];
    let time = move || {
        (any_micros(), few(), rest(), few(), any_micros()).prop_map(
            |(main, periods, of_period, moves, lag_quota)| SideTime {
                main,
                periods,
                of_period,
                moves,
                lag_quota,
            },
        )
    };
    let turn = (proptest::sample::select(&Side::BOTH[..]), any_moment(), rest())
        .prop_map(|(side, since, used)| Turn { side, since, used });
    let pauses = prop_oneof![
        3 => Just(Pauses::NONE),
        1 => proptest::sample::subsequence(&PauseReason::ALL[..], 0..=4).prop_map(Pauses::from_iter),
    ];
    // One short of the end, so that the revision has room to grow.
    (time(), time(), proptest::option::weighted(0.8, turn), pauses, 0..u64::MAX - 1)
        .prop_map(|(first, second, turn, pauses, revision)| Reading { first, second, turn, pauses, revision })
        .boxed()
}

fn any_event() -> BoxedStrategy<Event> {
    let side = || proptest::sample::select(&Side::BOTH[..]);
    let reason = || proptest::sample::select(&PauseReason::ALL[..]);
    let lag = (proptest::option::of(any_micros()), proptest::option::of(any_micros()))
        .prop_map(|(measured, claimed)| Lag { measured, claimed });
    prop_oneof![
        side().prop_map(|running| Event::Start { running }),
        (side(), proptest::option::of(side()), lag).prop_map(|(side, next, lag)| Event::Press {
            side,
            next,
            lag
        }),
        Just(Event::Stop),
        Just(Event::Watch),
        (any_moment(), any_moment()).prop_map(|(from, until)| Event::CreditOutage { from, until }),
        reason().prop_map(|reason| Event::Pause { reason }),
        reason().prop_map(|reason| Event::Resume { reason }),
        (side(), any_micros()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Add(span) }),
        (side(), any_micros()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Deduct(span) }),
    ]
    .boxed()
}
