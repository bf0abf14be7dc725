//! The decisions of the service: what a game does to two ratings.
//!
//! Plain types and arithmetic. No protos, no database; time is passed in.

pub mod glicko2;
