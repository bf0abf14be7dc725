use core::num::NonZeroU8;

use crate::{ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction, decision};

/// What children agree on.
pub(super) const CONDUCT: ConductRules = ConductRules {
    decisions: &[decision(IncidentKind::TakeBack, Remedy::Restored, Sanction::Warning)],
    penalties_max: NonZeroU8::new(3).expect("three is not zero"),
    too_many: Reason::Warnings,
    colours_until: None,
    claims: ClaimRules { no_winning_force: false, lapse_with_act: false, in_own_time: false },
};
