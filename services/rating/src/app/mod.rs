//! What each call does: it reads or writes, and asks `core`. Transactions begin here.

mod boards;
mod ratings;
mod replay;
mod results;
mod standings;
mod whole_histories;

pub(crate) use boards::{Boards, KEPT};
pub(crate) use ratings::Ratings;
pub(crate) use results::Results;
pub(crate) use standings::{COUNTED, Standings};
pub(crate) use whole_histories::{WORKED_OUT, WholeHistories};
