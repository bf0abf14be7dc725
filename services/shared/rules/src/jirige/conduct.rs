//! What the printed rules say about conduct.

use core::num::NonZeroU8;

use crate::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction, decision,
};

use Circumstance::Accident;
use IncidentKind::{
    ClockPress, ForbiddenMove, Other, Questions, RefusingToSign, RepeatedOffer, TakeBack, TwoMoves,
};
use Remedy::{FreeChoice, Restored, Void};
use Sanction::{Admonition, Loss, Violation};

/// The competition rules of Jirige about conduct, 2 and 3.
pub(super) const CONDUCT: ConductRules = ConductRules {
    decisions: DECISIONS,
    // Part 4, losses, item 4.
    penalties_max: NonZeroU8::new(3).expect("three is not zero"),
    too_many: Reason::Violations,
    colours_until: None,
    claims: ClaimRules { no_winning_force: true, lapse_with_act: false, in_own_time: false },
};

const DECISIONS: &[AllowedDecision] = &[
    // 3.1
    decision(TwoMoves, Void, Violation),
    // 2, 3.7; a stone that was clearly dropped only calls for a reminder.
    decision(TakeBack, Restored, Violation).excludes(&[Accident]),
    decision(TakeBack, FreeChoice, Admonition).needs(&[Accident]),
    // 3.1, 3.2
    decision(ForbiddenMove, Void, Violation),
    // 3.3
    decision(ClockPress, Remedy::Nothing, Violation),
    // 3.5
    decision(RepeatedOffer, Remedy::Nothing, Violation),
    // 3.4
    decision(Questions, Remedy::Nothing, Violation),
    // 3.6
    decision(RefusingToSign, Remedy::Nothing, Violation),
    // 3.6: other disobedience and disrespect.
    decision(Other, Remedy::Nothing, Admonition),
    decision(Other, Remedy::Nothing, Violation),
    decision(Other, Remedy::Nothing, Loss).chief(),
];
