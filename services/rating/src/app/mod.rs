//! What each call does: it reads or writes, and asks `core`. Transactions begin here.

mod ratings;
mod results;

pub use ratings::Ratings;
pub use results::Results;
