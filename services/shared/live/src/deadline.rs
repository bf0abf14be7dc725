//! Deadlines: moments at which somebody must look at something, such as a flag that may fall.

use bytes::Bytes;
use uuid::Uuid;

use crate::limits::{self, DEADLINE_PAYLOAD_MAX};
use crate::{LiveError, Moment};

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
