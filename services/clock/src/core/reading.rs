//! What both clocks of a game show.

use api::time_control::TimeControl;

use super::{Micros, Moment, Side};

/// The time of one side when its turn began, or now if it is not its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideTime {
    /// Main time left.
    pub main: Micros,
    /// Byo-yomi periods left, the one in use included.
    pub periods: u32,
}

/// Whose clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Running {
    /// The side that is being charged.
    pub side: Side,
    /// Since when.
    pub since: Moment,
}

/// A reading of both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Time of the first side.
    pub first: SideTime,
    /// Time of the second side.
    pub second: SideTime,
    /// Whose clock runs, if one does.
    pub running: Option<Running>,
    /// Grows with every change.
    pub revision: u64,
}

impl Reading {
    /// Both clocks as they are set before the start, none running.
    ///
    /// A Fischer control without main time gives its first increment at once: else the side that begins
    /// would have lost before it could act.
    pub fn full(control: TimeControl) -> Self {
        let time = match control {
            TimeControl::Absolute { main } => SideTime { main: main.into(), periods: 0 },
            TimeControl::Fischer { main, increment, .. } => {
                let main = Micros::from(main);
                SideTime { main: if main == Micros::ZERO { increment.into() } else { main }, periods: 0 }
            }
            TimeControl::ByoYomi { main, periods, .. } => SideTime { main: main.into(), periods },
        };
        Reading { first: time, second: time, running: None, revision: 0 }
    }

    /// The time of a side.
    pub const fn time(&self, side: Side) -> SideTime {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }

    /// The same reading with another time of a side.
    #[must_use]
    pub const fn with_time(mut self, side: Side, time: SideTime) -> Self {
        match side {
            Side::First => self.first = time,
            Side::Second => self.second = time,
        }
        self
    }

    /// When the flag of the running side falls if nothing happens before: at that very moment it has
    /// fallen. None when no clock runs.
    pub fn flag_time(&self, control: TimeControl) -> Option<Moment> {
        let running = self.running?;
        Some(running.since.later(self.time(running.side).total(control)))
    }
}

impl SideTime {
    /// All the time that is left: the main time and every period.
    pub fn total(self, control: TimeControl) -> Micros {
        self.main.plus(period(control).times(self.periods))
    }

    /// What is left after a turn that took less than [`SideTime::total`].
    ///
    /// Main time goes first, then period after period. A period that was not used up is given back whole;
    /// every full one costs one (competition.md 1.8, go.md 1.5: a full minute costs a minute).
    #[must_use]
    pub fn after_turn(self, control: TimeControl, took: Micros) -> Self {
        let over = took.minus(self.main).0;
        let used = over.checked_div(period(control).0).unwrap_or(0);
        let used = u32::try_from(used).unwrap_or(u32::MAX);
        SideTime { main: self.main.minus(took), periods: self.periods.saturating_sub(used) }
    }

    /// The time with what a move earns: the increment of a Fischer control, up to its cap. The cap limits
    /// what is added; it never takes away what a side already has.
    #[must_use]
    pub fn with_increment(self, control: TimeControl) -> Self {
        let TimeControl::Fischer { increment, cap, .. } = control else {
            return self;
        };
        let grown = self.main.plus(increment.into());
        let main = cap.map_or(grown, |cap| grown.min(self.main.max(cap.into())));
        SideTime { main, ..self }
    }
}

fn period(control: TimeControl) -> Micros {
    match control {
        TimeControl::ByoYomi { period, .. } => period.into(),
        TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => Micros::ZERO,
    }
}
