//! What is kept, and how: on SQLite or PostgreSQL: the games that were told, which never change, and what follows from
//! them.
//!
//! Nothing is decided here. Writes are compare-and-swapped, so that any number of replicas may share the tables.

pub(crate) mod change;
pub(crate) mod correction;
pub(crate) mod game;
pub(crate) mod rating;
pub(crate) mod seed;

mod code;
mod migration;

pub(crate) use migration::Migrator;
