//! Leases: who of several may do something that one should do.

use async_trait::async_trait;
use uuid::Uuid;

use crate::{LiveError, Moment};

/// Leases of names.
///
/// [`Live`](crate::Live) says what holds of every call. A name that nobody leases is free, and so is one whose lease
/// was lost: two may then hold it for a while.
#[async_trait]
pub trait LeaseStore: Send + Sync {
    /// Takes or renews the lease of a name, such as that of a periodic job, until `until`. Renewing never
    /// shortens it. `false`, and nothing happens, if another owner holds it at `now`.
    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError>;

    /// Gives a lease back. `false`, and nothing happens, if it is not this owner's.
    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError>;
}
