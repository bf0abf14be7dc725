//! The one trait.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::{
    Cancelled, Deadline, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState,
};

/// The live state of the platform.
///
/// Each method is atomic: no other call sees it half done, and one that fails with anything but
/// [`LiveError::Unavailable`] has changed nothing. After `Unavailable` a call may be repeated, and answers then
/// as if it were the second. `now` is always the caller's: a call never asks what time the store thinks it is.
/// Spans of time are half open: what is held or leased until `t` is free at `t`.
///
/// Names (pools, queues, topics, leases, throttles, places) have 1..=200 bytes. Where a call takes `max`, it hands out
/// at most that many and at most [`BATCH_MAX`](crate::limits::BATCH_MAX).
///
/// Nothing kept here is the only copy of anything: a caller must be able to live with finding it empty.
#[async_trait]
pub trait Live: fmt::Debug + Send + Sync + 'static {
    /// Opens a ticket, waiting since `now`.
    ///
    /// If the id is known, the ticket is left as it is ([`Opened::Again`], [`Opened::Differs`]), whether it
    /// waits or has ended. An owner has at most one waiting ticket ([`Opened::OwnerBusy`]); ended ones are no
    /// hindrance. Being known is decided before the owner being busy, and that before the pool being full.
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError>;

    /// Holds a waiting ticket until `held_until`, the heartbeat of its owner's stream; returns where it stands
    /// then.
    ///
    /// A ticket that is held longer already stays so; one that has ended is left alone; one whose time has
    /// passed but which [`Live::expire_tickets`] has not met yet is saved. `None` if there is no such ticket.
    async fn hold_ticket(&self, id: Uuid, held_until: Moment) -> Result<Option<TicketState>, LiveError>;

    /// Where a ticket stands; `None` if it was never opened, or ended longer ago than
    /// [`RETENTION`](crate::limits::RETENTION).
    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError>;

    /// Ends a waiting ticket at its owner's wish. [`Cancelled`] says what if it does not wait, or is not there.
    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError>;

    /// The pools in which tickets wait, and how many, sorted by name. A pool without tickets is not listed.
    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError>;

    /// The tickets waiting in a pool, those that wait longest first, and by id if they wait equally long. Empty
    /// if there is no such pool.
    async fn waiting(&self, pool: &str, max: u32) -> Result<Vec<Ticket>, LiveError>;

    /// Ends the waiting tickets that are held no longer than `now`, those held shortest first (then by id), and
    /// returns their ids.
    ///
    /// Also forgets up to `max` tickets that ended [`RETENTION`](crate::limits::RETENTION) ago or earlier, so
    /// somebody must call it now and then, even if nobody waits. Each ticket costs a shared store some
    /// microseconds during which nobody else is served, so ask for hundreds at a time, not for all.
    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError>;

    /// Brings tickets together. One answer a pair, in order; pairs are looked at in order, each one atomic.
    ///
    /// A pair is taken if both tickets are different and wait in `pool`, and no match of its id is pending:
    /// then both are matched, and the match is pending from `now` on. Otherwise nothing happens for that pair.
    /// At most [`PAIRS_MAX`](crate::limits::PAIRS_MAX) pairs.
    async fn take_pairs(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError>;

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
    async fn settle_match(&self, match_id: Uuid) -> Result<bool, LiveError>;

    /// The game of a match cannot be made: the match is pending no more, whoever leases it.
    ///
    /// Of its tickets, those in `refused` become cancelled, as does one whose owner waits with another ticket
    /// meanwhile. The others wait again, since when they did before and held until when they were (even above
    /// the pool's limit). A ticket that was forgotten meanwhile stays forgotten. `false`, and nothing happens,
    /// if the match is not pending.
    async fn dissolve_match(&self, match_id: Uuid, refused: &[Uuid], now: Moment) -> Result<bool, LiveError>;

    /// Sets a deadline; returns whether it was taken.
    ///
    /// One of the same queue and key is replaced if its revision is lower, and with it its lease; else the new
    /// one is ignored. A cleared deadline leaves no trace: a late lower revision is taken then, so whoever takes
    /// a deadline must check that it still holds. [`LiveError::Full`] if the queue has as many as it may.
    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError>;

    /// The deadline of a key, leased or not; `None` if there is none.
    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError>;

    /// Hands out the deadlines of a queue that are due at `now`, leasing (hiding) them until `lease_until`;
    /// those due or free longest first, then by key.
    ///
    /// They stay until [`Live::clear_deadline`]; if the holder vanishes, they are handed out again.
    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError>;

    /// Removes a deadline that is done with, leased or not, if its revision is at most `revision`. `false`, and
    /// nothing happens, if there is none or it is newer.
    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError>;

    /// The first moment at which [`Live::take_due`] will hand out something of this queue, leases counted in;
    /// `None` if the queue is empty.
    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError>;

    /// Takes or renews the lease of a name, such as that of a periodic job, until `until`. Renewing never
    /// shortens it. `false`, and nothing happens, if another owner holds it at `now`.
    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError>;

    /// Gives a lease back. `false`, and nothing happens, if it is not this owner's.
    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError>;

    /// Sends a message, of at most 256 KiB, to those who listen to a topic now. It is kept nowhere; that nobody
    /// listens is no error. Who listens in this process has it at once, whatever comes of the rest, which is waited for
    /// 150 ms at most.
    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError>;

    /// Listens to a topic. What is published after this has returned arrives, in the order in which each process
    /// published it, or is reported as [`Received::Lagged`](crate::Received::Lagged). Dropping the subscription ends
    /// it. [`LiveError::Full`] if this process listens to too many topics.
    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError>;

    /// Counts a try of `key` at `now` against a quota, and says whether it is allowed. A key that was never
    /// seen has its whole quota. A key must always be counted against the same quota.
    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError>;

    /// Forgets all tries of `key`, for instance after it has succeeded; nothing happens if there are none.
    async fn forgive(&self, key: &str) -> Result<(), LiveError>;

    /// Takes the word of a witness, a process that holds their connections, that members are at a place until
    /// then. A word is renewed by another, and never shortened; it lapses by itself when the witness vanishes.
    ///
    /// At most [`ATTEND_MAX`](crate::limits::ATTEND_MAX) members. [`LiveError::Full`], and nothing happens, if
    /// there would be more words about the place than there may be.
    async fn attend(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError>;

    /// Takes the word of a witness back. The member stays as long as others see him there; nothing happens if
    /// the witness did not.
    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError>;

    /// How many members are at a place, each counted once, whoever sees him there.
    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError>;

    /// Whether a member is at a place.
    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError>;

    /// Makes sure that the store takes what a move writes: it sets a deadline in a queue of its own and takes it
    /// back. A store that answers is not yet one that takes anything: it may be full, a replica, or closed to us.
    async fn prove(&self) -> Result<(), LiveError>;

    /// Whether several processes may share this state. If not, all services must live in this process.
    fn shared(&self) -> bool;
}
