//! Tickets: players who wait in a pool for an opponent.

use bytes::Bytes;
use uuid::Uuid;

use crate::limits::{self, TICKET_PAYLOAD_MAX};
use crate::{LiveError, Moment};

/// A ticket to be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTicket {
    /// Its id, chosen by the caller, so that opening it again is recognised.
    pub id: Uuid,
    /// Who waits. Nobody waits twice.
    pub owner: Uuid,
    /// Where: tickets are matched inside one pool. 1..=200 bytes.
    pub pool: String,
    /// The owner's rating; finite.
    pub rating: f64,
    /// Whatever the matchmaker wants to read back, opaque here; at most 4 KiB.
    pub payload: Bytes,
    /// Until when the ticket waits unless it is held longer.
    pub held_until: Moment,
}

/// A ticket that waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// Its id.
    pub id: Uuid,
    /// Who waits.
    pub owner: Uuid,
    /// Where.
    pub pool: String,
    /// The owner's rating when the ticket was opened.
    pub rating: f64,
    /// Opaque.
    pub payload: Bytes,
    /// When it was first opened.
    pub since: Moment,
    /// From this moment on the ticket may expire.
    pub held_until: Moment,
}

/// Where a ticket stands. All but `Waiting` are ended states, kept for [`RETENTION`](limits::RETENTION).
#[derive(Clone, Debug, PartialEq)]
pub enum TicketState {
    /// It waits.
    Waiting(Ticket),
    /// It has an opponent.
    Matched {
        /// The match, which becomes a game.
        match_id: Uuid,
        /// What the matchmaker said about the match.
        payload: Bytes,
    },
    /// Its owner, or whoever refused the game, took it back.
    Cancelled,
    /// Nobody held it.
    Expired,
}

/// What came of opening a ticket.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    /// It waits now.
    New,
    /// It was opened before, by the same owner, in the same pool, with the same payload; nothing was changed.
    /// This is where it stands.
    Again(TicketState),
    /// The id belongs to another ticket; nothing was changed.
    Differs,
    /// The owner waits already, with this ticket; nothing was changed.
    OwnerBusy(Uuid),
    /// The pool holds as many tickets as it may, or there are too many pools; nothing was changed.
    PoolFull,
}

/// What came of cancelling a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// It waited, and is cancelled now.
    Done,
    /// It had ended without an opponent before: cancelled or expired.
    Already,
    /// Too late: it has an opponent.
    Matched {
        /// The match.
        match_id: Uuid,
        /// What the matchmaker said about the match.
        payload: Bytes,
    },
    /// There is no such ticket, or it is not this owner's.
    Unknown,
}

impl NewTicket {
    /// The ticket as it waits from `since` on.
    pub(crate) fn waiting(self, since: Moment) -> Ticket {
        let Self { id, owner, pool, rating, payload, held_until } = self;
        Ticket { id, owner, pool, rating, payload, since, held_until }
    }

    pub(crate) fn check(&self) -> Result<(), LiveError> {
        limits::name("pool", &self.pool)?;
        limits::size("payload of a ticket", self.payload.len(), TICKET_PAYLOAD_MAX)?;
        if self.rating.is_finite() {
            Ok(())
        } else {
            Err(LiveError::Invalid { what: "rating", why: "must be finite" })
        }
    }
}

impl Ticket {
    /// Whether `other` is this ticket opened again. Rating and times may differ between two attempts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.id, self.owner, &self.pool, &self.payload)
            == (other.id, other.owner, &other.pool, &other.payload)
    }
}
