//! The clocks against a slow model that ticks: it knows no formula, only what one more tick does.

use std::time::Duration;

use api::time_control::{Control, TimeControl};
use clock::core::{
    Adjustment, Event, Lag, Micros, Moment, PauseReason, Reading, Side, SideTime, Step, control_of, step,
};
use proptest::prelude::*;

/// More than any control here lasts.
const TICKS_MAX: usize = 2000;

/// What one side has, tick by tick (a tick is a microsecond).
#[derive(Clone, Copy, Debug)]
struct Left {
    main: u64,
    periods: u32,
    /// Ticks left of the period in use.
    of_period: u64,
    /// Moves due in it.
    moves: u32,
    /// Ticks left of the turn's delay.
    free: u64,
}

/// A chess clock made of wheels.
#[derive(Debug)]
struct Ticker {
    control: TimeControl,
    sides: [Left; 2],
    turn: Option<Turning>,
    pauses: Vec<PauseReason>,
    now: i64,
}

/// Whose turn it is.
#[derive(Clone, Debug)]
struct Turning {
    side: Side,
    /// Ticks it was charged before its clock last began to run.
    used: usize,
    /// Ticks since, by when they began.
    ticks: Vec<i64>,
}

fn ticks(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).expect("small")
}

/// A side's wheels as they are set at the start.
fn set(control: Control) -> Left {
    let none = Left { main: 0, periods: 0, of_period: 0, moves: 0, free: 0 };
    match control {
        Control::Absolute { main } | Control::PerMove { time: main } => Left { main: ticks(main), ..none },
        Control::Fischer { main, increment, .. } => {
            Left { main: ticks(if main.is_zero() { increment } else { main }), ..none }
        }
        Control::UsDelay { main, delay } => Left { main: ticks(main), free: ticks(delay), ..none },
        Control::Bronstein { main, delay } => Left { main: ticks(main + delay), ..none },
        Control::ByoYomi { main, period, periods } => {
            Left { main: ticks(main), periods, of_period: ticks(period), ..none }
        }
        Control::Canadian { main, period, moves } => {
            Left { main: ticks(main), of_period: ticks(period), moves, ..none }
        }
        Control::Unlimited => none,
        Control::Reserved { .. } | Control::Correspondence { .. } => panic!("too long to tick through"),
    }
}

impl Left {
    /// One tick; none when nothing is left after it.
    fn tick(mut self, control: Control) -> Option<Left> {
        if control == Control::Unlimited {
            return Some(self);
        }
        if self.free > 0 {
            self.free -= 1;
        } else if self.main > 0 {
            self.main -= 1;
        } else if self.of_period > 0 {
            self.of_period -= 1;
            if self.of_period == 0 && self.periods > 0 {
                self.periods -= 1;
                self.of_period = if self.periods > 0 { set(control).of_period } else { 0 };
            }
        }
        (self.main > 0 || self.of_period > 0 || self.free > 0).then_some(self)
    }

    /// The wheels at the end of a turn: a byo-yomi period in use is whole again, and so is a delay.
    fn turned(self, control: Control) -> Left {
        let of_period = if self.periods > 0 { set(control).of_period } else { self.of_period };
        Left { of_period, free: set(control).free, ..self }
    }

    /// What a move that took so many ticks earns.
    fn earned(mut self, control: Control, took: usize) -> Left {
        match control {
            Control::Fischer { increment, cap, .. } => {
                for _ in 0..ticks(increment) {
                    if cap.is_none_or(|cap| self.main < ticks(cap)) {
                        self.main += 1;
                    }
                }
            }
            Control::Bronstein { delay, .. } => self.main += ticks(delay).min(took as u64),
            Control::PerMove { .. } => self.main = set(control).main,
            Control::Canadian { .. } if self.main == 0 => {
                self.moves -= 1;
                if self.moves == 0 {
                    self = Left { main: 0, ..set(control) };
                }
            }
            _ => {}
        }
        self
    }
}

impl Ticker {
    fn start(control: TimeControl, running: Side, now: i64) -> Self {
        let turn = Some(Turning { side: running, used: 0, ticks: Vec::new() });
        Ticker { control, sides: [set(control.first), set(control.second)], turn, pauses: Vec::new(), now }
    }

    fn run_until(&mut self, now: i64) {
        while self.now < now {
            if let Some(turn) = self.turn.as_mut().filter(|_| self.pauses.is_empty()) {
                turn.ticks.push(self.now);
            }
            self.now += 1;
        }
    }

    /// What a side has after so many ticks of a turn; none when its flag has fallen.
    fn after(&self, side: Side, took: usize) -> Option<Left> {
        let (control, left) = (control_of(self.control, side), self.sides[side.index()]);
        let alive = control == Control::Unlimited || left.main > 0 || left.of_period > 0 || left.free > 0;
        (0..took).try_fold(left, |left, _| left.tick(control)).filter(|_| alive)
    }

