//! Claims and appeals.
//!
//! A claim goes its way by this table; what is not in it is refused:
//!
//! | from | step | to |
//! |---|---|---|
//! | | filed by a player | open |
//! | open | decided by an official | decided |
//! | decided | appealed against by a player, before the deadline | appealed |
//! | decided | the deadline passes | final |
//! | appealed | decided by the chief arbiter, or by the committee if he decided before | final |
//!
//! As long as the game goes on there is no deadline: the time for appeals begins with its end, or with the decision
//! if that comes later.

use rules::Side;
use time::OffsetDateTime;

use super::{Permission, Role};

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The conduct of the other side.
    Conduct,
    /// The count of the result.
    Count,
    /// A decision about an incident.
    Decision,
    /// Nobody can win any more.
    NoWinningForce,
    /// Anything else.
    Other,
}

/// How far a claim has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimState {
    /// It waits for a decision.
    Open,
    /// It is decided.
    Decided,
    /// Its decision is appealed against.
    Appealed,
    /// It is settled.
    Final,
}

/// A claim, as far as what comes next depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its number within the game, from 1.
    pub number: u32,
    /// Who filed it.
    pub side: Side,
    /// What it is about.
    pub kind: ClaimKind,
    /// The incident that it is about.
    pub incident: Option<u32>,
    /// How far it has come.
    pub state: ClaimState,
    /// Whether the last decision upheld it.
    pub upheld: bool,
    /// Whether its first decision has changed the result of the game.
    pub changed_result: bool,
    /// In which office it was decided last.
    pub decided_by: Option<Role>,
    /// Until when the decision can be appealed against; none while the game goes on.
    pub deadline: Option<OffsetDateTime>,
}

/// What happens to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimStep {
    /// It is decided, and can be appealed against.
    Decide {
        /// Whether it is upheld.
        upheld: bool,
        /// In which office.
        role: Role,
    },
    /// A player appeals.
    Appeal,
    /// The deadline passes.
    Expire,
    /// The appeal is decided: the claim is upheld now, or is not.
    DecideAppeal {
        /// Whether the claim is upheld.
        upheld: bool,
        /// In which office.
        role: Role,
    },
}

impl Claim {
    /// The claim after a step; none if the step cannot be taken from where it is.
    pub fn after(self, step: ClaimStep) -> Option<Claim> {
        use ClaimState::{Appealed, Decided, Final, Open};
        Some(match (self.state, step) {
            (Open, ClaimStep::Decide { upheld, role }) => {
                Claim { state: Decided, upheld, decided_by: Some(role), ..self }
            }
            (Decided, ClaimStep::Appeal) => Claim { state: Appealed, deadline: None, ..self },
            (Decided, ClaimStep::Expire) => Claim { state: Final, deadline: None, ..self },
            (Appealed, ClaimStep::DecideAppeal { upheld, role }) => {
                Claim { state: Final, upheld, decided_by: Some(role), ..self }
            }
            _ => return None,
        })
    }

    /// What is needed to decide an appeal against its decision.
    pub fn appeal_permission(&self) -> Permission {
        match self.decided_by {
            Some(Role::ChiefArbiter) => Permission::DecideLastAppeal,
            _ => Permission::DecideAppeal,
        }
    }
}
