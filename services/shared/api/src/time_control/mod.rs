//! How much time players have: a plain type, its limits and its speed class.
//!
//! The text form is in `text`, the conversion from and to protos in `proto`. What an event does to a clock
//! is decided by the clock service, not here.

mod proto;
mod text;

use std::time::Duration;

pub use crate::clock::v1::SpeedClass;

use crate::clock::v1 as pb;

/// The longest main time: a day. Longer games are correspondence.
pub const MAIN_MAX: Duration = Duration::from_hours(24);
/// The longest increment, delay, period or time for a move.
pub const STEP_MAX: Duration = Duration::from_hours(1);
/// The shortest main time of a control without anything else, and the shortest of the others.
pub const STEP_MIN: Duration = Duration::from_secs(1);
/// The most byo-yomi periods, reserved minutes, and moves in a Canadian period.
pub const PERIODS_MAX: u32 = 100;
/// The most days for a move.
pub const DAYS_MAX: u32 = 30;
/// The length of a reserved minute.
pub const RESERVED_PERIOD: Duration = Duration::from_mins(1);
/// How many moves a side is expected to make in a game.
pub const EXPECTED_MOVES: u32 = 60;

/// How much time both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeControl {
    /// The control of the first side.
    pub first: Control,
    /// The control of the second side, in most games the same.
    pub second: Control,
}

/// How much time one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Control {
    /// A fixed time for the whole game (包干).
    Absolute {
        /// The time.
        main: Duration,
    },
    /// A main time to which every move adds.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
        /// The most the side may have after an addition.
        cap: Option<Duration>,
    },
    /// A main time and a delay: in every turn the clock waits that long before it runs.
    UsDelay {
        /// Time at the start.
        main: Duration,
        /// What of every turn is free.
        delay: Duration,
    },
    /// A main time and a delay: after every move the clock gets back what was used, up to the delay. It is
    /// set with the first delay added, and so loses at the same moment as a US delay does.
    Bronstein {
        /// Time at the start, without the delay.
        main: Duration,
        /// What of every turn is given back at most.
        delay: Duration,
    },
    /// A main time followed by periods that are given back whole unless used up.
    ByoYomi {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods.
        periods: u32,
    },
    /// A main time whose last minutes are kept: a move in under a minute is free, each full minute costs
    /// one, and the last may not be used up (competition.md 1.8, go.md 1.5).
    Reserved {
        /// The time, the kept minutes included.
        main: Duration,
        /// How many minutes are kept.
        minutes: u32,
    },
    /// A main time followed by periods in which a number of moves must be made.
    Canadian {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves to be made in a period.
        moves: u32,
    },
    /// A time for every move, of which nothing is kept.
    PerMove {
        /// The time.
        time: Duration,
    },
    /// Days for every move.
    Correspondence {
        /// How many.
        days: u32,
    },
    /// No limit.
    Unlimited,
}

/// Why a time control cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct BadTimeControl {
    /// The field at fault.
    pub field: &'static str,
    /// One sentence for a person.
    pub detail: &'static str,
}

impl TimeControl {
    /// The same control for both sides.
    pub const fn same(control: Control) -> Self {
        TimeControl { first: control, second: control }
    }

    /// Checks the limits.
    ///
    /// # Errors
    /// Says which field is out of its limits.
    pub fn checked(self) -> Result<Self, BadTimeControl> {
        Ok(TimeControl { first: self.first.checked()?, second: self.second.checked().map_err(of_second)? })
    }

    /// How long one side's clock is expected to run in a whole game, the mean of both; none without a limit.
    pub fn expected(self) -> Option<Duration> {
        Some(self.first.expected()?.saturating_add(self.second.expected()?) / 2)
    }

    /// The speed class: correspondence when a side has days or no limit; else blitz when under ten minutes a
    /// side are expected, classical from an hour on, rapid in between. Every control has one.
    pub fn speed_class(self) -> pb::SpeedClass {
        let days = |control| matches!(control, Control::Correspondence { .. } | Control::Unlimited);
        if days(self.first) || days(self.second) {
            return pb::SpeedClass::Correspondence;
        }
        match self.expected().map(|expected| expected.as_secs()) {
            Some(0..600) => pb::SpeedClass::Blitz,
            Some(600..3600) => pb::SpeedClass::Rapid,
            _ => pb::SpeedClass::Classical,
        }
    }

    /// Makes sure that each side has at least this main time: what the rules of a variant ask for.
    ///
    /// Whoever opens a game asks this beside [`TimeControl::checked`].
    ///
    /// # Errors
    /// When a side has less.
    pub fn at_least(self, main_min: Option<Duration>) -> Result<(), BadTimeControl> {
        let Some(least) = main_min else { return Ok(()) };
        let enough = |control: Control| control.main().is_none_or(|main| main >= least);
        let bad =
            BadTimeControl { field: "main_duration", detail: "less than the rules of the variant ask for" };
        match (enough(self.first), enough(self.second)) {
            (true, true) => Ok(()),
            (false, _) => Err(bad),
            (true, false) => Err(of_second(bad)),
        }
    }
}