    fn fallen(&self) -> Option<Side> {
        let turn = self.turn.as_ref().filter(|_| self.pauses.is_empty())?;
        self.after(turn.side, turn.took()).is_none().then_some(turn.side)
    }

    /// Takes an event at `now`; the side whose flag had fallen, if one had, and how many ticks were spared.
    fn take(&mut self, event: Event) -> (Option<Side>, usize) {
        if let Event::CreditOutage { from, until } = event
            && let Some(turn) = self.turn.as_mut().filter(|_| self.pauses.is_empty())
        {
            let kept = turn.ticks.iter().filter(|tick| !(from.0..until.0).contains(tick)).count();
            // The clock then began to run that much later.
            turn.ticks = (self.now - i64::try_from(kept).expect("few")..self.now).collect();
        }
        if let Some(side) = self.fallen() {
            return (Some(side), 0);
        }
        let mut spared = 0;
        match event {
            Event::Press { side, next, lag } => spared = self.press(side, next, lag),
            Event::Stop => {
                self.end_turn(|left, _, _| left, 0);
                (self.turn, self.pauses) = (None, Vec::new());
            }
            Event::Pause { reason } if !self.pauses.contains(&reason) => {
                self.pauses.push(reason);
                let unlimited = self
                    .turn
                    .as_ref()
                    .is_some_and(|turn| control_of(self.control, turn.side) == Control::Unlimited);
                if let Some(turn) = &mut self.turn {
                    turn.used = if unlimited { 0 } else { turn.took() };
                    turn.ticks.clear();
                }
            }
            Event::Resume { reason } => self.pauses.retain(|held| *held != reason),
            Event::Adjust { side, by } => self.adjust(side, by),
            Event::Start { running } => {
                self.turn = Some(Turning { side: running, used: 0, ticks: Vec::new() });
            }
            Event::Pause { .. } | Event::CreditOutage { .. } | Event::Watch => {}
        }
        // What is deducted from a clock that is held may be all it has.
        let spent = self.turn.as_ref().filter(|turn| self.after(turn.side, turn.took()).is_none());
        let deducted = matches!(event, Event::Adjust { .. });
        (spent.map(|turn| turn.side).filter(|_| deducted), spared)
    }

    fn press(&mut self, side: Side, next: Option<Side>, lag: Lag) -> usize {
        let running = self.turn.as_ref().map(|turn| turn.side);
        let mut spared = 0;
        if running == Some(side) {
            // The quota is far more than any turn here takes.
            let took = self.turn.as_ref().map_or(0, Turning::took);
            spared = usize::try_from(lag.counted().0).expect("small").min(took);
            if control_of(self.control, side) == Control::Unlimited {
                spared = 0;
            }
            self.end_turn(Left::earned, spared);
        } else if running.is_some() && running == next {
            return 0;
        }
        self.turn = next.map(|side| Turning { side, used: 0, ticks: Vec::new() });
        spared
    }

    /// Charges the turn all but what is spared.
    fn end_turn(&mut self, earn: impl Fn(Left, Control, usize) -> Left, spared: usize) {
        let Some(turn) = &self.turn else { return };
        let (side, took) = (turn.side, turn.took() - spared);
        let control = control_of(self.control, side);
        // Only a clock that is held can have nothing left here.
        let none = Left { main: 0, periods: 0, of_period: 0, ..self.sides[side.index()] };
        let left = self.after(side, took).unwrap_or(none);
        self.sides[side.index()] = earn(left, control, took).turned(control);
    }

    fn adjust(&mut self, side: Side, by: Adjustment) {
        let control = control_of(self.control, side);
        let left = &mut self.sides[side.index()];
        match by {
            _ if control == Control::Unlimited => {}
            Adjustment::Add(span) => left.main += span.0,
            Adjustment::Deduct(span) => {
                left.free = 0;
                for _ in 0..span.0 {
                    *left = left.tick(control).unwrap_or(Left { main: 0, periods: 0, of_period: 0, ..*left });
                }
                *left = left.turned(control);
            }
        }
    }

    fn agrees_with(&self, reading: &Reading) -> Result<(), TestCaseError> {
        for side in Side::BOTH {
            let (ours, theirs) = (reading.time(side), self.sides[side.index()]);
            let canadian = matches!(control_of(self.control, side), Control::Canadian { .. });
            let of_period = if canadian { theirs.of_period } else { 0 };
            prop_assert_eq!(
                (ours.main.0, ours.periods, ours.of_period.0, ours.moves),
                (theirs.main, theirs.periods, of_period, theirs.moves)
            );
        }
        let took = |turn: &Turning| (turn.side, Micros(turn.took() as u64));
        let charged = reading.turn.map(|turn| (turn.side, reading.charged(turn, Moment(self.now))));
        prop_assert_eq!(charged, self.turn.as_ref().map(took));
        prop_assert_eq!(reading.pauses.iter().count(), self.pauses.len());
        Ok(())
    }

