//! What is left on a clock.

use std::{fmt, time::Duration};

use api::{
    board::v1::Side,
    clock::v1::{ClockReading, SideTime},
    time_control::{Control, RESERVED_PERIOD, TimeControl},
};
use time::OffsetDateTime;

/// What a side has left at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remaining {
    /// Main time left.
    pub main: Duration,
    /// Periods left, the one in use included.
    pub periods: u32,
    /// What is left of the period in use, or the length of a whole one before it is begun; nothing without
    /// periods.
    pub period: Duration,
    /// Whether there is no limit.
    pub unlimited: bool,
}

/// What `side` has left at `now`, which is the platform's time.
///
/// Main time runs first, then period after period; a reading holds until the next one, so a client needs no
/// other to count down.
pub(crate) fn remaining(
    reading: &ClockReading,
    control: TimeControl,
    side: Side,
    now: OffsetDateTime,
) -> Remaining {
    let (time, control) = match side {
        Side::Second => (reading.second.as_ref(), control.second),
        Side::First => (reading.first.as_ref(), control.first),
        Side::Unspecified => (None, control.first),
    };
    let at_start = at_start(time, control);
    let used = reading.used_duration.as_ref().and_then(api::time::span).unwrap_or_default();
    let charged = if reading.running == side as i32 {
        let since = reading.running_since_time.as_ref().and_then(api::time::moment);
        used + since.and_then(|since| Duration::try_from(now - since).ok()).unwrap_or_default()
    } else if reading.held == side as i32 {
        used
    } else {
        Duration::ZERO
    };
    match control {
        Control::Unlimited => at_start,
        Control::UsDelay { delay, .. } => at_start.after(charged.saturating_sub(delay)),
        _ => at_start.after(charged),
    }
}

impl Remaining {
    /// Whether the flag has fallen.
    pub(crate) const fn is_over(self) -> bool {
        !self.unlimited && self.main.is_zero() && (self.periods == 0 || self.period.is_zero())
    }

    /// The same so much later.
    fn after(self, elapsed: Duration) -> Remaining {
        if elapsed < self.main {
            return Remaining { main: self.main.saturating_sub(elapsed), ..self };
        }
        let over = elapsed.saturating_sub(self.main);
        let used = match self.period.as_nanos() {
            0 => u128::MAX,
            period => over.as_nanos() / period,
        };
        match u32::try_from(used) {
            Ok(used) if used < self.periods => {
                let begun = over.saturating_sub(self.period * used);
                let period = self.period.saturating_sub(begun);
                Remaining { main: Duration::ZERO, periods: self.periods - used, period, ..self }
            }
            _ => Remaining { main: Duration::ZERO, periods: 0, period: Duration::ZERO, ..self },
        }
    }
}

/// `4:58`, `4:58 + 3×0:30`, and in a period `0:25 ×3`; seconds begun count whole.
impl fmt::Display for Remaining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.main.is_zero(), self.periods) {
            _ if self.unlimited => f.write_str("∞"),
            (_, 0) => f.write_str(&written(self.main)),
            (true, periods) => write!(f, "{} ×{periods}", written(self.period)),
            (false, periods) => write!(f, "{} + {periods}×{}", written(self.main), written(self.period)),
        }
    }
}

fn at_start(time: Option<&SideTime>, control: Control) -> Remaining {
    let time = time.copied().unwrap_or_default();
    let main = time.main_duration.as_ref().and_then(api::time::span).unwrap_or_default();
    let (periods, period) = match control {
        Control::ByoYomi { period, .. } => (time.periods, period),
        Control::Reserved { .. } => (time.periods, RESERVED_PERIOD),
        // The period may have been begun in an earlier turn.
        Control::Canadian { .. } => {
            (1, time.period_duration.as_ref().and_then(api::time::span).unwrap_or_default())
        }
        _ => (0, Duration::ZERO),
    };
    Remaining { main, periods, period, unlimited: control == Control::Unlimited }
}

