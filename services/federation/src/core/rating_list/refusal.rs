//! Why something about rating lists is refused.

use time::Date;

use crate::core::day;

/// Why something is refused. Nothing is changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each says itself what it is")]
pub enum Refusal {
    #[error("there is no such policy of rating lists, or no such version of it")]
    UnknownPolicy,
    #[error("there is no such rating list")]
    UnknownList,
    #[error("{0}: {1}")]
    BadPolicy(&'static str, String),
    #[error("list {0} is of {day}: the next one is of a later day", day = day::text(*.1))]
    Exists(u32, Date),
    #[error("a list is dated at most {days} days ahead", days = super::limits::AHEAD_DAYS_MAX)]
    TooFarAhead,
    #[error("what the list follows from has changed while it was worked out")]
    Moved,
    #[error("a list has no more than {1} {0}")]
    TooLarge(&'static str, usize),
}

impl From<strength::BadPolicy> for Refusal {
    fn from(bad: strength::BadPolicy) -> Refusal {
        Refusal::BadPolicy(bad.field, bad.detail.to_owned())
    }
}
