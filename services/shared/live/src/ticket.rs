//! Tickets: players who wait in a pool for an opponent, and what becomes of them.

use std::collections::HashSet;

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::limits::{self, HELD_MAX, TICKET_PAYLOAD_MAX, TICKET_POOLS_MAX, TICKET_STANDING_MAX};
use crate::{Changes, Cursor, LiveError, Moment, PairProposal, PendingMatch};

/// Tickets that wait in pools, and matches that are not games yet.
///
/// [`Live`](crate::Live) says what holds of every call. A pool that nobody waits in is empty, and a ticket that was
/// never opened, or is forgotten, is answered with `None` or [`Cancelled::Unknown`]; when all is lost, players open
/// their tickets again, and matches are found in the database.
#[async_trait]
pub trait TicketStore: Send + Sync {
    /// Opens a ticket, waiting since `now`.
    ///
    /// If the id is known, the ticket is left as it is ([`Opened::AlreadyExists`], [`Opened::Conflict`]), whether it
    /// waits or has ended. An owner has at most one waiting ticket ([`Opened::OwnerBusy`]); ended ones are no
    /// hindrance. Being known is decided before the owner being busy, and that before a pool being full.
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError>;

    /// Renews a waiting ticket until `expires_at`, the heartbeat of its owner's stream; returns where it stands
    /// then.
    ///
    /// A ticket that expires later already stays so; one that has ended is left alone; one whose time has
    /// passed but which [`TicketStore::expire_tickets`] has not met yet is saved. `None` if there is no such ticket.
    async fn renew_ticket(&self, id: Uuid, expires_at: Moment) -> Result<Option<TicketState>, LiveError>;

    /// The same for many tickets, of which those are returned that do not wait, in the order in which they were given.
    /// At most [`HELD_MAX`](crate::limits::HELD_MAX) tickets.
    async fn renew_tickets(&self, ids: &[Uuid], expires_at: Moment) -> Result<Vec<Uuid>, LiveError>;

    /// Where a ticket stands; `None` if it was never opened, or ended longer ago than
    /// [`RETENTION`](crate::limits::RETENTION).
    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError>;

    /// The ticket with which an owner waits; `None` if he does not.
    async fn ticket_of(&self, owner: Uuid) -> Result<Option<Uuid>, LiveError>;

    /// Ends a waiting ticket at its owner's wish. [`Cancelled`] says what if it does not wait, or is not there.
    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError>;

    /// The pools in which tickets wait, and how many, sorted by name. A pool without tickets is not listed; a ticket counts in
    /// each of its pools.
    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError>;

    /// The tickets that wait, whatever their pools, those that wait longest first, and by id if they wait equally long; with
    /// `after`, only those that come after that ticket (since when it waits, and its id), whether it still waits or
    /// not.
    async fn waiting(&self, after: Option<(Moment, Uuid)>, max: u32) -> Result<Vec<Ticket>, LiveError>;

    /// What happened to tickets of all pools since a place, at most `max` changes. Renewing is none.
    ///
    /// At least the latest [`changes`](crate::Limits::changes) are kept.
    async fn changes(&self, since: Cursor, max: u32) -> Result<Changes, LiveError>;

    /// Ends the waiting tickets that expire by `now`, the earliest first (then by id), and
    /// returns their ids.
    ///
    /// Also forgets up to `max` tickets that ended [`RETENTION`](crate::limits::RETENTION) ago or earlier, so
    /// somebody must call it now and then, even if nobody waits. Each ticket costs a shared store some
    /// microseconds during which nobody else is served, so ask for hundreds at a time, not for all.
    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError>;

    /// Brings tickets together. One answer a pair, in order; pairs are looked at in order, each one atomic.
    ///
    /// A pair is taken if both tickets are different, wait in its pool and have not expired by `now`, and no match of
    /// its id is pending: then both are matched, whatever other pools they wait in, and the match is pending from `now` on.
    /// Otherwise nothing happens for that pair.
    /// At most [`PAIRS_MAX`](crate::limits::PAIRS_MAX) pairs.
    async fn take_pairs(&self, pairs: &[PairProposal], now: Moment) -> Result<Vec<bool>, LiveError>;

    /// Hands out pending matches that nobody leases at `now`, leasing them until `lease_until`; those free
    /// longest first, then by id.
    ///
    /// A holder that vanishes needs no attention: at the end of the lease the match is handed out again. So a
    /// holder must make the game in a way that can be repeated.
    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError>;

