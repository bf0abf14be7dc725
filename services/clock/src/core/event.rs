//! What can happen to the clocks of a game.

use super::{Moment, Side};

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The game starts.
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
    /// Nothing happened; has the flag fallen?
    Watch,
}

/// Why an event and a reading do not fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadStep {
    /// A start after the start.
    #[error("the clocks have been started before")]
    AlreadyStarted,
    /// Anything else before it.
    #[error("the clocks have not been started")]
    NotStarted,
    /// The reading has more periods than the time control.
    #[error("the reading has more periods than the time control")]
    TooManyPeriods,
    /// An outage that ended before it began.
    #[error("the outage ends before it begins")]
    OutageBackwards,
}
