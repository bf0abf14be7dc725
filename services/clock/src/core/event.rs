//! What can happen to the clocks of a game.

use super::{Micros, Moment, PauseReason, Side, lag::Lag};

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The game starts, or goes on after a stop.
    Start {
        /// Whose clock is set running.
        running: Side,
    },
    /// A side has acted.
    Press {
        /// Who. The act of a side whose clock does not run is charged to nobody.
        side: Side,
        /// Whose clock runs next; none for nobody's.
        next: Option<Side>,
        /// What of the turn the network took.
        lag: Lag,
    },
    /// No clock shall run any more.
    Stop,
    /// The platform was down: what the running side was charged in that time is given back.
    CreditOutage {
        /// When the outage began.
        from: Moment,
        /// When it ended.
        until: Moment,
    },
    /// The clocks are paused. A reason that holds already changes nothing.
    Pause {
        /// Why.
        reason: PauseReason,
    },
    /// A reason to pause has gone. One that does not hold changes nothing.
    Resume {
        /// Which.
        reason: PauseReason,
    },
    /// The time of a side is corrected.
    Adjust {
        /// Whose.
        side: Side,
        /// How.
        by: Adjustment,
    },
    /// Nothing happened; has the flag fallen?
    Watch,
}

/// A correction of a side's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adjustment {
    /// Main time is added.
    Add(Micros),
    /// Time is taken away, main time first.
    Deduct(Micros),
}

/// Why an event and a reading do not fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStep {
    /// A start while a turn runs or is held.
    #[error("the clocks have been started before")]
    AlreadyStarted,
    /// Anything before the start but a start, a pause or a correction.
    #[error("the clocks have not been started")]
    NotStarted,
    /// The reading has more periods, or more of a period, than the time control.
    #[error("the reading has more periods than the time control")]
    TooManyPeriods,
    /// An outage that ended before it began.
    #[error("the outage ends before it begins")]
    OutageBackwards,
}
