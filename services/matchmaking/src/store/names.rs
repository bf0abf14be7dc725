//! What things of matchmaking are called in live state. The pools are called by the text forms of their settings.

use chassis::id::{AccountId, TicketId};

/// The topic on which replicas tell each other that somebody has arrived.
pub(super) const ARRIVALS: &str = "matchmaking/arrivals";
/// Under which the replicas are present that pair.
pub(super) const PEERS: &str = "matchmaking/peers";
/// The lease of who looks for matches without a game.
pub(super) const RECOVERY: &str = "matchmaking/recovery";

/// The topic of what becomes of a ticket.
pub(super) fn ticket(ticket: TicketId) -> String {
    format!("matchmaking/ticket/{ticket}")
}

/// The topic on which it is said that something of an account has changed beside its ticket.
pub(super) fn account(account: AccountId) -> String {
    format!("matchmaking/account/{account}")
}
