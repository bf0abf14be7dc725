//! The table of incidents: what the printed rules of each game say. `competition.md` 1.9, line by line.
//!
//! Where the rules name several decisions, the first that fits the circumstances is taken if nobody says otherwise.
//! A line without an entry for a game has none in print: such an incident is recorded as
//! [`IncidentKind::Other`], for which Go article 25.1 leaves the decision to the arbiter.

use std::{collections::BTreeSet, num::NonZeroU8};

use rules::{Reason, Violations};

use super::{Circumstance, Decision, IncidentKind, Remedy, Sanction};

/// Which printed rules of conduct a game is played under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// The competition rules of Go, for Go and the games made of it.
    Go,
    /// Those of Jiu.
    Jiu,
    /// Those of Jirige.
    Jirige,
}

/// A decision that the table allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// About what.
    pub kind: IncidentKind,
    /// The circumstances that must hold.
    pub needs: &'static [Circumstance],
    /// The circumstances that must not.
    pub excludes: &'static [Circumstance],
    /// What may be decided.
    pub decision: Decision,
    /// Whether only the chief arbiter may.
    pub chief_only: bool,
}

impl Conduct {
    /// The rules of conduct of a variant.
    pub fn of(variant: &str) -> Conduct {
        match variant {
            "jiu" => Conduct::Jiu,
            "jirige" => Conduct::Jirige,
            _ => Conduct::Go,
        }
    }

    /// Every decision that these rules allow, line by line.
    pub const fn table(self) -> &'static [Allowed] {
        match self {
            Conduct::Go => GO,
            Conduct::Jiu => JIU,
            Conduct::Jirige => JIRIGE,
        }
    }

    /// The decisions that are allowed about an incident under these circumstances, the usual one first.
    pub fn allowed(
        self,
        kind: IncidentKind,
        circumstances: &BTreeSet<Circumstance>,
    ) -> impl Iterator<Item = &'static Allowed> + use<'_> {
        self.table().iter().filter(move |line| {
            line.kind == kind
                && line.needs.iter().all(|it| circumstances.contains(it))
                && !line.excludes.iter().any(|it| circumstances.contains(it))
        })
    }

    /// How many warnings, or violations, lose a game when nobody says otherwise: two in Go (article 25.2), three
    /// in Jirige (part 4, losses, item 4); the Jiu text ends before it says, two by choice.
    pub fn penalties_max(self) -> NonZeroU8 {
        match self {
            Conduct::Go | Conduct::Jiu => TWO,
            Conduct::Jirige => Violations::JIRIGE_LIMIT.unwrap_or(TWO),
        }
    }

    /// Why a game is lost that is lost by too many of them.
    pub const fn reason(self) -> Reason {
        match self {
            Conduct::Go | Conduct::Jiu => Reason::Warnings,
            Conduct::Jirige => Reason::Violations,
        }
    }
}

const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

use Circumstance::{Accident, Agreed, ArbiterPresent, CannotRebuild, ClaimedAtOnce, OnPurpose, OutsideCause};
use IncidentKind::{
    ClockPress, Disturbing, ForbiddenMove, Leaving, MovedStone, Other, Questions, RefusingToSign,
    RepeatedOffer, ScatteredBoard, TakeBack, Talking, TwoMoves, WrongCapture,
};
use Remedy::{FreeChoice, Pass, ReasonablePoint, Rebuilt, Replay, Reported, Restored, Stands, Void};
use Sanction::{Admonition, Loss, Violation, Warning};