impl From<Control> for TimeControl {
    fn from(control: Control) -> Self {
        TimeControl::same(control)
    }
}

impl Control {
    /// The main time at the start, or the time for a move; none without a limit.
    pub const fn main(self) -> Option<Duration> {
        match self {
            Control::Absolute { main }
            | Control::Fischer { main, .. }
            | Control::UsDelay { main, .. }
            | Control::Bronstein { main, .. }
            | Control::ByoYomi { main, .. }
            | Control::Reserved { main, .. }
            | Control::Canadian { main, .. }
            | Control::PerMove { time: main } => Some(main),
            Control::Correspondence { days } => Some(days_long(days)),
            Control::Unlimited => None,
        }
    }

    /// How long the side's clock is expected to run in a whole game; none without a limit.
    ///
    /// A side is expected to make 60 moves, to use up increments and delays, and half of what it could use of
    /// periods and of times for a move.
    pub fn expected(self) -> Option<Duration> {
        let moves = |step: Duration| step.saturating_mul(EXPECTED_MOVES);
        Some(match self {
            Control::Absolute { main } => main,
            Control::Fischer { main, increment: step, .. }
            | Control::UsDelay { main, delay: step }
            | Control::Bronstein { main, delay: step } => main.saturating_add(moves(step)),
            Control::ByoYomi { main, period, .. } => main.saturating_add(moves(period) / 2),
            Control::Reserved { main, minutes } => {
                let free = main.saturating_sub(RESERVED_PERIOD.saturating_mul(minutes));
                free.saturating_add(moves(RESERVED_PERIOD) / 2)
            }
            Control::Canadian { main, period, moves: due } => main.saturating_add(moves(period) / due.max(1)),
            Control::PerMove { time } => moves(time) / 2,
            Control::Correspondence { days } => moves(days_long(days)) / 2,
            Control::Unlimited => return None,
        })
    }

    /// Checks the limits of one side's control.
    ///
    /// # Errors
    /// Says which field is out of its limits.
    pub fn checked(self) -> Result<Self, BadTimeControl> {
        let fault = |field, detail| Err(BadTimeControl { field, detail });
        let step = |span: Duration| (STEP_MIN..=STEP_MAX).contains(&span);
        let number = |number: u32| (1..=PERIODS_MAX).contains(&number);
        match self {
            Control::Correspondence { days } if !(1..=DAYS_MAX).contains(&days) => {
                fault("days", "from 1 to 30")
            }
            Control::Correspondence { .. } => Ok(self),
            Control::PerMove { time } if !step(time) => fault("move_duration", "from 1 second to 1 hour"),
            _ if self.main().is_some_and(|main| main > MAIN_MAX) => {
                fault("main_duration", "at most 24 hours")
            }
            Control::Absolute { main } if main < STEP_MIN => fault("main_duration", "at least 1 second"),
            Control::Fischer { increment, .. } if !step(increment) => {
                fault("increment_duration", "from 1 second to 1 hour")
            }
            Control::Fischer { main, cap: Some(cap), .. } if cap < main || cap > MAIN_MAX => {
                fault("cap_duration", "from the main time to 24 hours")
            }
            Control::UsDelay { delay, .. } | Control::Bronstein { delay, .. } if !step(delay) => {
                fault("delay_duration", "from 1 second to 1 hour")
            }
            Control::ByoYomi { period, .. } | Control::Canadian { period, .. } if !step(period) => {
                fault("period_duration", "from 1 second to 1 hour")
            }
            Control::ByoYomi { periods, .. } if !number(periods) => fault("periods", "from 1 to 100"),
            Control::Canadian { moves, .. } if !number(moves) => fault("moves", "from 1 to 100"),
            Control::Reserved { minutes, .. } if !number(minutes) => fault("minutes", "from 1 to 100"),
            Control::Reserved { main, minutes } if main < RESERVED_PERIOD * minutes => {
                fault("minutes", "no more than the main time has")
            }
            _ => Ok(self),
        }
    }
}

/// So many days.
const fn days_long(days: u32) -> Duration {
    // Widening: `u64::from` is not const.
    Duration::from_hours(24 * days as u64)
}

/// The same fault, said of the second side's control.
fn of_second(bad: BadTimeControl) -> BadTimeControl {
    let field = match bad.field {
        "main_duration" => "second.main_duration",
        "increment_duration" => "second.increment_duration",
        "cap_duration" => "second.cap_duration",
        "delay_duration" => "second.delay_duration",
        "period_duration" => "second.period_duration",
        "move_duration" => "second.move_duration",
        "periods" => "second.periods",
        "minutes" => "second.minutes",
        "moves" => "second.moves",
        "days" => "second.days",
        "time_control" => "second",
        field => field,
    };
    BadTimeControl { field, ..bad }
}
