//! The clocks against a slow model that ticks: it knows no formula, only what one more tick does.

use std::time::Duration;

use api::time_control::TimeControl;
use clock::core::{Event, Moment, Reading, Side, SideTime, Step, step};
use proptest::prelude::*;

/// More than any control here lasts.
const TICKS_MAX: usize = 1000;

/// What one side has, tick by tick (a tick is a microsecond).
#[derive(Clone, Copy, Debug)]
struct Left {
    main: u64,
    periods: u32,
    /// Ticks left of the period in use.
    of_period: u64,
}

/// A chess clock made of wheels.
#[derive(Debug)]
struct Ticker {
    control: TimeControl,
    sides: [Left; 2],
    /// Whose clock runs, and the ticks it was charged this turn, by when they began.
    running: Option<(Side, Vec<i64>)>,
    now: i64,
}

impl Ticker {
    fn start(control: TimeControl, running: Side, now: i64) -> Self {
        let ticks = |span: Duration| u64::try_from(span.as_micros()).expect("small");
        let left = match control {
            TimeControl::Absolute { main } => Left { main: ticks(main), periods: 0, of_period: 0 },
            TimeControl::Fischer { main, increment, .. } => {
                Left { main: ticks(if main.is_zero() { increment } else { main }), periods: 0, of_period: 0 }
            }
            TimeControl::ByoYomi { main, period, periods } => {
                Left { main: ticks(main), periods, of_period: ticks(period) }
            }
        };
        Ticker { control, sides: [left; 2], running: Some((running, Vec::new())), now }
    }

    fn run_until(&mut self, now: i64) {
        while self.now < now {
            if let Some((_, charged)) = &mut self.running {
                charged.push(self.now);
            }
            self.now += 1;
        }
    }

    /// What a side has after so many ticks of a turn; none when its flag has fallen.
    fn after(&self, side: Side, ticks: usize) -> Option<Left> {
        let mut left = self.sides[index(side)];
        let period = left.of_period;
        for _ in 0..ticks {
            if left.main > 0 {
                left.main -= 1;
            } else if left.periods > 0 {
                left.of_period -= 1;
                if left.of_period == 0 {
                    left.periods -= 1;
                    left.of_period = period;
                }
            }
        }
        (left.main > 0 || left.periods > 0).then_some(left)
    }

    fn charged(&self) -> Option<(Side, Option<Left>)> {
        self.running.as_ref().map(|(side, charged)| (*side, self.after(*side, charged.len())))
    }

    /// Takes an event at `now`; the side whose flag had fallen, if one had.
    fn take(&mut self, event: Event) -> Option<Side> {
        if let Event::CreditOutage { from, until } = event
            && let Some((_, charged)) = &mut self.running
        {
            let kept = charged.iter().filter(|tick| !(from.0..until.0).contains(tick)).count();
            // The turn then began that much later.
            *charged = (self.now - i64::try_from(kept).expect("few")..self.now).collect();
        }
        if let Some((side, None)) = self.charged() {
            return Some(side);
        }
        match event {
            Event::Press { side, next } => self.press(side, next),
            Event::Stop => {
                if let Some((side, Some(left))) = self.charged() {
                    self.end_turn(side, left);
                }
                self.running = None;
            }
            Event::Start { .. } | Event::CreditOutage { .. } | Event::Watch => {}
        }
        None
    }

    fn press(&mut self, side: Side, next: Option<Side>) {
        match self.charged() {
            Some((running, Some(mut left))) if running == side => {
                if let TimeControl::Fischer { increment, cap, .. } = self.control {
                    for _ in 0..increment.as_micros() {
                        if cap.is_none_or(|cap| u128::from(left.main) < cap.as_micros()) {
                            left.main += 1;
                        }
                    }
                }
                self.end_turn(side, left);
            }
            Some((running, _)) if next == Some(running) => return,
            _ => {}
        }
        self.running = next.map(|next| (next, Vec::new()));
    }