    /// The moment at which one more tick is one too many.
    fn flag_time(&self) -> Option<Moment> {
        let turn = self.turn.as_ref().filter(|_| self.pauses.is_empty())?;
        let control = control_of(self.control, turn.side);
        let mut left = self.after(turn.side, 0);
        let gone = |ticks: &usize| {
            let gone = left.is_none();
            left = left.and_then(|left| left.tick(control)).filter(|_| *ticks < TICKS_MAX);
            gone
        };
        let ticks = (0..TICKS_MAX).find(gone).filter(|_| control != Control::Unlimited)?;
        let still = i64::try_from(ticks).expect("few") - i64::try_from(turn.took()).expect("few");
        Some(Moment(self.now + still))
    }
}

impl Turning {
    fn took(&self) -> usize {
        self.used + self.ticks.len()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_clocks_agree_with_one_that_ticks(
        control in (small_control(), small_control(), any::<bool>())
            .prop_map(|(first, other, same)| TimeControl { first, second: if same { first } else { other } }),
        start in -50..50_i64,
        events in proptest::collection::vec((0..30_i64, any_event()), 1..24),
    ) {
        let started = step(control, None, &Event::Start { running: Side::First }, Moment(start));
        let mut reading = started.expect("a start fits").after;
        let mut ticker = Ticker::start(control, Side::First, start);
        for (pause, event) in events {
            ticker.agrees_with(&reading)?;
            prop_assert_eq!(reading.flag_time(control), ticker.flag_time());
            ticker.run_until(ticker.now + pause);
            if matches!(event, Event::Start { .. }) && reading.turn.is_some() {
                continue;
            }
            let event = relative(event, ticker.now);
            let Step { after, flagged, compensated } =
                step(control, Some(&reading), &event, Moment(ticker.now)).expect("the event fits");
            prop_assert_eq!((flagged, compensated), { let (flagged, spared) = ticker.take(event); (flagged, Micros(spared as u64)) });
            if let Some(side) = flagged {
                prop_assert_eq!(after.time(side), SideTime::default());
                prop_assert_eq!(after.time(side.other()), reading.time(side.other()));
                prop_assert_eq!((after.turn, after.revision), (None, reading.revision + 1));
                return Ok(());
            }
            reading = after;
        }
        ticker.agrees_with(&reading)?;
    }
}

/// Controls of a few ticks: `step` does not ask for the platform's limits.
fn small_control() -> impl Strategy<Value = Control> {
    let ticks = |range: std::ops::Range<u64>| range.prop_map(Duration::from_micros);
    prop_oneof![
        ticks(1..200).prop_map(|main| Control::Absolute { main }),
        (ticks(0..60), ticks(1..20), proptest::option::of(ticks(0..40))).prop_map(
            |(main, increment, cap)| Control::Fischer { main, increment, cap: cap.map(|room| main + room) }
        ),
        (ticks(0..60), ticks(1..20)).prop_map(|(main, delay)| Control::UsDelay { main, delay }),
        (ticks(0..60), ticks(1..20)).prop_map(|(main, delay)| Control::Bronstein { main, delay }),
        (ticks(0..60), ticks(1..15), 1..6_u32).prop_map(|(main, period, periods)| Control::ByoYomi {
            main,
            period,
            periods
        }),
        (ticks(0..60), ticks(1..60), 1..4_u32).prop_map(|(main, period, moves)| Control::Canadian {
            main,
            period,
            moves
        }),
        ticks(1..60).prop_map(|time| Control::PerMove { time }),
        Just(Control::Unlimited),
    ]
}

/// Events after the start. The moments of outages are relative to now.
fn any_event() -> impl Strategy<Value = Event> {
    let side = || proptest::sample::select(&Side::BOTH[..]);
    let reason = || proptest::sample::select(&PauseReason::ALL[..2]);
    let lag = || (0..6_u64).prop_map(|lag| Lag { measured: Some(Micros(lag)), claimed: None });
    let span = || (1..40_u64).prop_map(Micros);
    prop_oneof![
        8 => (side(), lag()).prop_map(|(side, lag)| Event::Press { side, next: Some(side.other()), lag }),
        2 => (side(), proptest::option::of(side()), lag())
            .prop_map(|(side, next, lag)| Event::Press { side, next, lag }),
        1 => Just(Event::Stop),
        1 => side().prop_map(|running| Event::Start { running }),
        1 => Just(Event::Watch),
        3 => (-60..10_i64, 0..40_i64).prop_map(|(from, length)| Event::CreditOutage {
            from: Moment(from),
            until: Moment(from + length),
        }),
        2 => reason().prop_map(|reason| Event::Pause { reason }),
        3 => reason().prop_map(|reason| Event::Resume { reason }),
        1 => (side(), span()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Add(span) }),
        1 => (side(), span()).prop_map(|(side, span)| Event::Adjust { side, by: Adjustment::Deduct(span) }),
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
