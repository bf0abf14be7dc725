//! What is kept, and how: two tables on SQLite or PostgreSQL.
//!
//! Nothing is decided here. Writes are compare-and-swapped, so that any number of replicas may share the
//! tables.

mod change;
mod code;
mod migration;
mod rating;
mod read;
pub mod write;

pub use migration::Migrator;
pub use read::{changes_of, count_games, history, of_account, one, ranked};