    /// The period in use is given back whole.
    fn end_turn(&mut self, side: Side, left: Left) {
        let of_period = self.sides[index(side)].of_period;
        self.sides[index(side)] = Left { of_period, ..left };
    }

    fn agrees_with(&self, reading: &Reading) -> Result<(), TestCaseError> {
        for side in Side::ALL {
            let (ours, theirs) = (reading.time(side), self.sides[index(side)]);
            prop_assert_eq!((ours.main.0, ours.periods), (theirs.main, theirs.periods));
        }
        let running = self
            .running
            .as_ref()
            .map(|(side, charged)| (*side, Moment(self.now - i64::try_from(charged.len()).expect("few"))));
        prop_assert_eq!(reading.running.map(|running| (running.side, running.since)), running);
        Ok(())
    }

    /// The moment at which one more tick is one too many.
    fn flag_time(&self) -> Option<Moment> {
        let (side, charged) = self.running.as_ref()?;
        let ticks = (0..=TICKS_MAX).find(|ticks| self.after(*side, *ticks).is_none())?;
        let since = self.now - i64::try_from(charged.len()).expect("few");
        Some(Moment(since + i64::try_from(ticks).expect("few")))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_clocks_agree_with_one_that_ticks(
        control in small_control(),
        start in -50..50_i64,
        events in proptest::collection::vec((0..30_i64, any_event()), 1..20),
    ) {
        let started = step(control, None, &Event::Start { running: Side::First }, Moment(start));
        let mut reading = started.expect("a start fits").after;
        let mut ticker = Ticker::start(control, Side::First, start);
        for (pause, event) in events {
            ticker.agrees_with(&reading)?;
            prop_assert_eq!(reading.flag_time(control), ticker.flag_time());
            ticker.run_until(ticker.now + pause);
            let event = relative(event, ticker.now);
            let Step { after, flagged } =
                step(control, Some(&reading), &event, Moment(ticker.now)).expect("the event fits");
            prop_assert_eq!(flagged, ticker.take(event));
            if let Some(side) = flagged {
                prop_assert_eq!(after.time(side), SideTime::default());
                prop_assert_eq!(after.time(side.other()), reading.time(side.other()));
                prop_assert_eq!((after.running, after.revision), (None, reading.revision + 1));
                return Ok(());
            }
            reading = after;
        }
        ticker.agrees_with(&reading)?;
    }
}

/// Controls of a few ticks: `step` does not ask for the platform's limits.
fn small_control() -> impl Strategy<Value = TimeControl> {
    let ticks = |range: std::ops::Range<u64>| range.prop_map(Duration::from_micros);
    prop_oneof![
        ticks(1..200).prop_map(|main| TimeControl::Absolute { main }),
        (ticks(0..60), ticks(1..20), proptest::option::of(ticks(0..40))).prop_map(
            |(main, increment, cap)| TimeControl::Fischer {
                main,
                increment,
                cap: cap.map(|room| main + room)
            }
        ),
        (ticks(0..60), ticks(1..15), 1..6_u32).prop_map(|(main, period, periods)| TimeControl::ByoYomi {
            main,
            period,
            periods
        }),
    ]
}

/// Events after the start. The moments of outages are relative to now.
fn any_event() -> impl Strategy<Value = Event> {
    let side = || proptest::sample::select(&Side::ALL[..]);
    prop_oneof![
        6 => side().prop_map(|side| Event::Press { side, next: Some(side.other()) }),
        2 => (side(), proptest::option::of(side())).prop_map(|(side, next)| Event::Press { side, next }),
        1 => Just(Event::Stop),
        1 => Just(Event::Watch),
        3 => (-60..10_i64, 0..40_i64).prop_map(|(from, length)| Event::CreditOutage {
            from: Moment(from),
            until: Moment(from + length),
        }),
    ]
}

fn relative(event: Event, now: i64) -> Event {
    match event {
        Event::CreditOutage { from, until } => {
            Event::CreditOutage { from: Moment(from.0 + now), until: Moment(until.0 + now) }
        }
        event => event,
    }
}

fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}
