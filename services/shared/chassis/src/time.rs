//! Moments as tables and live state have them: whole microseconds since the epoch.

use time::OffsetDateTime;

/// A moment in microseconds; what is shorter is cut off, also before the epoch.
pub fn to_micros(moment: OffsetDateTime) -> i64 {
    // The range of `OffsetDateTime` (years ±9999) fits with room to spare.
    i64::try_from(moment.unix_timestamp_nanos().div_euclid(1000)).unwrap_or(i64::MAX)
}

/// The moment of so many microseconds; `None` when no year has it.
pub fn from_micros(micros: i64) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shorter_than_a_microsecond_is_cut_off_towards_the_past() {
        let at = |nanos| OffsetDateTime::from_unix_timestamp_nanos(nanos).expect("a year we know");
        for (nanos, micros) in [(0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2)] {
            assert_eq!(to_micros(at(nanos)), micros, "{nanos} ns");
            assert_eq!(from_micros(micros), Some(at(i128::from(micros) * 1000)));
        }
        assert_eq!((from_micros(i64::MIN), from_micros(i64::MAX)), (None, None));
    }
}
