//! How much time players have: a plain type, its text form, its limits and its speed class.

use std::{fmt, str::FromStr, time::Duration};

use crate::clock::v1 as pb;

/// The longest main time: a day. Longer games are correspondence.
pub const MAIN_MAX: Duration = Duration::from_hours(24);
/// The longest increment or period.
pub const STEP_MAX: Duration = Duration::from_hours(1);
/// The shortest main time of a control without anything else, and the shortest increment or period.
pub const STEP_MIN: Duration = Duration::from_secs(1);
/// The most byo-yomi periods.
pub const PERIODS_MAX: u32 = 100;
/// How many moves a side is expected to make, for speed classes.
const EXPECTED_MOVES: u32 = 60;

/// How much time each side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeControl {
    /// A fixed time for the whole game (包干).
    Absolute {
        /// Time for each side.
        main: Duration,
    },
    /// A main time to which every move adds.
    Fischer {
        /// Time for each side at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
        /// The most a side may have after an addition.
        cap: Option<Duration>,
    },
    /// A main time followed by periods that are given back whole unless used up.
    ByoYomi {
        /// Time for each side before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods.
        periods: u32,
    },
}

/// Why a time control cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct BadTimeControl {
    /// The field at fault.
    pub field: &'static str,
    /// One sentence for a person.
    pub detail: &'static str,
}

impl TimeControl {
    /// Checks the limits.
    ///
    /// # Errors
    /// Says which field is out of its limits.
    pub fn checked(self) -> Result<Self, BadTimeControl> {
        let fault = |field, detail| Err(BadTimeControl { field, detail });
        let step = |span: Duration| (STEP_MIN..=STEP_MAX).contains(&span);
        let main = self.main();
        if main > MAIN_MAX {
            return fault("main_duration", "at most 24 hours");
        }
        match self {
            TimeControl::Absolute { main } if main < STEP_MIN => fault("main_duration", "at least 1 second"),
            TimeControl::Fischer { increment, .. } if !step(increment) => {
                fault("increment_duration", "from 1 second to 1 hour")
            }
            TimeControl::Fischer { main, cap: Some(cap), .. } if cap < main || cap > MAIN_MAX => {
                fault("cap_duration", "from the main time to 24 hours")
            }
            TimeControl::ByoYomi { period, .. } if !step(period) => {
                fault("period_duration", "from 1 second to 1 hour")
            }
            TimeControl::ByoYomi { periods, .. } if !(1..=PERIODS_MAX).contains(&periods) => {
                fault("periods", "from 1 to 100")
            }
            _ => Ok(self),
        }
    }

    /// Time of each side at the start.
    pub const fn main(self) -> Duration {
        match self {
            TimeControl::Absolute { main }
            | TimeControl::Fischer { main, .. }
            | TimeControl::ByoYomi { main, .. } => main,
        }
    }

    /// How long one side's clock is expected to run in a whole game.
    pub fn expected(self) -> Duration {
        match self {
            TimeControl::Absolute { main } => main,
            TimeControl::Fischer { main, increment, .. } => main + increment * EXPECTED_MOVES,
            TimeControl::ByoYomi { main, period, .. } => main + period * EXPECTED_MOVES / 2,
        }
    }

    /// The speed class: blitz under ten minutes a side, classical from an hour on, rapid in between.
    pub fn speed_class(self) -> pb::SpeedClass {
        match self.expected().as_secs() {
            0..600 => pb::SpeedClass::Blitz,
            600..3600 => pb::SpeedClass::Rapid,
            _ => pb::SpeedClass::Classical,
        }
    }
}

/// `10m`, `5m+3s`, `5m+3s<20m` (capped), `20m+3x30s`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::Absolute { main } => write!(f, "{}", Span(main)),
            TimeControl::Fischer { main, increment, cap } => {
                write!(f, "{}+{}", Span(main), Span(increment))?;
                cap.map_or(Ok(()), |cap| write!(f, "<{}", Span(cap)))
            }
            TimeControl::ByoYomi { main, period, periods } => {
                write!(f, "{}+{periods}x{}", Span(main), Span(period))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        let bad = BadTimeControl { field: "text", detail: "write it as 10m, 5m+3s, 5m+3s<20m or 20m+3x30s" };
        let parse = || -> Option<TimeControl> {
            let Some((main, rest)) = text.split_once('+') else {
                return Some(TimeControl::Absolute { main: parse_span(text)? });
            };
            let main = parse_span(main)?;
            if let Some((periods, period)) = rest.split_once('x') {
                let periods = periods.parse().ok()?;
                return Some(TimeControl::ByoYomi { main, period: parse_span(period)?, periods });
            }
            let (increment, cap) = match rest.split_once('<') {
                Some((increment, cap)) => (increment, Some(parse_span(cap)?)),
                None => (rest, None),
            };
            Some(TimeControl::Fischer { main, increment: parse_span(increment)?, cap })
        };
        parse().ok_or(bad)?.checked()
    }
}

