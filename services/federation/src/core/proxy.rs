//! Who acts for a member who has no device.

use chassis::id::{AccountId, FederationId, MemberId};
use time::OffsetDateTime;
use uuid::Uuid;

/// The consent of a member that an account acts for him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// Its id.
    pub id: Uuid,
    /// In which federation.
    pub federation: FederationId,
    /// Who is acted for.
    pub member: MemberId,
    /// Who acts.
    pub account: AccountId,
    /// Whether the member consented with his own account.
    pub himself: bool,
    /// Who gave or noted it.
    pub given_by: AccountId,
    /// How the member consented, where it was noted.
    pub reason: String,
    /// From when it holds.
    pub given: OffsetDateTime,
    /// Who withdrew it, and when.
    pub withdrawn: Option<(AccountId, OffsetDateTime)>,
}

/// Lets an account act for a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Give {
    /// For whom.
    pub member: MemberId,
    /// Who.
    pub account: AccountId,
    /// How the member consented, where it is noted.
    pub reason: String,
}

/// Withdraws a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdraw {
    /// Which.
    pub id: Uuid,
}
