//! Why clocks are paused. Pauses stack: each reason holds on its own, and the clocks run when none is left.

use std::fmt;

/// A reason to pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PauseReason {
    /// Both players agreed.
    Players,
    /// An arbiter stopped them.
    Arbiter,
    /// The event has a break.
    EventBreak,
    /// The platform is or was out of order.
    ServerOutage,
    /// A player is on leave.
    Leave,
    /// The platform is being worked on.
    Maintenance,
}

/// The reasons that hold, each once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pauses(u8);

impl PauseReason {
    /// Every reason.
    pub const ALL: [PauseReason; 6] = [
        PauseReason::Players,
        PauseReason::Arbiter,
        PauseReason::EventBreak,
        PauseReason::ServerOutage,
        PauseReason::Leave,
        PauseReason::Maintenance,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Pauses {
    /// No reason.
    pub const NONE: Pauses = Pauses(0);

    /// Whether no reason holds.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a reason holds.
    pub const fn contains(self, reason: PauseReason) -> bool {
        self.0 & reason.bit() != 0
    }

    /// These reasons and one more.
    #[must_use]
    pub const fn with(self, reason: PauseReason) -> Self {
        Pauses(self.0 | reason.bit())
    }

    /// These reasons without one.
    #[must_use]
    pub const fn without(self, reason: PauseReason) -> Self {
        Pauses(self.0 & !reason.bit())
    }

    /// The reasons, in their order.
    pub fn iter(self) -> impl Iterator<Item = PauseReason> {
        PauseReason::ALL.into_iter().filter(move |reason| self.contains(*reason))
    }
}

impl FromIterator<PauseReason> for Pauses {
    fn from_iter<T: IntoIterator<Item = PauseReason>>(reasons: T) -> Self {
        reasons.into_iter().fold(Pauses::NONE, Pauses::with)
    }
}

impl fmt::Debug for Pauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
