//! Sums over whole games: no time is made and none is lost.

use std::time::Duration;

use api::time_control::{Control, TimeControl};
use clock::core::{
    Adjustment, Event, Lag, Micros, Moment, PauseReason, Reading, Side, Step, gain, quota_max, step,
};
use proptest::prelude::*;

use crate::laws::{any_control, any_lag};

/// A stretch of a game, its length in microseconds.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    /// The running side thinks, then acts with such a lag.
    Turn(u32, Lag),
    /// The platform is down; then that is credited.
    Outage(u32),
    /// The running side thinks while the other acts out of turn.
    Aside(u32),
    /// The clocks are paused for a reason and, in the midst of it, for another.
    Pause(u32, u32, u32),
    /// A side is given time, or has it taken away.
    Correction(bool, Adjustment),
}

/// A game that is going on, with what was summed up.
struct Sums {
    control: TimeControl,
    reading: Reading,
    now: i64,
    /// Microseconds that are not charged: outages, pauses, lag.
    spared: i64,
    /// Microseconds that were given, and taken away.
    given: i64,
}

impl Sums {
    fn take(&mut self, event: Event) {
        let Step { after, flagged, compensated } =
            step(self.control, Some(&self.reading), &event, Moment(self.now)).expect("the event fits");
        assert_eq!(flagged, None, "there is time enough");
        self.spared += i64::try_from(compensated.0).expect("small");
        self.reading = after;
    }

    fn live(&mut self, stretch: Stretch, increment: i64) {
        let side = self.reading.turn.expect("the game goes on").side;
        match stretch {
            Stretch::Turn(length, lag) => {
                self.now += i64::from(length);
                self.given += increment;
                self.take(Event::Press { side, next: Some(side.other()), lag });
            }
            Stretch::Aside(length) => {
                self.now += i64::from(length);
                self.take(Event::Press { side: side.other(), next: Some(side), lag: Lag::default() });
            }
            Stretch::Outage(length) => {
                let from = Moment(self.now);
                self.now += i64::from(length);
                self.spared += i64::from(length);
                self.take(Event::CreditOutage { from, until: Moment(self.now) });
            }
            Stretch::Pause(one, both, other) => {
                let [first, second] = [PauseReason::EventBreak, PauseReason::Arbiter];
                for (event, length) in [
                    (Event::Pause { reason: first }, one),
                    (Event::Pause { reason: second }, both),
                    (Event::Resume { reason: first }, other),
                ] {
                    self.take(event);
                    self.now += i64::from(length);
                    self.spared += i64::from(length);
                }
                self.take(Event::Resume { reason: second });
            }
            Stretch::Correction(own, by) => {
                let change = |span: Micros| i64::try_from(span.0).expect("small");
                self.given += match by {
                    Adjustment::Add(span) => change(span),
                    Adjustment::Deduct(span) => -change(span),
                };
                self.take(Event::Adjust { side: if own { side } else { side.other() }, by });
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_charged_is_what_passed_less_pauses_outages_and_lag(
        increment_s in 1..5_u64,
        stretches in proptest::collection::vec(any_stretch(), 0..60),
        start in -1_000_000_000..1_000_000_000_i64,
    ) {
        let main = Duration::from_hours(24);
        let increment = Duration::from_secs(increment_s);
        let control = TimeControl::same(Control::Fischer { main, increment, cap: None });
        let started = step(control, None, &Event::Start { running: Side::First }, Moment(start));
        let reading = started.expect("a start fits").after;
        let mut sums = Sums { control, reading, now: start, spared: 0, given: 2 * micros(main) };
        for stretch in stretches {
            sums.live(stretch, micros(increment));
        }
        sums.take(Event::Stop);
        let left = sums.reading.first.main.plus(sums.reading.second.main);
        prop_assert_eq!(
            sums.given - i64::try_from(left.0).expect("small"),
            sums.now - start - sums.spared
        );
    }

    #[test]
    fn no_player_can_farm_his_lag(
        control in any_control(),
        turns in proptest::collection::vec((0..900_000_u64, any_lag()), 1..80),
    ) {
        let (both, one_gain) = (TimeControl::same(control), gain(control).0);
        let started = step(both, None, &Event::Start { running: Side::First }, Moment(0));
        let mut reading = started.expect("a start fits").after;
        let (mut now, mut compensated) = (0, 0);
        for (moves, (took, lag)) in turns.into_iter().enumerate() {
            let before = reading.first;
            now += i64::try_from(took).expect("small");
            let press = Event::Press { side: Side::First, next: Some(Side::First), lag };
            let step = step(both, Some(&reading), &press, Moment(now)).expect("fits");
            if step.flagged.is_some() {
                return Ok(());
            }
            compensated += step.compensated.0;
            prop_assert!(compensated <= quota_max(control).0 + one_gain * (moves as u64 + 1));
            prop_assert!(step.compensated <= Micros(took) && step.compensated <= lag.counted());
            prop_assert!(step.after.first.lag_quota <= quota_max(control));
            // Nobody has more after a move than without any lag and without having thought.
            let best = before.after_move(control, Micros::ZERO);
            prop_assert!(step.after.first.main <= best.main);
            reading = step.after;
        }
    }
}

/// At most 60 of them, of under 24 minutes each: together less than the main time of a day.
fn any_stretch() -> BoxedStrategy<Stretch> {
    let length = || 0..1_000_000_000_u32;
    let span = || (1..60_000_000_u64).prop_map(Micros);
    prop_oneof![
        5 => (length(), any_lag()).prop_map(|(length, lag)| Stretch::Turn(length, lag)),
        1 => length().prop_map(Stretch::Outage),
        1 => length().prop_map(Stretch::Aside),
        2 => (length(), length(), length()).prop_map(|(one, both, other)| Stretch::Pause(one, both, other)),
        1 => (any::<bool>(), span()).prop_map(|(own, by)| Stretch::Correction(own, Adjustment::Add(by))),
        1 => (any::<bool>(), span()).prop_map(|(own, by)| Stretch::Correction(own, Adjustment::Deduct(by))),
    ]
    .boxed()
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).expect("small")
}
