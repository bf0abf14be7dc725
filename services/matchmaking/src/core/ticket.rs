//! A ticket that waits.

use time::OffsetDateTime;

use super::{Candidate, Player, Settings, Window};

/// A player who waits for an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Who waits.
    pub player: Player,
    /// For what.
    pub settings: Settings,
    /// What he accepts.
    pub window: Window,
    /// Since when.
    pub since: OffsetDateTime,
}

impl Ticket {
    /// The ticket as far as it matters to pairing.
    pub fn candidate(&self) -> Candidate {
        Candidate {
            owner: self.player.account,
            rating: i32::try_from(self.player.rating).unwrap_or(i32::MAX),
            since: self.since,
            window: self.window,
        }
    }
}
