//! What one side has, and what a turn takes of it, for every control.

use api::time_control::{Control, RESERVED_PERIOD};

use super::{Micros, lag};

/// No side has more main time than 416 days, which a Fischer control with an increment of an hour gives in ten
/// thousand moves. Additions stop there, so that every reading can be read again.
pub const MAIN_REMAINING_MAX: Micros = Micros(416 * 24 * 3600 * 1_000_000);

/// The time of one side when its turn began, or now if it is not its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideTime {
    /// Main time left; with a time for every move what this or the next may take.
    pub main: Micros,
    /// Byo-yomi periods or reserved minutes left, the one in use included.
    pub periods: u32,
    /// With Canadian periods, what is left of the period; a whole one before the first is begun.
    pub of_period: Micros,
    /// With Canadian periods, how many moves are to be made in what is left of the period.
    pub moves: u32,
    /// How much network lag may still be compensated.
    pub lag_quota: Micros,
}

/// What a side has left at a moment, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Remaining {
    /// Main time.
    pub main: Micros,
    /// Byo-yomi periods or reserved minutes, the one in use included.
    pub periods: u32,
    /// What is left of the period in use or of the turn's delay; a whole one before it is begun.
    pub of_period: Micros,
    /// With Canadian periods, how many moves are to be made in what is left of the period.
    pub moves: u32,
}

impl SideTime {
    /// The time of a side as it is set before the start.
    ///
    /// A Fischer control without main time gives its first increment at once: else the side that begins would
    /// have lost before it could act. A Bronstein clock gives its first delay at once.
    pub fn full(control: Control) -> Self {
        let time = match control {
            Control::Absolute { main } | Control::UsDelay { main, .. } | Control::PerMove { time: main } => {
                SideTime { main: main.into(), ..SideTime::default() }
            }
            Control::Fischer { main, increment, .. } => {
                let main = if main.is_zero() { increment } else { main };
                SideTime { main: main.into(), ..SideTime::default() }
            }
            Control::Bronstein { main, delay } => {
                SideTime { main: Micros::from(main).plus(delay.into()), ..SideTime::default() }
            }
            Control::ByoYomi { main, periods, .. } => {
                SideTime { main: main.into(), periods, ..SideTime::default() }
            }
            Control::Reserved { main, minutes } => {
                let main = main.saturating_sub(RESERVED_PERIOD.saturating_mul(minutes));
                SideTime { main: main.into(), periods: minutes, ..SideTime::default() }
            }
            Control::Canadian { main, period, moves } => {
                SideTime { main: main.into(), of_period: period.into(), moves, ..SideTime::default() }
            }
            Control::Correspondence { .. } => {
                let days = control.main().unwrap_or_default();
                SideTime { main: days.into(), ..SideTime::default() }
            }
            Control::Unlimited => SideTime::default(),
        };
        SideTime { lag_quota: lag::at_start(control), ..time }
    }

    /// All that a turn may take: at that very moment the flag has fallen. None without a limit.
    pub fn total(self, control: Control) -> Option<Micros> {
        match control {
            Control::Unlimited => None,
            Control::UsDelay { delay, .. } => Some(self.main.plus(delay.into())),
            Control::Canadian { .. } => Some(self.main.plus(self.of_period)),
            _ => Some(self.main.plus(period(control).times(self.periods))),
        }
    }

    /// What is left when the turn has taken so long and is not ended by an act, as when clocks are stopped.
    /// `took` is less than [`SideTime::total`].
    ///
    /// Main time goes first, then period after period. A period that was not used up is given back whole;
    /// every full one costs one (competition.md 1.8, go.md 1.5: a full minute costs a minute).
    #[must_use]
    pub fn after(self, control: Control, took: Micros) -> Self {
        let over = took.minus(self.main);
        match control {
            Control::Unlimited => self,
            Control::UsDelay { delay, .. } => {
                SideTime { main: self.main.minus(took.minus(delay.into())), ..self }
            }
            Control::Canadian { .. } => {
                SideTime { main: self.main.minus(took), of_period: self.of_period.minus(over), ..self }
            }
            _ => {
                let periods = self.periods.saturating_sub(full_periods(control, over));
                SideTime { main: self.main.minus(took), periods, ..self }
            }
        }
    }

    /// What is left after a move that took so long, less than [`SideTime::total`]: what [`SideTime::after`]
    /// leaves, and what the move earns.
    ///
    /// A Fischer increment is added up to the cap, which never takes away what a side already has. A Bronstein
    /// clock gets back what was used, up to the delay. A move counts in a Canadian period once the main time
    /// is used up; the last one that is due begins the next period. A time for every move is whole again.
    #[must_use]
    pub fn after_move(self, control: Control, took: Micros) -> Self {
        let left = self.after(control, took);
        let main = match control {
            Control::Fischer { increment, cap, .. } => {
                let grown = left.main.plus(increment.into());
                cap.map_or(grown, |cap| grown.min(left.main.max(cap.into())))
            }
            Control::Bronstein { delay, .. } => left.main.plus(took.min(delay.into())),
            Control::PerMove { .. } | Control::Correspondence { .. } => SideTime::full(control).main,
            Control::Canadian { period, moves, .. } if took >= self.main => {
                return match left.moves.saturating_sub(1) {
                    0 => SideTime { of_period: period.into(), moves, ..left },
                    moves => SideTime { moves, ..left },
                };
            }
            _ => left.main,
        };
        SideTime { main: main.min(MAIN_REMAINING_MAX.max(left.main)), ..left }
    }

    /// The time with an addition to the main time.
    #[must_use]
    pub fn with_added(self, control: Control, span: Micros) -> Self {
        match control {
            Control::Unlimited => self,
            _ => SideTime { main: self.main.plus(span).min(MAIN_REMAINING_MAX.max(self.main)), ..self },
        }
    }

    /// The time with a deduction: from the main time first, then as if a turn had taken it, so that a part of a
    /// period costs nothing. No delay protects from it.
    #[must_use]
    pub fn with_deducted(self, control: Control, span: Micros) -> Self {
        match control {
            Control::UsDelay { .. } => SideTime { main: self.main.minus(span), ..self },
            _ => self.after(control, span),
        }
    }

    /// What a side has left when its turn has taken so long.
    pub fn remaining(self, control: Control, took: Micros) -> Remaining {
        let SideTime { main, periods, moves, of_period, .. } = self.after(control, took);
        let of_period = match control {
            Control::UsDelay { delay, .. } => Micros::from(delay).minus(took),
            Control::Canadian { .. } => of_period,
            _ if periods == 0 => Micros::ZERO,
            _ => {
                let over = took.minus(self.main).0;
                let period = period(control);
                Micros(period.0 - over.checked_rem(period.0).unwrap_or(0))
            }
        };
        Remaining { main, periods, of_period, moves }
    }

    /// Whether a clock of this control can show this time.
    pub(super) fn fits(self, control: Control) -> bool {
        let full = SideTime::full(control);
        self.periods <= full.periods && self.of_period <= full.of_period && self.moves <= full.moves
    }
}

/// The length of a period that is given back whole; nothing for controls without.
pub(super) fn period(control: Control) -> Micros {
    match control {
        Control::ByoYomi { period, .. } => period.into(),
        Control::Reserved { .. } => RESERVED_PERIOD.into(),
        _ => Micros::ZERO,
    }
}

/// How many full periods a span has.
fn full_periods(control: Control, span: Micros) -> u32 {
    let periods = span.0.checked_div(period(control).0).unwrap_or(0);
    u32::try_from(periods).unwrap_or(u32::MAX)
}
