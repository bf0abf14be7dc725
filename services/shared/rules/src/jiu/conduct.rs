//! What the printed rules say about conduct.

use core::num::NonZeroU8;

use crate::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction, decision,
};

use Circumstance::{Accident, Agreed, ArbiterPresent, ClaimedAtOnce, OutsideCause};
use IncidentKind::{ClockPress, Disturbing, MovedStone, Other, ScatteredBoard, TakeBack, Talking, TwoMoves};
use Remedy::{FreeChoice, ReasonablePoint, Rebuilt, Replay, Restored, Stands, Void};
use Sanction::{Admonition, Loss, Warning};

/// The rules of Jiu about conduct, articles 4 to 6.
pub(super) const CONDUCT: ConductRules = ConductRules {
    decisions: DECISIONS,
    // The text ends before it says: two by choice, as in Go.
    penalties_max: NonZeroU8::new(2).expect("two is not zero"),
    too_many: Reason::Warnings,
    // 6.1(1)
    colours_until: Some(10),
    // 5.3
    claims: ClaimRules { no_winning_force: false, lapse_with_act: true, in_own_time: false },
};

const DECISIONS: &[AllowedDecision] = &[
    // 6.1(2)
    decision(TwoMoves, Void, Warning),
    // 6.1(3): only if claimed before the next move; a dropped stone by leave of the other side, or of the chief.
    decision(TakeBack, Void, Warning).needs(&[ClaimedAtOnce]).excludes(&[Accident]),
    decision(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident, Agreed]),
    decision(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident]).excludes(&[Agreed]).chief(),
    decision(TakeBack, Void, Warning).needs(&[Accident, ClaimedAtOnce]).excludes(&[Agreed]).chief(),
    // 6.1(4): the reading of the clocks is not changed.
    decision(ClockPress, Remedy::Nothing, Warning),
    // 4.5: up to two minutes in the presence of an arbiter are allowed by leave of the chief, which nobody else gives; no
    // sanction is printed for more.
    decision(Talking, Remedy::Nothing, Sanction::Nothing).needs(&[ArbiterPresent]).chief(),
    decision(Talking, Remedy::Nothing, Admonition).excludes(&[ArbiterPresent]),
    decision(Talking, Remedy::Nothing, Warning).excludes(&[ArbiterPresent]),
    // 4.3, 5.3: claimed at once, or it lapses; no sanction is printed.
    decision(Disturbing, Remedy::Nothing, Admonition).needs(&[ClaimedAtOnce]),
    decision(Disturbing, Remedy::Nothing, Warning).needs(&[ClaimedAtOnce]),
    // 6.1(5)
    decision(MovedStone, Restored, Sanction::Nothing).needs(&[Agreed]),
    decision(MovedStone, ReasonablePoint, Sanction::Nothing).needs(&[Agreed]),
    decision(MovedStone, ReasonablePoint, Sanction::Nothing).excludes(&[Agreed]).chief(),
    decision(MovedStone, Stands, Sanction::Nothing).excludes(&[Agreed]).chief(),
    decision(MovedStone, Remedy::Draw, Sanction::Nothing).excludes(&[Agreed]).chief(),
    decision(MovedStone, Replay, Sanction::Nothing).excludes(&[Agreed]).chief(),
    // 6.1(6)
    decision(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[OutsideCause, Agreed]),
    decision(ScatteredBoard, Remedy::Draw, Sanction::Nothing)
        .needs(&[OutsideCause])
        .excludes(&[Agreed])
        .chief(),
    decision(ScatteredBoard, Replay, Sanction::Nothing).needs(&[OutsideCause]).excludes(&[Agreed]).chief(),
    // Not named: as in Go.
    decision(Other, Remedy::Nothing, Admonition),
    decision(Other, Remedy::Nothing, Warning),
    decision(Other, Remedy::Nothing, Loss).chief(),
];
