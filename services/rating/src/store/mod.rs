//! What is kept, and how: two tables on SQLite or PostgreSQL.
//!
//! Nothing is decided here. Writes are compare-and-swapped, so that any number of replicas may share the
//! tables.

pub(crate) mod change;
pub(crate) mod rating;

mod code;
mod migration;

pub(crate) use migration::Migrator;