fn written(span: Duration) -> String {
    let seconds = span.as_secs() + u64::from(span.subsec_nanos() > 0);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::from_hours(1)
    }

    /// A reading in which the first side's clock has run for some milliseconds.
    fn reading(main_s: u64, periods: u32, running_ms: u64) -> ClockReading {
        let main_duration = Some(api::time::duration(Duration::from_secs(main_s)));
        let time = SideTime { main_duration, periods, ..SideTime::default() };
        ClockReading {
            first: Some(time),
            second: Some(time),
            running: Side::First as i32,
            running_since_time: Some(api::time::timestamp(now() - Duration::from_millis(running_ms))),
            revision: 1,
            ..ClockReading::default()
        }
    }

    fn shown(control: &str, reading: &ClockReading, side: Side) -> String {
        remaining(reading, control.parse().expect("a time control"), side, now()).to_string()
    }

    #[test]
    fn clocks_count_down_main_time_then_periods() {
        let check = |running_ms, expected: &str| {
            assert_eq!(
                shown("5m+3x30s", &reading(300, 3, running_ms), Side::First),
                expected,
                "{running_ms}"
            );
        };
        check(0, "5:00 + 3×0:30");
        check(1_500, "4:59 + 3×0:30");
        check(299_999, "0:01 + 3×0:30");
        check(300_000, "0:30 ×3");
        check(305_000, "0:25 ×3");
        check(330_000, "0:30 ×2");
        check(389_500, "0:01 ×1");
        check(390_000, "0:00");
        check(u64::from(u32::MAX), "0:00");
    }

    #[test]
    fn only_the_running_clock_counts_down() {
        assert_eq!(shown("10m", &reading(600, 0, 61_000), Side::First), "8:59");
        assert_eq!(shown("10m", &reading(600, 0, 61_000), Side::Second), "10:00");
        let mut stopped = reading(600, 0, 61_000);
        stopped.running = Side::Unspecified as i32;
        assert_eq!(shown("10m", &stopped, Side::First), "10:00");
    }

    #[test]
    fn fischer_has_no_periods_and_hours_are_written() {
        assert_eq!(shown("2h+5s", &reading(7200, 0, 1000), Side::First), "1:59:59");
        assert_eq!(shown("1m+5s", &reading(60, 0, 61_000), Side::First), "0:00");
    }

    #[test]
    fn every_control_counts_down_in_its_own_way() {
        assert_eq!(shown("10m-keep5m", &reading(300, 5, 301_000), Side::First), "0:59 ×5");
        assert_eq!(shown("1m+d5s", &reading(60, 0, 4_000), Side::First), "1:00");
        assert_eq!(shown("1m+d5s", &reading(60, 0, 6_000), Side::First), "0:59");
        assert_eq!(shown("none", &reading(0, 0, 6_000), Side::First), "∞");
        assert_eq!(shown("1m:none", &reading(60, 0, 6_000), Side::First), "0:54");
        let mut canadian = reading(0, 0, 6_000);
        let period = Some(api::time::duration(Duration::from_secs(40)));
        canadian.first = canadian.first.map(|time| SideTime { period_duration: period, moves: 3, ..time });
        assert_eq!(shown("1m+5in1m", &canadian, Side::First), "0:34 ×1");
    }

    #[test]
    fn a_pause_holds_what_was_used() {
        let mut paused = reading(60, 0, 0);
        paused.used_duration = Some(api::time::duration(Duration::from_secs(10)));
        assert_eq!(shown("1m", &paused, Side::First), "0:50");
        paused.running = Side::Unspecified as i32;
        paused.held = Side::First as i32;
        assert_eq!(shown("1m", &paused, Side::First), "0:50");
        assert_eq!(shown("1m", &paused, Side::Second), "1:00");
    }

    #[test]
    fn a_clock_that_is_ahead_of_ours_has_not_begun() {
        let mut early = reading(60, 0, 0);
        early.running_since_time = Some(api::time::timestamp(now() + Duration::from_secs(5)));
        assert_eq!(shown("1m", &early, Side::First), "1:00");
    }

    #[test]
    fn a_flag_falls_with_the_last_moment() {
        let control = "5m+3x30s".parse().expect("a time control");
        let over =
            |running_ms| remaining(&reading(300, 3, running_ms), control, Side::First, now()).is_over();
        assert!(!over(389_999));
        assert!(over(390_000));
        let control = "5m".parse().expect("a time control");
        let over =
            |running_ms| remaining(&reading(300, 0, running_ms), control, Side::First, now()).is_over();
        assert!(!over(299_999));
        assert!(over(300_000));
    }
}
