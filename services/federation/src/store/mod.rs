//! What is kept, and how. Nothing is decided here.

mod migration;

pub(crate) use migration::Migrator;
