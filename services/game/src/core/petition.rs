//! What players ask of the officials of their game, and what they say to its result.

use super::ClaimKind;

/// What a player asks or says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Petition {
    /// Calls an arbiter, for this reason.
    CallArbiter(String),
    /// Files a claim.
    FileClaim(NewClaim),
    /// Appeals against the decision of a claim.
    Appeal {
        /// The claim.
        claim: u32,
        /// Why.
        text: String,
    },
    /// Confirms the result.
    Confirm,
}

/// A claim as it is filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClaim {
    /// What it is about.
    pub kind: ClaimKind,
    /// Why.
    pub text: String,
    /// The SHA-256 of what proves it.
    pub evidence: Option<[u8; 32]>,
    /// The incident whose decision is challenged.
    pub incident: Option<u32>,
    /// Whether it cannot wait for the claimant's own thinking time.
    pub urgent: bool,
    /// The ply at which it happened, in claims about conduct.
    pub ply: u32,
}

/// What ends because its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// The time to appeal against the decision of this claim.
    Claim(u32),
    /// The time to contest the result.
    Contest,
}
