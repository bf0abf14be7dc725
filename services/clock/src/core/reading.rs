//! What both clocks of a game show.

use api::time_control::{Control, TimeControl};

use super::{Micros, Moment, Pauses, Side, SideTime, control_of, side_time::Remaining};

/// A turn whose time is charged, or will be when the last pause ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The side that is charged.
    pub side: Side,
    /// Since when its clock runs or is held. An outage that is given back moves it.
    pub since: Moment,
    /// What the turn had been charged before that.
    pub used: Micros,
}

/// A reading of both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Time of the first side.
    pub first: SideTime,
    /// Time of the second side.
    pub second: SideTime,
    /// Whose turn it is; none before the start and after a stop.
    pub turn: Option<Turn>,
    /// Why the clocks are paused. While a reason holds the turn is charged nothing.
    pub pauses: Pauses,
    /// Grows with every change.
    pub revision: u64,
}

/// What both sides have left at a moment, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RemainingTimes {
    /// What the first side has left; none without a limit.
    pub first: Option<Remaining>,
    /// What the second side has left; none without a limit.
    pub second: Option<Remaining>,
    /// Whose clock runs.
    pub running: Option<Side>,
    /// The moment.
    pub at: Moment,
    /// The revision of the reading that it follows from.
    pub revision: u64,
}

impl Turn {
    /// A turn that begins.
    pub const fn new(side: Side, since: Moment) -> Self {
        Turn { side, since, used: Micros::ZERO }
    }
}

impl Reading {
    /// Both clocks as they are set before the start.
    pub fn full(control: TimeControl) -> Self {
        Reading {
            first: SideTime::full(control.first),
            second: SideTime::full(control.second),
            turn: None,
            pauses: Pauses::NONE,
            revision: 0,
        }
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

    /// The turn, if its clock runs.
    pub fn running(&self) -> Option<Turn> {
        self.turn.filter(|_| self.pauses.is_empty())
    }

    /// The turn, if its clock is held by a pause.
    pub fn held(&self) -> Option<Turn> {
        self.turn.filter(|_| !self.pauses.is_empty())
    }

    /// What a turn of this reading has been charged by then.
    pub fn charged(&self, turn: Turn, now: Moment) -> Micros {
        if self.pauses.is_empty() { turn.used.plus(now.since(turn.since)) } else { turn.used }
    }

    /// When the flag of the running side falls if nothing happens before: at that very moment it has fallen.
    /// None when no clock runs, or there is no limit.
    pub fn flag_time(&self, control: TimeControl) -> Option<Moment> {
        let turn = self.running()?;
        let total = self.time(turn.side).total(control_of(control, turn.side))?;
        Some(turn.since.later(total.minus(turn.used)))
    }

    /// The side whose flag has fallen by now.
    pub fn fallen(&self, control: TimeControl, now: Moment) -> Option<Side> {
        let flag_time = self.flag_time(control)?;
        self.turn.map(|turn| turn.side).filter(|_| now >= flag_time)
    }

    /// The side whose turn has been charged all that it had, whether its clock runs or is held. With a clock
    /// that is held only a correction brings that about.
    pub(super) fn spent(&self, control: TimeControl, now: Moment) -> Option<Side> {
        let turn = self.turn?;
        let total = self.time(turn.side).total(control_of(control, turn.side))?;
        (self.charged(turn, now) >= total).then_some(turn.side)
    }

    /// What a side has left at a moment not before the reading.
    pub fn remaining(&self, control: TimeControl, side: Side, now: Moment) -> Remaining {
        let took = match self.turn {
            Some(turn) if turn.side == side => self.charged(turn, now),
            _ => Micros::ZERO,
        };
        self.time(side).remaining(control_of(control, side), took)
    }

    /// What both sides have left at a moment not before the reading.
    pub fn remaining_times(&self, control: TimeControl, at: Moment) -> RemainingTimes {
        let remaining = |side: Side| {
            (control_of(control, side) != Control::Unlimited).then(|| self.remaining(control, side, at))
        };
        RemainingTimes {
            first: remaining(Side::First),
            second: remaining(Side::Second),
            running: self.running().map(|turn| turn.side),
            at,
            revision: self.revision,
        }
    }
}
