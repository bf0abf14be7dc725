//! Rating lists of a federation: which games count, what a list follows from, and how what was counted is counted anew.
//!
//! The arithmetic is that of `strength`; a [`Policy`] says which games it is done with. A list is one step after another: what
//! has changed of what an earlier list counted is counted anew by making that step, and those after it, once more
//! ([`plan::Plan`]). A list that was published never changes.

mod counted;
pub mod export;
mod grade;
pub mod import;
pub mod limits;
pub mod paper;
pub mod plan;
mod policy;
mod refusal;

pub use counted::{Counted, FormatKind, Place, Speed};
pub use grade::grade;
pub use policy::{Create, Policy, Update};
pub use refusal::Refusal;

use chassis::id::{AccountId, RatingPolicyId};
use strength::Digest;
use time::{Date, OffsetDateTime};

/// A list that was published, without its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// By which policy.
    pub policy: RatingPolicyId,
    /// Which of its lists, from 1.
    pub number: u32,
    /// Its day.
    pub day: Date,
    /// When it was published.
    pub at: OffsetDateTime,
    /// By whom.
    pub by: AccountId,
    /// By which version of the policy.
    pub version: u32,
    /// The digest of its input.
    pub input: Digest,
    /// The digest of its bytes.
    pub list: Digest,
    /// How many are listed with a place.
    pub listed: u32,
    /// How many games it reckons with.
    pub games: u32,
    /// Of how many events.
    pub events: u32,
    /// The first step that was made anew for it; its own number where none was.
    pub recomputed_from: u32,
}
