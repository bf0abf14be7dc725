//! Whom somebody does not want to meet.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chassis::id::{AccountId, TicketId};
use matching::Between;
use parking_lot::RwLock;
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

/// Who of those who wait must not meet, told from everybody else by [`Seeker::who`](matching::Seeker::who). Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Apart(Arc<RwLock<Lists>>);

#[derive(Debug, Default)]
struct Lists {
    /// Whose a ticket is that waits.
    owners: HashMap<TicketId, u64>,
    /// Whom each owner has blocked, where that is anybody.
    blocked: HashMap<u64, HashSet<u64>>,
}

impl Apart {
    /// Somebody waits.
    pub(super) fn enter(&self, ticket: TicketId, owner: u64) {
        self.0.write().owners.insert(ticket, owner);
    }

    /// Somebody waits no more: nobody waits twice.
    pub(super) fn leave(&self, ticket: TicketId) {
        let mut lists = self.0.write();
        if let Some(owner) = lists.owners.remove(&ticket) {
            lists.blocked.remove(&owner);
        }
    }

    /// Somebody has blocked just these.
    pub(super) fn set(&self, owner: u64, blocked: HashSet<u64>) {
        let mut lists = self.0.write();
        if blocked.is_empty() {
            lists.blocked.remove(&owner);
        } else {
            lists.blocked.insert(owner, blocked);
        }
    }

    /// Somebody has blocked somebody else, too. Of who does not wait it is learnt when he does.
    pub(super) fn add(&self, owner: u64, blocked: u64) {
        let mut lists = self.0.write();
        if lists.owners.values().any(|waits| *waits == owner) {
            lists.blocked.entry(owner).or_default().insert(blocked);
        }
    }
}

impl Between<TicketId> for Apart {
    fn cost(&self, one: TicketId, other: TicketId) -> Option<u32> {
        let lists = self.0.read();
        if lists.blocked.is_empty() {
            return Some(0);
        }
        let [one, other] = [one, other].map(|ticket| lists.owners.get(&ticket));
        let has_blocked = |owner: Option<&u64>, of: Option<&u64>| {
            owner
                .zip(of)
                .is_some_and(|(owner, of)| lists.blocked.get(owner).is_some_and(|it| it.contains(of)))
        };
        (!has_blocked(one, other) && !has_blocked(other, one)).then_some(0)
    }
}
