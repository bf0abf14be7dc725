//! Ratings: how strong a player is, by variant and speed class.

pub mod core;
