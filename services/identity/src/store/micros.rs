//! Moments as the tables have them: microseconds since the epoch.

use time::OffsetDateTime;

use super::StoreError;

/// A moment for a table.
pub fn from_moment(moment: OffsetDateTime) -> i64 {
    // The range of `OffsetDateTime` (years ±9999) fits with room to spare.
    i64::try_from(moment.unix_timestamp_nanos().div_euclid(1000)).unwrap_or(i64::MAX)
}

/// The moment of a row of `table`.
pub fn to_moment(micros: i64, table: &'static str) -> Result<OffsetDateTime, StoreError> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000)
        .map_err(|_| StoreError::Inconsistent(table))
}
