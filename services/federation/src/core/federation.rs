//! Federations.

use chassis::id::{AccountId, FederationId};
use time::OffsetDateTime;

use super::name::Name;

/// A federation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Federation {
    /// Its id.
    pub id: FederationId,
    /// Its name.
    pub name: Name,
    /// What it says about itself.
    pub about: String,
    /// Whether anybody may apply.
    pub open: bool,
    /// Who founded it.
    pub founder: AccountId,
    /// When.
    pub founded: OffsetDateTime,
    /// When it was dissolved.
    pub dissolved: Option<OffsetDateTime>,
    /// Grows with every change.
    pub revision: i64,
}

/// Founds a federation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub name: Name,
    /// What it says about itself.
    pub about: String,
    /// Whether anybody may apply.
    pub open: bool,
}

/// Changes a federation: what is `None` stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Which.
    pub id: FederationId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// The name.
    pub name: Option<Name>,
    /// What it says about itself.
    pub about: Option<String>,
    /// Whether anybody may apply.
    pub open: Option<bool>,
}

/// Dissolves a federation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dissolve {
    /// Which.
    pub id: FederationId,
    /// The revision that was seen.
    pub revision: Option<i64>,
}
