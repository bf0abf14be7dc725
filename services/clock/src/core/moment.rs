//! Points in time and spans of time as whole microseconds.
//!
//! Integers, because a clock that is stepped a thousand times must not drift; microseconds, because that is
//! what the databases keep. All arithmetic saturates: a strange timestamp gives a strange reading, never a
//! panic.

use std::time::Duration;

/// A point in time, in microseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(pub i64);

/// A span of time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Micros(pub u64);

impl Moment {
    /// The moment that much later, or the last there is.
    #[must_use]
    pub const fn later(self, by: Micros) -> Self {
        Moment(self.0.saturating_add_unsigned(by.0))
    }

    /// The moment that much earlier, or the first there is.
    #[must_use]
    pub const fn earlier(self, by: Micros) -> Self {
        Moment(self.0.saturating_sub_unsigned(by.0))
    }

    /// The time that has passed since an earlier moment; nothing if it is not earlier.
    pub const fn since(self, earlier: Moment) -> Micros {
        if self.0 > earlier.0 { Micros(self.0.abs_diff(earlier.0)) } else { Micros::ZERO }
    }
}

impl Micros {
    /// No time.
    pub const ZERO: Micros = Micros(0);

    /// Both spans together.
    #[must_use]
    pub const fn plus(self, other: Micros) -> Self {
        Micros(self.0.saturating_add(other.0))
    }

    /// What is left of this span after the other; nothing if the other is longer.
    #[must_use]
    pub const fn minus(self, other: Micros) -> Self {
        Micros(self.0.saturating_sub(other.0))
    }

    /// So many such spans in a row.
    #[must_use]
    pub const fn times(self, count: u32) -> Self {
        // Widening: `u64::from` is not const.
        Micros(self.0.saturating_mul(count as u64))
    }
}

/// Cuts what is below a microsecond.
impl From<Duration> for Micros {
    fn from(span: Duration) -> Self {
        Micros(u64::try_from(span.as_micros()).unwrap_or(u64::MAX))
    }
}

impl From<Micros> for Duration {
    fn from(span: Micros) -> Self {
        Duration::from_micros(span.0)
    }
}
