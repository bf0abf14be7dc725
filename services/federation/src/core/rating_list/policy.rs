//! How a federation makes one of its rating lists.

use chassis::id::{AccountId, FederationId, RatingPolicyId};
use time::OffsetDateTime;

use super::{Counted, Refusal, limits::NAME_CHARS_MAX};

/// A version of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its id.
    pub id: RatingPolicyId,
    /// Whose it is.
    pub federation: FederationId,
    /// Which version, from 1.
    pub version: u32,
    /// What it is called.
    pub name: String,
    /// Which games count.
    pub counted: Counted,
    /// What is done with them.
    pub rating: strength::Policy,
    /// When this version was made.
    pub made: OffsetDateTime,
    /// By whom.
    pub by: AccountId,
}

/// Makes a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// Of which federation.
    pub federation: FederationId,
    /// What it is called.
    pub name: String,
    /// Which games count.
    pub counted: Counted,
    /// What is done with them.
    pub rating: strength::Policy,
}

/// Makes the next version of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Which.
    pub id: RatingPolicyId,
    /// The version that was seen.
    pub version: Option<u32>,
    /// What it is called.
    pub name: String,
    /// Which games count.
    pub counted: Counted,
    /// What is done with them.
    pub rating: strength::Policy,
}

impl Policy {
    /// Makes sure that it makes sense.
    ///
    /// # Errors
    /// [`Refusal::BadPolicy`] with the first field that does not.
    pub fn check(&self) -> Result<(), Refusal> {
        let chars = self.name.chars().count();
        if !(1..=NAME_CHARS_MAX).contains(&chars) {
            return Err(Refusal::BadPolicy("name", "1 to 80 characters".to_owned()));
        }
        self.counted.check()?;
        Ok(self.rating.check()?)
    }
}
