//! A point in time, as the caller's clock gives it.

use std::fmt;
use std::time::Duration;

/// A point in time: whole microseconds since the Unix epoch, from 0 to 2^53 − 1 (June 2255).
///
/// Every store keeps this range exactly; Redis counts in doubles, which are whole up to 2^53. The crate reads
/// no clock: a moment always comes from the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// The earliest moment there is, the epoch.
    pub const MIN: Self = Self(0);
    /// The latest moment there is, 2^53 − 1 µs.
    pub const MAX: Self = Self((1 << 53) - 1);

    /// The moment this many microseconds after the epoch, held to [`Moment::MIN`]..=[`Moment::MAX`].
    pub fn from_micros(micros: i64) -> Self {
        Self(micros.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// Microseconds since the epoch.
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// The moment `span` later (whole microseconds), at most [`Moment::MAX`].
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self::from_micros(self.0.saturating_add(micros(span)))
    }

    /// The moment `span` earlier (whole microseconds); `None` if that is before [`Moment::MIN`].
    #[must_use]
    pub fn checked_minus(self, span: Duration) -> Option<Self> {
        self.0.checked_sub(micros(span)).filter(|micros| *micros >= 0).map(Self)
    }

    /// How long after `earlier` this is; zero if it is not later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }
}

/// Sixteen digits with leading zeros, so that texts sort like moments.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016}", self.0)
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_stay_in_their_range() {
        assert_eq!(Moment::from_micros(-1), Moment::MIN);
        assert_eq!(Moment::from_micros(i64::MAX), Moment::MAX);
        assert_eq!(Moment::MAX.plus(Duration::MAX), Moment::MAX);
        assert_eq!(Moment::MIN.checked_minus(Duration::from_micros(1)), None);
        assert_eq!(
            Moment::MIN.plus(Duration::from_micros(1)).checked_minus(Duration::from_micros(1)),
            Some(Moment::MIN)
        );
        assert_eq!(Moment::MIN.since(Moment::MAX), Duration::ZERO);
        assert_eq!(Moment::MIN.plus(Duration::from_micros(7)).since(Moment::MIN), Duration::from_micros(7));
    }

    #[test]
    fn text_is_sixteen_digits() {
        assert_eq!(Moment::from_micros(42).to_string(), "0000000000000042");
        assert_eq!(Moment::MAX.to_string().len(), 16);
    }
}
