//! Whom somebody does not want to meet.

use std::collections::{HashMap, HashSet};

use chassis::id::AccountId;
use matching::Seeker;
use time::OffsetDateTime;

/// The most accounts that one has blocked: whoever comes to as many has another wish, not to meet strangers.
pub const BLOCKED_MAX: u64 = 500;

/// An account that somebody has blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Which.
    pub account: AccountId,
    /// What it was called then.
    pub name: String,
    /// Since when.
    pub since: OffsetDateTime,
}

/// What tells an account from others where two are compared: half of its id, the half that is random.
pub fn who(account: AccountId) -> u64 {
    account.uuid().as_u64_pair().1
}

/// Whom each of those who wait has blocked, where that is anybody, all told from everybody else by [`Seeker::who`].
#[derive(Debug, Default)]
pub(super) struct Apart(HashMap<u64, HashSet<u64>>);

impl Apart {
    /// Somebody waits no more.
    pub(super) fn leave(&mut self, owner: u64) {
        self.0.remove(&owner);
    }

    /// Somebody has blocked just these.
    pub(super) fn set(&mut self, owner: u64, blocked: HashSet<u64>) {
        if blocked.is_empty() {
            self.0.remove(&owner);
        } else {
            self.0.insert(owner, blocked);
        }
    }

    /// Somebody has blocked somebody else, too.
    pub(super) fn add(&mut self, owner: u64, blocked: u64) {
        self.0.entry(owner).or_default().insert(blocked);
    }

    /// What it costs beside their ratings that two meet; none where one has blocked the other.
    pub(super) fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32> {
        let has_blocked = |owner: &Seeker, of: &Seeker| {
            self.0.get(&owner.who).is_some_and(|blocked| blocked.contains(&of.who))
        };
        (!has_blocked(one, other) && !has_blocked(other, one)).then_some(0)
    }
}
