//! What the printed rules say about conduct.

use core::num::NonZeroU8;

use crate::{
    AllowedDecision, Circumstance, ClaimRules, ConductRules, IncidentKind, Reason, Remedy, Sanction, decision,
};

use Circumstance::{Accident, Agreed, CannotRebuild, OnPurpose, OutsideCause};
use IncidentKind::{
    ClockPress, Disturbing, ForbiddenMove, Leaving, Manners, MovedStone, Other, ScatteredBoard, TakeBack,
    Talking, TwoMoves, WalkingAbout, WatchingOthers, WrongCapture,
};
use Remedy::{FreeChoice, Pass, Rebuilt, Replay, Reported, Restored, Stands};
use Sanction::{Admonition, Loss, Warning};

/// The competition rules of Go, articles 17 to 25, for Go and the games made of it.
pub const CONDUCT: ConductRules = ConductRules {
    decisions: DECISIONS,
    // 25.2
    penalties_max: NonZeroU8::new(2).expect("two is not zero"),
    too_many: Reason::Warnings,
    colours_until: None,
    // 16.2
    claims: ClaimRules { no_winning_force: false, lapse_with_act: false, in_own_time: true },
};

const DECISIONS: &[AllowedDecision] = &[
    // 17.1
    decision(TwoMoves, Remedy::Nothing, Loss),
    // 17.2: a stone that was really dropped may be played anywhere.
    decision(TakeBack, Restored, Warning).excludes(&[Accident]),
    decision(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident]),
    // 19, 20.1
    decision(ForbiddenMove, Pass, Sanction::Nothing),
    // 18
    decision(WrongCapture, Restored, Warning),
    // 23.4
    decision(ClockPress, Remedy::Nothing, Admonition),
    decision(ClockPress, Remedy::Nothing, Warning),
    // 24.3
    decision(Talking, Remedy::Nothing, Warning),
    decision(Talking, Remedy::Nothing, Loss),
    // 24.2
    decision(Disturbing, Remedy::Nothing, Admonition),
    decision(Disturbing, Remedy::Nothing, Warning),
    // 24.1
    decision(Leaving, Reported, Warning),
    // 17.3: on purpose it loses; otherwise the players agree or the chief arbiter decides.
    decision(MovedStone, Remedy::Nothing, Loss).needs(&[OnPurpose]),
    decision(MovedStone, Restored, Sanction::Nothing).needs(&[Agreed]).excludes(&[OnPurpose]),
    decision(MovedStone, Stands, Sanction::Nothing).needs(&[Agreed]).excludes(&[OnPurpose]),
    decision(MovedStone, Restored, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    decision(MovedStone, Stands, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    decision(MovedStone, Remedy::Draw, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    decision(MovedStone, Replay, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    // 17.4
    decision(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[OutsideCause]).excludes(&[CannotRebuild]),
    decision(ScatteredBoard, Remedy::Draw, Sanction::Nothing).needs(&[OutsideCause, CannotRebuild]),
    decision(ScatteredBoard, Replay, Sanction::Nothing).needs(&[OutsideCause, CannotRebuild]),
    decision(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[Accident]).excludes(&[
        OutsideCause,
        CannotRebuild,
        OnPurpose,
    ]),
    decision(ScatteredBoard, Remedy::Nothing, Loss)
        .needs(&[Accident, CannotRebuild])
        .excludes(&[OutsideCause, OnPurpose]),
    // On purpose is not printed; it cannot cost less than an accident.
    decision(ScatteredBoard, Remedy::Nothing, Loss).needs(&[OnPurpose]).excludes(&[OutsideCause]),
    // 25.1: what is not named is decided in the spirit of the rules, and referred to the chief arbiter in doubt.
    decision(Other, Remedy::Nothing, Admonition),
    decision(Other, Remedy::Nothing, Warning),
    decision(Other, Remedy::Nothing, Loss).chief(),
    // 15.4, 15.5: named without a sanction, and so decided as what is not named.
    decision(WalkingAbout, Remedy::Nothing, Admonition),
    decision(WalkingAbout, Remedy::Nothing, Warning),
    decision(WalkingAbout, Remedy::Nothing, Loss).chief(),
    decision(WatchingOthers, Remedy::Nothing, Admonition),
    decision(WatchingOthers, Remedy::Nothing, Warning),
    decision(WatchingOthers, Remedy::Nothing, Loss).chief(),
    decision(Manners, Remedy::Nothing, Admonition),
    decision(Manners, Remedy::Nothing, Warning),
    decision(Manners, Remedy::Nothing, Loss).chief(),
];
