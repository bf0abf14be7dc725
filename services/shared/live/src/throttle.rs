//! Throttles: how often something may be tried, by the generic cell rate algorithm (GCRA).
//!
//! The algorithm keeps one moment a key, the theoretical arrival time: when the key's past tries will be paid
//! off at one try each `window / limit`. A key at rest may try `limit` times at once, and then once each
//! `window / limit`.

use std::time::Duration;

use async_trait::async_trait;

use crate::limits::WINDOW_US_MAX;
use crate::{LiveError, Moment};

/// Counts of tries.
///
/// [`Live`](crate::Live) says what holds of every call. A key that was never counted, or was lost, has its whole quota.
#[async_trait]
pub trait ThrottleStore: Send + Sync {
    /// Counts a try of `key` at `now` against a quota, and says whether it is allowed. A key must always be
    /// counted against the same quota.
    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError>;

    /// Forgets all tries of `key`, for instance after it has succeeded; nothing happens if there are none.
    async fn forgive(&self, key: &str) -> Result<(), LiveError>;
}

/// How often: `limit` tries in a burst, and in the long run `limit` tries a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Tries in a window; at least 1, at most `window_us`.
    pub limit: u32,
    /// The window, in microseconds; at most thirty days.
    pub window_us: u64,
}

/// What came of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throttle {
    /// It is allowed and counted.
    Allowed {
        /// How many more would be allowed at the same moment.
        left: u32,
    },
    /// It is refused and not counted.
    Refused {
        /// How long until one more is allowed if none is tried before.
        retry_after: Duration,
    },
}

impl Quota {
    /// `limit` tries in `window`.
    pub fn new(limit: u32, window: Duration) -> Self {
        Self { limit, window_us: u64::try_from(window.as_micros()).unwrap_or(u64::MAX) }
    }

    /// Microseconds that one try costs, whole and at least 1.
    pub(crate) fn cost_us(self) -> i64 {
        i64::try_from(self.window_us / u64::from(self.limit.max(1))).unwrap_or(i64::MAX).max(1)
    }

    pub(crate) fn check(self) -> Result<(), LiveError> {
        let why = match self {
            Self { limit: 0, .. } => "must allow something",
            Self { window_us, .. } if window_us > WINDOW_US_MAX => "must have a window of at most 30 days",
            Self { limit, window_us } if u64::from(limit) > window_us => {
                "must be at most one each microsecond"
            }
            _ => return Ok(()),
        };
        Err(LiveError::Invalid { what: "quota", why })
    }
}

/// One try at `now` of a key that is paid off at `paid_off`: the answer, and when the key is paid off then
/// (the same moment if the try is refused).
///
/// The burst is `limit` times the whole-microsecond cost, not the window, lest rounding let one more through.
pub(crate) fn gcra(paid_off: Moment, quota: Quota, now: Moment) -> (Throttle, Moment) {
    let cost = quota.cost_us();
    let burst = cost * i64::from(quota.limit);
    let after = paid_off.max(now).as_micros() + cost;
    let used = after - now.as_micros();
    if used > burst {
        let retry_after = Duration::from_micros(u64::try_from(used - burst).unwrap_or(0));
        (Throttle::Refused { retry_after }, paid_off)
    } else {
        let left = u32::try_from((burst - used) / cost).unwrap_or(u32::MAX);
        (Throttle::Allowed { left }, Moment::from_micros(after))
    }
}
