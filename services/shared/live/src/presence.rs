//! Presence: who is where, as the nodes that hold their connections say.

use async_trait::async_trait;
use uuid::Uuid;

use crate::{LiveError, Moment};

/// Members who are present, each under a key, such as that of a game's spectators.
///
/// [`Live`](crate::Live) says what holds of every call. Under a key of which nobody has said anything, or of which what
/// was said is lost, nobody is present; whoever holds connections says it again before it lapses.
#[async_trait]
pub trait PresenceStore: Send + Sync {
    /// Notes that a node, a process that holds their connections, has members present until then. That is renewed by
    /// saying it again, and never shortened; it lapses by itself when the node vanishes.
    ///
    /// At most [`PRESENT_MAX`](crate::limits::PRESENT_MAX) members. [`LiveError::Full`], and nothing happens, if
    /// there would be more entries of the key than there may be.
    async fn renew_presence(
        &self,
        key: &str,
        node: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError>;

    /// Ends a member's presence through a node. The member stays present as long as he is so through others; nothing
    /// happens if he was not through this one.
    async fn end_presence(&self, key: &str, node: Uuid, member: Uuid) -> Result<(), LiveError>;

    /// How many members are present, each counted once, through however many nodes.
    async fn count_present(&self, key: &str, now: Moment) -> Result<u32, LiveError>;

    /// The members who are present, each once, in order.
    async fn present(&self, key: &str, now: Moment) -> Result<Vec<Uuid>, LiveError>;

    /// Whether a member is present.
    async fn is_present(&self, key: &str, member: Uuid, now: Moment) -> Result<bool, LiveError>;
}
