//! The decisions of the service: what a game does to two ratings, and what a telling of it adds to those before.
//!
//! Plain types and arithmetic. No protos, no database; time is passed in. Start with [`book`].

pub mod advantage;
pub mod book;
pub mod category;
pub mod estimate;
pub mod game;
pub mod grade;
pub mod highest;
pub mod period;
pub mod player_rating;
pub mod policy;
pub mod pool;
pub mod report;
pub mod seed;
pub mod standing;
pub mod tally;
pub mod telling;
pub mod whole_history;

/// How strong players are, and what games do to that: as rating lists of federations have it, too.
pub use strength::glicko2;