    /// The game of a match exists: the match is pending no more, whoever leases it. Its tickets stay matched.
    /// `false`, and nothing happens, if the match is not pending.
    async fn complete_match(&self, match_id: Uuid) -> Result<bool, LiveError>;

    /// The game of a match cannot be made: the match is pending no more, whoever leases it.
    ///
    /// Of its tickets, those in `refused` become cancelled, as does one whose owner waits with another ticket
    /// meanwhile. The others wait again, since when they did before and held until `held_until` at least (even above
    /// the pool's limit). A ticket that was forgotten meanwhile stays forgotten. `false`, and nothing happens,
    /// if the match is not pending.
    async fn fail_match(
        &self,
        match_id: Uuid,
        refused: &[Uuid],
        now: Moment,
        held_until: Moment,
    ) -> Result<bool, LiveError>;
}

/// A ticket to be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTicket {
    /// Its id, chosen by the caller, so that opening it again is recognised.
    pub id: Uuid,
    /// Who waits. Nobody waits twice.
    pub owner: Uuid,
    /// Where: tickets are matched inside one pool. 1..=16 different ones of 1..=200 bytes, none of them a control character.
    pub pools: Vec<String>,
    /// How the owner stands, opaque here; at most 1 KiB. It may be another when the ticket is opened again.
    pub standing: Bytes,
    /// What the owner wants, opaque here; at most 4 KiB.
    pub payload: Bytes,
    /// When the ticket expires unless it is renewed.
    pub expires_at: Moment,
}

/// A ticket that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its id.
    pub id: Uuid,
    /// Who waits.
    pub owner: Uuid,
    /// Where.
    pub pools: Vec<String>,
    /// How the owner stood when the ticket was opened; opaque.
    pub standing: Bytes,
    /// Opaque.
    pub payload: Bytes,
    /// When it was first opened.
    pub since: Moment,
    /// From this moment on the ticket may expire.
    pub expires_at: Moment,
}

/// Where a ticket stands. All but `Waiting` are ended states, kept for [`RETENTION`](limits::RETENTION).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketState {
    /// It waits.
    Waiting(Ticket),
    /// It has an opponent.
    Matched {
        /// The match, which becomes a game.
        match_id: Uuid,
    },
    /// Its owner, or whoever refused the game, took it back.
    Cancelled,
    /// Nobody renewed it.
    Expired,
}

/// What came of opening a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// It waits now.
    Created,
    /// It was opened before, by the same owner, in the same pools, with the same payload; nothing was changed.
    /// This is where it stands.
    AlreadyExists(TicketState),
    /// The id belongs to another ticket; nothing was changed.
    Conflict,
    /// The owner waits already, with this ticket; nothing was changed.
    OwnerBusy(Uuid),
    /// One of the pools holds as many tickets as it may, or there are too many pools; nothing was changed.
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
    },
    /// There is no such ticket, or it is not this owner's.
    Unknown,
}

impl NewTicket {
    /// The ticket as it waits from `since` on.
    pub(crate) fn waiting(self, since: Moment) -> Ticket {
        let Self { id, owner, pools, standing, payload, expires_at } = self;
        Ticket { id, owner, pools, standing, payload, since, expires_at }
    }

    pub(crate) fn check(&self) -> Result<(), LiveError> {
        limits::size("list of pools", self.pools.len(), TICKET_POOLS_MAX)?;
        if self.pools.is_empty() || self.pools.iter().collect::<HashSet<_>>().len() < self.pools.len() {
            return Err(LiveError::Invalid { what: "list of pools", why: "must name one, and none twice" });
        }
        for pool in &self.pools {
            limits::pool(pool)?;
        }
        limits::size("standing of a ticket", self.standing.len(), TICKET_STANDING_MAX)?;
        limits::size("payload of a ticket", self.payload.len(), TICKET_PAYLOAD_MAX)
    }
}

impl Ticket {
    /// Whether `other` is this ticket opened again. Standing and times may differ between two attempts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.id, self.owner, &self.pools, &self.payload)
            == (other.id, other.owner, &other.pools, &other.payload)
    }
}

pub(crate) fn check_held(ids: &[Uuid]) -> Result<(), LiveError> {
    limits::size("list of tickets", ids.len(), HELD_MAX)
}
