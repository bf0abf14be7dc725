//! Rating lists: policies, what was published, and what it followed from.

pub(crate) mod entry;
pub(crate) mod event;
pub(crate) mod list;
pub(super) mod migration;
pub(crate) mod policy;
pub(crate) mod step;
pub(crate) mod vouched;

use chassis::database::StoreError;

/// A count of a column.
fn count(column: i32, table: &'static str) -> Result<u32, StoreError> {
    u32::try_from(column).map_err(|_| StoreError::Corrupt(table))
}

/// A count as columns have it.
fn column(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The digest of a column.
fn digest(column: Vec<u8>, table: &'static str) -> Result<strength::Digest, StoreError> {
    column.try_into().map_err(|_| StoreError::Corrupt(table))
}