impl From<TimeControl> for pb::TimeControl {
    fn from(control: TimeControl) -> Self {
        use pb::time_control::{Absolute, ByoYomi, Control, Fischer};
        let duration = |span| Some(crate::time::duration(span));
        let control = match control {
            TimeControl::Absolute { main } => Control::Absolute(Absolute { main_duration: duration(main) }),
            TimeControl::Fischer { main, increment, cap } => Control::Fischer(Fischer {
                main_duration: duration(main),
                increment_duration: duration(increment),
                cap_duration: cap.and_then(duration),
            }),
            TimeControl::ByoYomi { main, period, periods } => Control::ByoYomi(ByoYomi {
                main_duration: duration(main),
                period_duration: duration(period),
                periods,
            }),
        };
        pb::TimeControl { control: Some(control) }
    }
}

impl TryFrom<&pb::TimeControl> for TimeControl {
    type Error = BadTimeControl;

    fn try_from(control: &pb::TimeControl) -> Result<Self, BadTimeControl> {
        use pb::time_control::Control;
        let span = |duration: &Option<prost_types::Duration>, field| match duration {
            None => Ok(Duration::ZERO),
            Some(duration) => crate::time::span(duration)
                .ok_or(BadTimeControl { field, detail: "a duration that is not negative" }),
        };
        match &control.control {
            None => Err(BadTimeControl { field: "time_control", detail: "required" }),
            Some(Control::Absolute(absolute)) => {
                Ok(TimeControl::Absolute { main: span(&absolute.main_duration, "main_duration")? })
            }
            Some(Control::Fischer(fischer)) => Ok(TimeControl::Fischer {
                main: span(&fischer.main_duration, "main_duration")?,
                increment: span(&fischer.increment_duration, "increment_duration")?,
                cap: match &fischer.cap_duration {
                    None => None,
                    cap => Some(span(cap, "cap_duration")?),
                },
            }),
            Some(Control::ByoYomi(byo_yomi)) => Ok(TimeControl::ByoYomi {
                main: span(&byo_yomi.main_duration, "main_duration")?,
                period: span(&byo_yomi.period_duration, "period_duration")?,
                periods: byo_yomi.periods,
            }),
        }?
        .checked()
    }
}

/// A span in the largest unit that divides it.
struct Span(Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        match millis {
            0 => f.write_str("0s"),
            _ if millis.is_multiple_of(3_600_000) => write!(f, "{}h", millis / 3_600_000),
            _ if millis.is_multiple_of(60_000) => write!(f, "{}m", millis / 60_000),
            _ if millis.is_multiple_of(1000) => write!(f, "{}s", millis / 1000),
            _ => write!(f, "{millis}ms"),
        }
    }
}

fn parse_span(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok().filter(|number| *number <= 1_000_000_000)?;
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_mins(number)),
        "h" => Some(Duration::from_hours(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_control() -> impl Strategy<Value = TimeControl> {
        let span = |range: std::ops::RangeInclusive<u64>| range.prop_map(Duration::from_millis);
        prop_oneof![
            span(1000..=86_400_000).prop_map(|main| TimeControl::Absolute { main }),
            (
                span(0..=40_000_000),
                span(1000..=3_600_000),
                proptest::option::of(span(40_000_000..=86_400_000))
            )
                .prop_map(|(main, increment, cap)| TimeControl::Fischer { main, increment, cap }),
            (span(0..=86_400_000), span(1000..=3_600_000), 1..=100_u32)
                .prop_map(|(main, period, periods)| TimeControl::ByoYomi { main, period, periods }),
        ]
    }

    proptest! {
        #[test]
        fn text_and_proto_round_trip(control in any_control()) {
            prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
            prop_assert_eq!(TimeControl::try_from(&pb::TimeControl::from(control)), Ok(control));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.checked(), Ok(control));
            }
        }
    }

    #[test]
    fn speed_classes_follow_the_expected_time() {
        let class = |text: &str| text.parse::<TimeControl>().map(TimeControl::speed_class);
        assert_eq!(class("5m+3s"), Ok(pb::SpeedClass::Blitz));
        assert_eq!(class("10m"), Ok(pb::SpeedClass::Rapid));
        assert_eq!(class("1h"), Ok(pb::SpeedClass::Classical));
        assert_eq!(class("50m+5x60s"), Ok(pb::SpeedClass::Classical));
    }

    #[test]
    fn limits_hold() {
        for text in ["0s", "25h", "5m+0s", "5m+2h", "5m+0x30s", "5m+101x30s", "10m+5s<5m", "", "5", "+", "x"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
