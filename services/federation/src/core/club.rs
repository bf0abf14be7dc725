//! Clubs.

use chassis::id::{ClubId, FederationId};
use time::OffsetDateTime;

use super::name::Name;

/// A club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Club {
    /// Its id.
    pub id: ClubId,
    /// Its federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Where it plays.
    pub place: String,
    /// When it was made.
    pub made: OffsetDateTime,
    /// When it was closed.
    pub closed: Option<OffsetDateTime>,
    /// Grows with every change.
    pub revision: i64,
}

/// Makes a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Of which federation.
    pub federation: FederationId,
    /// Its name.
    pub name: Name,
    /// Where it plays.
    pub place: String,
}

/// Changes a club: what is `None` stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Which.
    pub id: ClubId,
    /// The revision that was seen.
    pub revision: Option<i64>,
    /// The name.
    pub name: Option<Name>,
    /// Where it plays.
    pub place: Option<String>,
}

/// Closes a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Close {
    /// Which.
    pub id: ClubId,
    /// The revision that was seen.
    pub revision: Option<i64>,
}
