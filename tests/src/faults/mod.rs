//! Faults of the machine under a platform: disks that fill or break, and a PostgreSQL of one's own to stand on them.

mod disk;
mod postgres;

pub use disk::{Sabotage, SmallDisk};
pub use postgres::Postgres;
