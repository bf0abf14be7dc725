//! The roles of accounts.

use chassis::{
    auth::{RoleGrant, RoleScope},
    id::AccountId,
};
use time::OffsetDateTime;
use uuid::Uuid;

/// Roles of one account at most. All of them travel in its tokens, of which no service reads more than 4,096
/// bytes: the longest take two thirds of that.
pub const ROLES_MAX: u64 = 32;

/// A role that an account has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its id, by which lists are sorted.
    pub id: Uuid,
    /// Whose it is.
    pub account: AccountId,
    /// Which, and where it holds.
    pub grant: RoleGrant,
    /// Who granted it, if it was an account.
    pub granted_by: Option<AccountId>,
    /// When.
    pub granted: OffsetDateTime,
}

/// A role that an account is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantRole {
    /// The account.
    pub account: AccountId,
    /// What it is to be, and where.
    pub grant: RoleGrant,
    /// Who grants it; none when that is the operator.
    pub granted_by: Option<AccountId>,
}

/// A role that an account is to have no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevokeRole {
    /// The account.
    pub account: AccountId,
    /// What it is, and where.
    pub grant: RoleGrant,
}

/// Which roles to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleFilter {
    /// Those of an account.
    Account(AccountId),
    /// Those in an event or a federation.
    In(RoleScope),
}

/// A role, and the account's name as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleRecord {
    /// The role.
    pub held: Held,
    /// The name.
    pub name: String,
}
