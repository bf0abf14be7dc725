//! Who may hear the clocks of a game.

use chassis::{
    auth::Caller,
    id::{AccountId, EventId, FederationId},
};

/// Those who alone hear the clocks of a game that is broadcast with a delay: the others would hear what they do
/// not see yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    /// The players.
    pub players: [Option<AccountId>; 2],
    /// The event whose officials may.
    pub event: Option<EventId>,
    /// The federation whose officials may.
    pub federation: Option<FederationId>,
}

impl Audience {
    /// Whether a caller is among them.
    pub fn may_receive(&self, caller: Option<&Caller>) -> bool {
        caller.is_some_and(|caller| {
            self.players.contains(&Some(caller.id))
                || !caller.roles_in(self.event, self.federation).is_empty()
        })
    }
}
