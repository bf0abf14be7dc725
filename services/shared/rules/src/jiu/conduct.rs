//! What the printed rules say about conduct.

use core::num::NonZeroU8;

use crate::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction,
};

use Circumstance::{Accident, Agreed, ArbiterPresent, ClaimedAtOnce, OutsideCause};
use IncidentKind::{ClockPress, Disturbing, MovedStone, Other, ScatteredBoard, TakeBack, Talking, TwoMoves};
use Remedy::{FreeChoice, ReasonablePoint, Rebuilt, Replay, Restored, Stands, Void};
use Sanction::{Admonition, Loss, Warning};

/// The rules of Jiu about conduct, articles 4 to 6.
pub const CONDUCT: ConductRules = ConductRules {
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
    AllowedDecision::new(TwoMoves, Void, Warning),
    // 6.1(3): only if claimed before the next move; a dropped stone by leave of the other side, or of the chief.
    AllowedDecision::new(TakeBack, Void, Warning).needs(&[ClaimedAtOnce]).excludes(&[Accident]),
    AllowedDecision::new(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident, Agreed]),
    AllowedDecision::new(TakeBack, FreeChoice, Sanction::Nothing)
        .needs(&[Accident])
        .excludes(&[Agreed])
        .chief(),
    AllowedDecision::new(TakeBack, Void, Warning)
        .needs(&[Accident, ClaimedAtOnce])
        .excludes(&[Agreed])
        .chief(),
    // 6.1(4): the reading of the clocks is not changed.
    AllowedDecision::new(ClockPress, Remedy::Nothing, Warning),
    // 4.5: up to two minutes in the presence of an arbiter are allowed; no sanction is printed for more.
    AllowedDecision::new(Talking, Remedy::Nothing, Sanction::Nothing).needs(&[ArbiterPresent]),
    AllowedDecision::new(Talking, Remedy::Nothing, Admonition).excludes(&[ArbiterPresent]),
    AllowedDecision::new(Talking, Remedy::Nothing, Warning).excludes(&[ArbiterPresent]),
    // 4.3, 5.3: claimed at once, or it lapses; no sanction is printed.
    AllowedDecision::new(Disturbing, Remedy::Nothing, Admonition).needs(&[ClaimedAtOnce]),
    AllowedDecision::new(Disturbing, Remedy::Nothing, Warning).needs(&[ClaimedAtOnce]),
    // 6.1(5)
    AllowedDecision::new(MovedStone, Restored, Sanction::Nothing).needs(&[Agreed]),
    AllowedDecision::new(MovedStone, ReasonablePoint, Sanction::Nothing).needs(&[Agreed]),
    AllowedDecision::new(MovedStone, ReasonablePoint, Sanction::Nothing).excludes(&[Agreed]).chief(),
    AllowedDecision::new(MovedStone, Stands, Sanction::Nothing).excludes(&[Agreed]).chief(),
    AllowedDecision::new(MovedStone, Remedy::Draw, Sanction::Nothing).excludes(&[Agreed]).chief(),
    AllowedDecision::new(MovedStone, Replay, Sanction::Nothing).excludes(&[Agreed]).chief(),
    // 6.1(6)
    AllowedDecision::new(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[OutsideCause, Agreed]),
    AllowedDecision::new(ScatteredBoard, Remedy::Draw, Sanction::Nothing)
        .needs(&[OutsideCause])
        .excludes(&[Agreed])
        .chief(),
    AllowedDecision::new(ScatteredBoard, Replay, Sanction::Nothing)
        .needs(&[OutsideCause])
        .excludes(&[Agreed])
        .chief(),
    // Not named: as in Go.
    AllowedDecision::new(Other, Remedy::Nothing, Admonition),
    AllowedDecision::new(Other, Remedy::Nothing, Warning),
    AllowedDecision::new(Other, Remedy::Nothing, Loss).chief(),
];
