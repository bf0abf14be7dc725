//! What the service does: each use case reads, has `core` decide, writes what was decided, and tells.

pub(crate) mod delivery;
