//! Deadlines: moments at which somebody must look at something, such as a flag that may fall.

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::limits::{self, DEADLINE_PAYLOAD_MAX};
use crate::{LiveError, Moment};

/// Queues of deadlines.
///
/// [`Live`](crate::Live) says what holds of every call. A queue that nothing was set in is empty, and a deadline that
/// is not there is answered with `None` or `false`; whoever sets deadlines must be able to set them all anew.
#[async_trait]
pub trait DeadlineStore: Send + Sync {
    /// Sets a deadline; returns whether it was taken.
    ///
    /// One of the same queue and key is replaced if its revision is lower, and with it its lease; else the new
    /// one is ignored. A cleared deadline leaves no trace: a late lower revision is taken then, so whoever takes
    /// a deadline must check that it still holds. [`LiveError::Full`] if the queue has as many as it may.
    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError>;

    /// The deadline of a key, leased or not; `None` if there is none.
    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError>;

    /// those due or free longest first, then by key.
    ///
    /// They stay until [`DeadlineStore::clear_deadline`]; if the holder vanishes, they are handed out again.
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

    /// `None` if the queue is empty.
    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError>;
}

/// A deadline. There is at most one for a key in a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// What kind of deadline, in other words who looks after it; 1..=200 bytes.
    pub queue: String,
    /// Whose, for instance a game's id.
    pub key: Uuid,
    /// Of two deadlines of one key the higher revision counts, for instance the ply.
    pub revision: u64,
    /// When.
    pub due: Moment,
    /// Whatever its taker wants to read back, opaque here; at most 4 KiB.
    pub payload: Bytes,
}

impl Deadline {
    pub(crate) fn check(&self) -> Result<(), LiveError> {
        limits::name("queue", &self.queue)?;
        limits::size("payload of a deadline", self.payload.len(), DEADLINE_PAYLOAD_MAX)
    }
}
