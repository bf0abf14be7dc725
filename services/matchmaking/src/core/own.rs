//! How somebody stands in the queue and beside it.

use chassis::id::TicketId;
use time::OffsetDateTime;

use super::{Arranged, Challenge, Pause, Settings};

/// How an account stands in the queue and beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnQueue {
    /// Its ticket.
    pub ticket: Option<OwnTicket>,
    /// The challenges of it and to it that can be accepted, the latest first.
    pub challenges: Vec<Challenge>,
    /// Its games that begin at a time, the next first.
    pub arranged: Vec<Arranged>,
    /// The pause that it is in, the one that ends last.
    pub pause: Option<Pause>,
}

/// A ticket that waits, or to which a game is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTicket {
    /// Which.
    pub ticket: TicketId,
    /// What it waits for, what is rather wanted first.
    pub settings: Vec<Settings>,
    /// What it is up to.
    pub state: OwnTicketState,
}

/// What a ticket is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnTicketState {
    /// It waits.
    Waits {
        /// Since when.
        since: OffsetDateTime,
    },
    /// A long game is offered to it.
    Offered {
        /// Until when its owner may answer.
        until: OffsetDateTime,
        /// Whether he has accepted.
        accepted: bool,
    },
}

impl OwnQueue {
    /// The moment at which something of it is over by itself, the first; none if nothing ever is.
    pub fn over_at(&self) -> Option<OffsetDateTime> {
        let offered = self.ticket.as_ref().and_then(|ticket| match ticket.state {
            OwnTicketState::Offered { until, .. } => Some(until),
            OwnTicketState::Waits { .. } => None,
        });
        let challenges = self.challenges.iter().map(|challenge| challenge.expires);
        let arranged = self.arranged.iter().map(|arranged| arranged.starts);
        let pause = self.pause.as_ref().map(|pause| pause.ends);
        offered.into_iter().chain(challenges).chain(arranged).chain(pause).min()
    }
}
