//! What was done in a season, and by whom.

use chassis::id::{AccountId, MemberId};
use time::OffsetDateTime;

use super::{EntrantId, State};
use crate::core::team::Part;

/// Something that was done in a season. None of it is ever changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1.
    pub sequence: u64,
    /// When.
    pub at: OffsetDateTime,
    /// By whom.
    pub account: AccountId,
    /// What.
    pub what: What,
    /// Why, where that was said.
    pub reason: String,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The season was made.
    Created,
    /// It went on to a state.
    Advanced(State),
    /// Somebody was placed in a division.
    Placed(EntrantId, u32),
    /// Somebody was taken out.
    Removed(EntrantId),
    /// A squad was registered.
    Registered(EntrantId, Vec<(MemberId, Part)>),
    /// A squad was changed while the season ran.
    SquadChanged(EntrantId, Vec<(MemberId, Part)>),
    /// A squad was withdrawn.
    Withdrawn(EntrantId),
    /// Its dates were changed.
    Dated,
    /// Somebody wants to stay down, or not any more.
    StaysDown(EntrantId, bool),
}
