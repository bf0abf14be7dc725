//! When something reaches the platform.

use std::time::Duration;

use time::OffsetDateTime;

/// When something reached the platform, and how long the network took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// When; the player's clock is read at this moment.
    pub received: OffsetDateTime,
    /// What is known of the lag.
    pub lag: Lag,
}

impl From<OffsetDateTime> for Arrival {
    fn from(received: OffsetDateTime) -> Self {
        Arrival { received, lag: Lag::default() }
    }
}

/// How long the network took for the opponent's act and this one, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lag {
    /// By the platform's measurement.
    pub measured: Option<Duration>,
    /// By what the client says.
    pub claimed: Option<Duration>,
}
