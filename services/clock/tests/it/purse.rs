//! What a side has, by an account of its own: plain sums in microseconds, none of the clock's formulas.

use api::time_control::Control;

/// A control of the simulation with a gain of its quota of lag, worked out by hand.
pub(crate) const CONTROLS: [(&str, i64); 12] = [
    ("40s", 100_000),
    ("20s+2s", 291_666),
    ("10s+5s<12s", 500_000),
    ("0s+6s", 500_000),
    ("20s+d3s", 416_666),
    ("20s+b3s", 416_666),
    ("15s+3x5s", 343_750),
    ("2m-keep2m", 500_000),
    ("10s+4in15s", 489_583),
    ("8s/move", 500_000),
    ("1d/move", 0),
    ("none", 0),
];

/// The most that a move adds to the quota: a steady lag up to it is covered for ever.
const REFILL_MAX: i64 = 200_000;

/// What one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Purse {
    /// Which of [`CONTROLS`].
    pub kind: usize,
    pub main: i64,
    pub periods: i64,
    pub of_period: i64,
    pub moves: i64,
    pub quota: i64,
}

/// The control of a kind.
pub(crate) fn control(kind: usize) -> Control {
    CONTROLS[kind].0.parse().expect("a control")
}

pub(crate) fn micros(span: std::time::Duration) -> i64 {
    i64::try_from(span.as_micros()).expect("small")
}

impl Purse {
    pub(crate) fn full(kind: usize) -> Self {
        let quota = 3 * CONTROLS[kind].1;
        let purse = |main, periods, of_period, moves| Purse { kind, main, periods, of_period, moves, quota };
        match control(kind) {
            Control::Absolute { main } | Control::UsDelay { main, .. } | Control::PerMove { time: main } => {
                purse(micros(main), 0, 0, 0)
            }
            Control::Fischer { main, increment, .. } if main.is_zero() => purse(micros(increment), 0, 0, 0),
            Control::Fischer { main, .. } => purse(micros(main), 0, 0, 0),
            Control::Bronstein { main, delay } => purse(micros(main) + micros(delay), 0, 0, 0),
            Control::ByoYomi { main, periods, .. } => purse(micros(main), i64::from(periods), 0, 0),
            Control::Reserved { main, minutes } => {
                purse(micros(main) - i64::from(minutes) * 60_000_000, i64::from(minutes), 0, 0)
            }
            Control::Canadian { main, period, moves } => {
                purse(micros(main), 0, micros(period), i64::from(moves))
            }
            Control::Correspondence { days } => purse(i64::from(days) * 86_400_000_000, 0, 0, 0),
            Control::Unlimited => purse(0, 0, 0, 0),
        }
    }

    fn period(self) -> i64 {
        match control(self.kind) {
            Control::ByoYomi { period, .. } => micros(period),
            Control::Reserved { .. } => 60_000_000,
            _ => 0,
        }
    }

    /// What a turn may take; none without a limit.
    pub(crate) fn total(self) -> Option<i64> {
        match control(self.kind) {
            Control::Unlimited => None,
            Control::UsDelay { delay, .. } => Some(self.main + micros(delay)),
            _ => Some(self.main + self.of_period + self.periods * self.period()),
        }
    }

    /// Takes time away, main time first; a part of a period costs nothing.
    pub(crate) fn take(&mut self, mut span: i64) {
        if control(self.kind) == Control::Unlimited {
            return;
        }
        let main = span.min(self.main);
        self.main -= main;
        span -= main;
        while self.periods > 0 && span >= self.period() {
            self.periods -= 1;
            span -= self.period();
        }
        self.of_period -= span.min(self.of_period);
    }

    /// Charges a move that took so long and had this lag; what of it was spared.
    pub(crate) fn charge(&mut self, took: i64, lag: i64) -> i64 {
        let gain = CONTROLS[self.kind].1;
        let spared = lag.min(self.quota).min(took);
        self.quota = (self.quota - spared + gain.min(REFILL_MAX)).min(6 * gain);
        let took = took - spared;
        let in_period = took >= self.main;
        match control(self.kind) {
            Control::UsDelay { delay, .. } => self.take((took - micros(delay)).max(0)),
            Control::Bronstein { delay, .. } => {
                self.take(took);
                self.main += took.min(micros(delay));
            }
            Control::Fischer { increment, cap, .. } => {
                self.take(took);
                let room = cap.map_or(i64::MAX, |cap| (micros(cap) - self.main).max(0));
                self.main += micros(increment).min(room);
            }
            Control::PerMove { .. } | Control::Correspondence { .. } => {
                self.main = Purse::full(self.kind).main;
            }
            Control::Canadian { period, moves, .. } => {
                self.take(took);
                self.moves -= i64::from(in_period);
                if self.moves == 0 {
                    (self.of_period, self.moves) = (micros(period), i64::from(moves));
                }
            }
            _ => self.take(took),
        }
        spared
    }
}
