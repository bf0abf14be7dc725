//! Every name that this service uses in the live state.

use chassis::id::{AccountId, EventId};

/// Tries of an account at codes of invitations.
pub(crate) fn code_tries(account: AccountId) -> String {
    format!("federation/code/{account}")
}

/// The topic on which it is told how long the log of an event is now.
pub(crate) fn event(event: EventId) -> String {
    format!("federation/event/{event}")
}

/// The topic on which an account is told what was written for it.
pub(crate) fn notices(account: AccountId) -> String {
    format!("federation/notices/{account}")
}
