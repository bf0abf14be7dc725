//! What things of matchmaking are called in live state. The pools are called by the text forms of their settings.

use chassis::id::{AccountId, TicketId};
use uuid::Uuid;

/// The topic on which replicas tell each other who has blocked whom. A replica of the version before says here, too, that somebody
/// has arrived.
pub(super) const BLOCKS: &str = "matchmaking/arrivals";
/// Under which the replicas are present that pair.
pub(super) const PEERS: &str = "matchmaking/peers";
/// The lease of who looks for matches without a game.
pub(super) const RECOVERY: &str = "matchmaking/recovery";

/// The topic on which a replica is told that somebody has arrived whom it pairs.
pub(super) fn arrivals(replica: Uuid) -> String {
    format!("matchmaking/arrivals/{replica}")
}

/// The topic of what becomes of a ticket.
pub(super) fn ticket(ticket: TicketId) -> String {
    format!("matchmaking/ticket/{ticket}")
}

/// The topic on which it is said that something of an account has changed beside its ticket.
pub(super) fn account(account: AccountId) -> String {
    format!("matchmaking/account/{account}")
}
