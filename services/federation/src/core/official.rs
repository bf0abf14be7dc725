//! Officials of a federation as a whole.

use chassis::{
    auth,
    id::{AccountId, FederationId},
};
use time::OffsetDateTime;
use uuid::Uuid;

/// What an account is in a federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Looks after the federation. No token names him.
    Administrator,
    /// Of the organising committee.
    Committee,
    /// The chief arbiter of every event.
    ChiefArbiter,
    /// A deputy of the chief arbiter.
    Deputy,
    /// An arbiter.
    Arbiter,
    /// A scorer.
    Scorer,
}

/// Whether tokens carry a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conveyance {
    /// Identity has not answered.
    Pending,
    /// Identity knows, or need not.
    Done,
    /// Identity refuses for good, for this reason.
    Refused(String),
}

/// An official.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Official {
    /// The id of this tenure.
    pub id: Uuid,
    /// Where.
    pub federation: FederationId,
    /// Who.
    pub account: AccountId,
    /// What.
    pub role: Role,
    /// Whether tokens carry it.
    pub conveyance: Conveyance,
    /// Who granted it.
    pub granted_by: AccountId,
    /// When.
    pub granted: OffsetDateTime,
    /// Who revoked it, and when.
    pub revoked: Option<(AccountId, OffsetDateTime)>,
}

/// Grants a role, or revokes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appoint {
    /// Where.
    pub federation: FederationId,
    /// Whose.
    pub account: AccountId,
    /// Which.
    pub role: Role,
}

/// Revokes a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revoke(pub Appoint);

impl Role {
    /// Every role.
    pub const ALL: [Role; 6] =
        [Role::Administrator, Role::Committee, Role::ChiefArbiter, Role::Deputy, Role::Arbiter, Role::Scorer];

    /// The role as tokens name it; none for administrators.
    pub const fn in_tokens(self) -> Option<auth::Role> {
        match self {
            Role::Administrator => None,
            Role::Committee => Some(auth::Role::Committee),
            Role::ChiefArbiter => Some(auth::Role::ChiefArbiter),
            Role::Deputy => Some(auth::Role::Deputy),
            Role::Arbiter => Some(auth::Role::Arbiter),
            Role::Scorer => Some(auth::Role::Scorer),
        }
    }
}

impl Official {
    /// Whether he may act here: his role was not revoked, and identity did not refuse it.
    pub const fn holds(&self) -> bool {
        self.revoked.is_none() && !matches!(self.conveyance, Conveyance::Refused(_))
    }
}
