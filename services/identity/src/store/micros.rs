//! Moments as the tables have them: microseconds since the epoch.

use time::OffsetDateTime;

use super::StoreError;

pub use chassis::time::to_micros as from_moment;

/// The moment of a row of `table`.
pub fn to_moment(micros: i64, table: &'static str) -> Result<OffsetDateTime, StoreError> {
    chassis::time::from_micros(micros).ok_or(StoreError::Inconsistent(table))
}