/// The competition rules of Go, articles 17 to 25.
const GO: &[Allowed] = &[
    // 17.1
    line(TwoMoves, Remedy::Nothing, Loss),
    // 17.2: a stone that was really dropped may be played anywhere.
    line(TakeBack, Restored, Warning).excludes(&[Accident]),
    line(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident]),
    // 19, 20.1
    line(ForbiddenMove, Pass, Sanction::Nothing),
    // 18
    line(WrongCapture, Restored, Warning),
    // 23.4
    line(ClockPress, Remedy::Nothing, Admonition),
    line(ClockPress, Remedy::Nothing, Warning),
    // 24.3
    line(Talking, Remedy::Nothing, Warning),
    line(Talking, Remedy::Nothing, Loss),
    // 24.2
    line(Disturbing, Remedy::Nothing, Admonition),
    line(Disturbing, Remedy::Nothing, Warning),
    // 24.1
    line(Leaving, Reported, Warning),
    // 17.3: on purpose it loses; otherwise the players agree or the chief arbiter decides.
    line(MovedStone, Remedy::Nothing, Loss).needs(&[OnPurpose]),
    line(MovedStone, Restored, Sanction::Nothing).needs(&[Agreed]).excludes(&[OnPurpose]),
    line(MovedStone, Stands, Sanction::Nothing).needs(&[Agreed]).excludes(&[OnPurpose]),
    line(MovedStone, Restored, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    line(MovedStone, Stands, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    line(MovedStone, Remedy::Draw, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    line(MovedStone, Replay, Sanction::Nothing).excludes(&[OnPurpose, Agreed]).chief(),
    // 17.4
    line(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[OutsideCause]).excludes(&[CannotRebuild]),
    line(ScatteredBoard, Remedy::Draw, Sanction::Nothing).needs(&[OutsideCause, CannotRebuild]),
    line(ScatteredBoard, Replay, Sanction::Nothing).needs(&[OutsideCause, CannotRebuild]),
    line(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[Accident]).excludes(&[
        OutsideCause,
        CannotRebuild,
        OnPurpose,
    ]),
    line(ScatteredBoard, Remedy::Nothing, Loss)
        .needs(&[Accident, CannotRebuild])
        .excludes(&[OutsideCause, OnPurpose]),
    // On purpose is not printed; it cannot cost less than an accident.
    line(ScatteredBoard, Remedy::Nothing, Loss).needs(&[OnPurpose]).excludes(&[OutsideCause]),
    // 25.1: what is not named is decided in the spirit of the rules, and referred to the chief arbiter in doubt.
    line(Other, Remedy::Nothing, Admonition),
    line(Other, Remedy::Nothing, Warning),
    line(Other, Remedy::Nothing, Loss).chief(),
];

/// The rules of Jiu, articles 4 to 6.
const JIU: &[Allowed] = &[
    // 6.1(2)
    line(TwoMoves, Void, Warning),
    // 6.1(3): only if claimed before the next move; a dropped stone by leave of the other side, or of the chief.
    line(TakeBack, Void, Warning).needs(&[ClaimedAtOnce]).excludes(&[Accident]),
    line(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident, Agreed]),
    line(TakeBack, FreeChoice, Sanction::Nothing).needs(&[Accident]).excludes(&[Agreed]).chief(),
    line(TakeBack, Void, Warning).needs(&[Accident, ClaimedAtOnce]).excludes(&[Agreed]).chief(),
    // 6.1(4): the reading of the clocks is not changed.
    line(ClockPress, Remedy::Nothing, Warning),
    // 4.5: up to two minutes in the presence of an arbiter are allowed; no sanction is printed for more.
    line(Talking, Remedy::Nothing, Sanction::Nothing).needs(&[ArbiterPresent]),
    line(Talking, Remedy::Nothing, Admonition).excludes(&[ArbiterPresent]),
    line(Talking, Remedy::Nothing, Warning).excludes(&[ArbiterPresent]),
    // 4.3, 5.3: claimed at once, or it lapses; no sanction is printed.
    line(Disturbing, Remedy::Nothing, Admonition).needs(&[ClaimedAtOnce]),
    line(Disturbing, Remedy::Nothing, Warning).needs(&[ClaimedAtOnce]),
    // 6.1(5)
    line(MovedStone, Restored, Sanction::Nothing).needs(&[Agreed]),
    line(MovedStone, ReasonablePoint, Sanction::Nothing).needs(&[Agreed]),
    line(MovedStone, ReasonablePoint, Sanction::Nothing).excludes(&[Agreed]).chief(),
    line(MovedStone, Stands, Sanction::Nothing).excludes(&[Agreed]).chief(),
    line(MovedStone, Remedy::Draw, Sanction::Nothing).excludes(&[Agreed]).chief(),
    line(MovedStone, Replay, Sanction::Nothing).excludes(&[Agreed]).chief(),
    // 6.1(6)
    line(ScatteredBoard, Rebuilt, Sanction::Nothing).needs(&[OutsideCause, Agreed]),
    line(ScatteredBoard, Remedy::Draw, Sanction::Nothing).needs(&[OutsideCause]).excludes(&[Agreed]).chief(),
    line(ScatteredBoard, Replay, Sanction::Nothing).needs(&[OutsideCause]).excludes(&[Agreed]).chief(),
    // Not named: as in Go.
    line(Other, Remedy::Nothing, Admonition),
    line(Other, Remedy::Nothing, Warning),
    line(Other, Remedy::Nothing, Loss).chief(),
];

/// The rules of Jirige, competition rules 2 and 3.
const JIRIGE: &[Allowed] = &[
    // 3.1
    line(TwoMoves, Void, Violation),
    // 2, 3.7; a stone that was clearly dropped only calls for a reminder.
    line(TakeBack, Restored, Violation).excludes(&[Accident]),
    line(TakeBack, FreeChoice, Admonition).needs(&[Accident]),
    // 3.1, 3.2
    line(ForbiddenMove, Void, Violation),
    // 3.3
    line(ClockPress, Remedy::Nothing, Violation),
    // 3.5
    line(RepeatedOffer, Remedy::Nothing, Violation),
    // 3.4
    line(Questions, Remedy::Nothing, Violation),
    // 3.6
    line(RefusingToSign, Remedy::Nothing, Violation),
    // 3.6: other disobedience and disrespect.
    line(Other, Remedy::Nothing, Admonition),
    line(Other, Remedy::Nothing, Violation),
    line(Other, Remedy::Nothing, Loss).chief(),
];

const fn line(kind: IncidentKind, remedy: Remedy, sanction: Sanction) -> Allowed {
    Allowed { kind, needs: &[], excludes: &[], decision: Decision { remedy, sanction }, chief_only: false }
}

impl Allowed {
    const fn needs(self, needs: &'static [Circumstance]) -> Self {
        Allowed { needs, ..self }
    }

    const fn excludes(self, excludes: &'static [Circumstance]) -> Self {
        Allowed { excludes, ..self }
    }

    const fn chief(self) -> Self {
        Allowed { chief_only: true, ..self }
    }
}
