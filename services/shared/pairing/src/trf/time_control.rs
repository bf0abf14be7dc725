//! The encoded time control of record 222.

use core::fmt;

/// A part of the time that a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many moves are to be made in it; none for all that are left.
    pub moves: Option<u32>,
    /// Seconds for all of it.
    pub seconds: u32,
    /// Seconds more for every move.
    pub increment: Option<u32>,
}

/// How much time players have: periods one after the other, `M/S+I` each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Of both players, or of white alone where black has others.
    pub periods: Vec<Period>,
    /// Of black, where they differ.
    pub black: Option<Vec<Period>>,
}

/// The longest number in a time control, in digits.
const DIGITS_MAX: usize = 8;

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.seconds)?;
        self.increment.map_or(Ok(()), |it| write!(f, "+{it}"))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |periods: &[Period]| periods.iter().map(Period::to_string).collect::<Vec<_>>().join(":");
        match &self.black {
            None => f.write_str(&list(&self.periods)),
            Some(black) => write!(f, "W{}-B{}", list(&self.periods), list(black)),
        }
    }
}

impl TimeControl {
    /// From its code.
    ///
    /// ```
    /// use pairing::trf::TimeControl;
    /// for code in ["5400+30", "40/6000+30:900+30", "W300-B240"] {
    ///     assert_eq!(TimeControl::parse(code).map(|it| it.to_string()).as_deref(), Some(code));
    /// }
    /// assert_eq!(["", "90 min", "40/", "W300"].map(TimeControl::parse), [None, None, None, None]);
    /// ```
    pub fn parse(code: &str) -> Option<TimeControl> {
        let Some(of_white) = code.strip_prefix('W') else {
            return Some(TimeControl { periods: periods(code)?, black: None });
        };
        let (white, black) = of_white.split_once("-B")?;
        Some(TimeControl { periods: periods(white)?, black: Some(periods(black)?) })
    }
}

fn periods(text: &str) -> Option<Vec<Period>> {
    text.split(':').map(period).collect()
}

fn period(text: &str) -> Option<Period> {
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let (seconds, increment) = rest.split_once('+').map_or((rest, None), |(it, more)| (it, Some(more)));
    let optional = |it: Option<&str>| it.map_or(Some(None), |it| number(it).map(Some));
    Some(Period { moves: optional(moves)?, seconds: number(seconds)?, increment: optional(increment)? })
}

fn number(text: &str) -> Option<u32> {
    let is_number =
        !text.is_empty() && text.len() <= DIGITS_MAX && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}
