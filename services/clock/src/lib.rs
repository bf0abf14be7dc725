//! Authoritative clocks.

pub mod core;
