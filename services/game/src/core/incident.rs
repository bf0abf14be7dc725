//! Incidents: what happened against the rules of conduct, and what was decided about it.

use std::collections::BTreeSet;

use rules::{Circumstance, Decision, IncidentKind, Side};

/// An incident as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Its number within the game, from 1.
    pub number: u32,
    /// What happened.
    pub kind: IncidentKind,
    /// Who is accused, if a player is.
    pub accused: Option<Side>,
    /// The player who reported it, if one did.
    pub reporter: Option<Side>,
    /// Under which circumstances.
    pub circumstances: BTreeSet<Circumstance>,
    /// The ply at which it happened.
    pub ply: u32,
    /// The SHA-256 of what proves it.
    pub evidence: Option<[u8; 32]>,
    /// What is decided.
    pub decision: Decision,
    /// The claim against an earlier decision that this one replaces.
    pub appeal_of: Option<u32>,
}

/// An incident that is reported, before it has a number and perhaps a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What happened; number and decision in it mean nothing.
    pub incident: Incident,
    /// What is decided; the table's first answer if nothing is.
    pub decision: Option<Decision>,
}
