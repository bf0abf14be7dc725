//! What the printed rules say about conduct.

use core::num::NonZeroU8;

use crate::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction,
};

use Circumstance::Accident;
use IncidentKind::{
    ClockPress, ForbiddenMove, Other, Questions, RefusingToSign, RepeatedOffer, TakeBack, TwoMoves,
};
use Remedy::{FreeChoice, Restored, Void};
use Sanction::{Admonition, Loss, Violation};

/// The competition rules of Jirige about conduct, 2 and 3.
pub const CONDUCT: ConductRules = ConductRules {
    decisions: DECISIONS,
    // Part 4, losses, item 4.
    penalties_max: NonZeroU8::new(3).expect("three is not zero"),
    too_many: Reason::Violations,
    colours_until: None,
    claims: ClaimRules { no_winning_force: true, lapse_with_act: false, in_own_time: false },
};

const DECISIONS: &[AllowedDecision] = &[
    // 3.1
    AllowedDecision::new(TwoMoves, Void, Violation),
    // 2, 3.7; a stone that was clearly dropped only calls for a reminder.
    AllowedDecision::new(TakeBack, Restored, Violation).excludes(&[Accident]),
    AllowedDecision::new(TakeBack, FreeChoice, Admonition).needs(&[Accident]),
    // 3.1, 3.2
    AllowedDecision::new(ForbiddenMove, Void, Violation),
    // 3.3
    AllowedDecision::new(ClockPress, Remedy::Nothing, Violation),
    // 3.5
    AllowedDecision::new(RepeatedOffer, Remedy::Nothing, Violation),
    // 3.4
    AllowedDecision::new(Questions, Remedy::Nothing, Violation),
    // 3.6
    AllowedDecision::new(RefusingToSign, Remedy::Nothing, Violation),
    // 3.6: other disobedience and disrespect.
    AllowedDecision::new(Other, Remedy::Nothing, Admonition),
    AllowedDecision::new(Other, Remedy::Nothing, Violation),
    AllowedDecision::new(Other, Remedy::Nothing, Loss).chief(),
];
