//! What each call does: it reads or writes, and asks `core`. Transactions begin here.

mod boards;
mod federations;
mod moderation;
mod rated;
mod ratings;
mod replay;
mod reports;
mod results;
mod standings;
mod whole_histories;

pub(crate) use boards::{Boards, KEPT};
pub(crate) use federations::{BOARDS, BoardKey, FEDERATIONS, Federations};
pub(crate) use moderation::Moderation;
pub(crate) use rated::{each_rated, read_pool};
pub(crate) use ratings::Ratings;
pub(crate) use reports::{DUE, Reports};
pub(crate) use results::Results;
pub(crate) use standings::{COUNTED, Standings};
pub(crate) use whole_histories::{WORKED_OUT, WholeHistories};
