//! Finding an opponent.
pub mod core;
