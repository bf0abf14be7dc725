//! Presence: who is where, by the word of the processes that hold their connections.

use async_trait::async_trait;
use uuid::Uuid;

use crate::{LiveError, Moment};

/// Members who are at places.
///
/// [`Live`](crate::Live) says what holds of every call. At a place of which nobody has said anything, or of which what was
/// said is lost, nobody is; whoever holds connections says it again before its word lapses.
#[async_trait]
pub trait PresenceStore: Send + Sync {
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
}
