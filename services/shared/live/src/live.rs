//! The live state as a whole.

use std::fmt;

use async_trait::async_trait;

use crate::{
    DeadlineStore, FanOut, LeaseStore, LiveError, PresenceStore, PubSub, ThrottleStore, TicketStore,
};

/// The live state of the platform.
///
/// Each method is atomic: no other call sees it half done, and one that fails with anything but
/// [`LiveError::Unavailable`] has changed nothing. After `Unavailable` a call may be repeated, and answers then
/// as if it were the second. `now` is always the caller's: a call never asks what time the store thinks it is.
/// Spans of time are half open: what is held or leased until `t` is free at `t`.
///
/// Names (pools, queues, topics, leases, throttles, presence keys) have 1..=200 bytes. Where a call takes `max`, it
/// hands out at most that many and at most [`BATCH_MAX`](crate::limits::BATCH_MAX).
///
/// Nothing kept here is the only copy of anything: a caller must be able to live with finding it empty.
#[async_trait]
pub trait Live:
    TicketStore + DeadlineStore + LeaseStore + PubSub + ThrottleStore + PresenceStore + fmt::Debug + 'static
{
    /// Makes sure that the store takes what a move writes: it sets a deadline in a queue of its own and takes it
    /// back. A store that answers is not yet one that takes anything: it may be full, a replica, or closed to us.
    async fn prove(&self) -> Result<(), LiveError>;

    /// Whether several processes may share this state. If not, all services must live in this process.
    fn shared(&self) -> bool;

    /// Who listens to topics in this process, and what is kept for them.
    fn fan_out(&self) -> FanOut;
}
