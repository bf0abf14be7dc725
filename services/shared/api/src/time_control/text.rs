//! The text form of time controls.
//!
//! `10m`, `5m+3s`, `5m+3s<20m` (capped), `5m+d3s` (US delay), `5m+b3s` (Bronstein), `20m+3x30s` (byo-yomi),
//! `1h-keep5m` (reserved minutes), `10m+25in5m` (Canadian), `30s/move`, `3d/move`, `none`; and two of them with
//! a colon between when the sides have different ones.

use std::{fmt, str::FromStr, time::Duration};

use super::{BadTimeControl, Control, TimeControl, of_second};

/// The longest text that is read. The longest that is written has under a hundred bytes.
const TEXT_MAX: usize = 200;
/// The greatest number of a span: far beyond every limit, and far from any overflow.
const NUMBER_MAX: u64 = 1_000_000_000;

const MALFORMED: BadTimeControl = BadTimeControl {
    field: "text",
    detail: "write it as 10m, 5m+3s, 5m+3s<20m, 5m+d3s, 5m+b3s, 20m+3x30s, 1h-keep5m, 10m+25in5m, 30s/move, \
             3d/move or none, or two of them as 10m:5m",
};

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.second {
            return self.first.fmt(f);
        }
        write!(f, "{}:{}", self.first, self.second)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Control::Absolute { main } => Span(main).fmt(f),
            Control::Fischer { main, increment, cap } => {
                write!(f, "{}+{}", Span(main), Span(increment))?;
                cap.map_or(Ok(()), |cap| write!(f, "<{}", Span(cap)))
            }
            Control::UsDelay { main, delay } => write!(f, "{}+d{}", Span(main), Span(delay)),
            Control::Bronstein { main, delay } => write!(f, "{}+b{}", Span(main), Span(delay)),
            Control::ByoYomi { main, period, periods } => {
                write!(f, "{}+{periods}x{}", Span(main), Span(period))
            }
            Control::Reserved { main, minutes } => write!(f, "{}-keep{minutes}m", Span(main)),
            Control::Canadian { main, period, moves } => {
                write!(f, "{}+{moves}in{}", Span(main), Span(period))
            }
            Control::PerMove { time } => write!(f, "{}/move", Span(time)),
            Control::Correspondence { days } => write!(f, "{days}d/move"),
            Control::Unlimited => f.write_str("none"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        if text.len() > TEXT_MAX {
            return Err(MALFORMED);
        }
        match text.split_once(':') {
            None => Ok(TimeControl::same(text.parse()?)),
            Some((first, second)) => {
                Ok(TimeControl { first: first.parse()?, second: second.parse().map_err(of_second)? })
            }
        }
    }
}

impl FromStr for Control {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        parse(text).ok_or(MALFORMED)?.checked()
    }
}

fn parse(text: &str) -> Option<Control> {
    if text == "none" {
        return Some(Control::Unlimited);
    }
    if let Some(each) = text.strip_suffix("/move") {
        return match each.strip_suffix('d') {
            Some(days) => Some(Control::Correspondence { days: number(days)? }),
            None => Some(Control::PerMove { time: span(each)? }),
        };
    }
    if let Some((main, minutes)) = text.split_once("-keep") {
        return Some(Control::Reserved { main: span(main)?, minutes: number(minutes.strip_suffix('m')?)? });
    }
    let Some((main, rest)) = text.split_once('+') else {
        return Some(Control::Absolute { main: span(text)? });
    };
    let main = span(main)?;
    if let Some(delay) = rest.strip_prefix('d') {
        return Some(Control::UsDelay { main, delay: span(delay)? });
    }
    if let Some(delay) = rest.strip_prefix('b') {
        return Some(Control::Bronstein { main, delay: span(delay)? });
    }
    if let Some((moves, period)) = rest.split_once("in") {
        return Some(Control::Canadian { main, period: span(period)?, moves: number(moves)? });
    }
    if let Some((periods, period)) = rest.split_once('x') {
        return Some(Control::ByoYomi { main, period: span(period)?, periods: number(periods)? });
    }
    let (increment, cap) = match rest.split_once('<') {
        Some((increment, cap)) => (increment, Some(span(cap)?)),
        None => (rest, None),
    };
    Some(Control::Fischer { main, increment: span(increment)?, cap })
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

fn span(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok().filter(|number| *number <= NUMBER_MAX)?;
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_mins(number)),
        "h" => Some(Duration::from_hours(number)),
        _ => None,
    }
}

/// Digits only: a sign is no part of a number here.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
