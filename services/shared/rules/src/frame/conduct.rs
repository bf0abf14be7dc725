//! Rules of conduct as data: what can happen beside the board, and what the printed rules of a game let an arbiter
//! decide about it. `competition.md` 1.9, line by line.

use alloc::collections::BTreeSet;
use core::num::NonZeroU8;

use crate::Reason;

/// What the printed rules of a game say about conduct.
///
/// Where they name several decisions, the first that fits the circumstances is taken if nobody says otherwise. An
/// incident that they do not name is recorded as [`IncidentKind::Other`], for which Go article 25.1 leaves the decision
/// to the arbiter.
#[derive(Debug)]
pub struct ConductRules {
    /// Every decision that they allow, line by line.
    pub decisions: &'static [AllowedDecision],
    /// How many warnings, or violations, lose a game when nobody says otherwise.
    pub penalties_max: NonZeroU8,
    /// Why a game is lost that is lost by too many of them.
    pub too_many: Reason,
    /// The last ply at which colours that were mixed up are corrected; none where no rule says so.
    pub colours_until: Option<u32>,
    /// What players may claim, and when.
    pub claims: ClaimRules,
}

/// What players may claim, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimRules {
    /// A player may claim that the other side has too little left to win with.
    pub no_winning_force: bool,
    /// A claim about conduct lapses with the claimant's next act.
    pub lapse_with_act: bool,
    /// While play goes on a player claims in his own thinking time, unless it is urgent.
    pub in_own_time: bool,
}

/// A decision that the rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedDecision {
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

listed! {
    /// What can happen, a line of the table of incidents each.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum IncidentKind {
        /// Two moves in a row, though the other side has not passed.
        TwoMoves,
        /// A move taken back, or a stone touched and another one moved.
        TakeBack,
        /// A stone on a forbidden point, an immediate retake of a ko; in Jirige any move that the rules forbid.
        ForbiddenMove,
        /// Stones that have liberties taken off.
        WrongCapture,
        /// The clock pressed early or with the wrong hand, started or stopped without leave.
        ClockPress,
        /// Talking about the game, looking things up.
        Talking,
        /// Disturbing the other side.
        Disturbing,
        /// A draw offered again after it was refused.
        RepeatedOffer,
        /// Questions in one's own thinking time.
        Questions,
        /// Refusing to sign, to obey or to be polite.
        RefusingToSign,
        /// Leaving without cause.
        Leaving,
        /// A stone is found to have been moved earlier.
        MovedStone,
        /// The stones are scattered.
        ScatteredBoard,
        /// Anything that the table does not name.
        Other,
        /// Walking about in the hall.
        WalkingAbout,
        /// Watching the games of others.
        WatchingOthers,
        /// Manners: what is said, done or worn.
        Manners,
    }
}

listed! {
    /// What the table asks about the circumstances.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Circumstance {
        /// It was on purpose.
        OnPurpose,
        /// It was an accident.
        Accident,
        /// The cause lies outside the game.
        OutsideCause,
        /// Both players agree on what is to be done.
        Agreed,
        /// It was claimed before the claimant's next move.
        ClaimedAtOnce,
        /// The position cannot be set up again.
        CannotRebuild,
        /// It had been allowed, and an arbiter was present.
        ArbiterPresent,
    }
}

/// What is done about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// Nothing.
    Nothing,
    /// The move is void.
    Void,
    /// The move is void and counts as a pass.
    Pass,
    /// The stones go back where they were.
    Restored,
    /// The stones stay where they are.
    Stands,
    /// The moved stone goes to a reasonable point, or one on which both agree.
    ReasonablePoint,
    /// The position is set up again.
    Rebuilt,
    /// The dropped stone may be played anywhere.
    FreeChoice,
    /// The committee is told.
    Reported,
    /// The game is a draw.
    Draw,
    /// The game is to be replayed.
    Replay,
}

/// What becomes of the accused, from mild to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sanction {
    /// Nothing.
    Nothing,
    /// He is admonished (劝告); it does not count.
    Admonition,
    /// He is warned (警告).
    Warning,
    /// A violation (违例) is noted.
    Violation,
    /// He loses the game.
    Loss,
}

impl Sanction {
    /// Whether it counts towards the loss of the game.
    pub const fn counts(self) -> bool {
        matches!(self, Sanction::Warning | Sanction::Violation)
    }
}

/// What is decided about an incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is done about the game.
    pub remedy: Remedy,
    /// What becomes of the accused.
    pub sanction: Sanction,
}

impl ConductRules {
    /// The decisions that are allowed about an incident under these circumstances, the usual one first.
    pub fn allowed<'a>(
        &self,
        kind: IncidentKind,
        circumstances: &'a BTreeSet<Circumstance>,
    ) -> impl Iterator<Item = &'static AllowedDecision> + use<'a> {
        self.decisions.iter().filter(move |line| {
            line.kind == kind
                && line.needs.iter().all(|it| circumstances.contains(it))
                && !line.excludes.iter().any(|it| circumstances.contains(it))
        })
    }
}

/// A line that holds under all circumstances, for every arbiter.
pub(crate) const fn decision(kind: IncidentKind, remedy: Remedy, sanction: Sanction) -> AllowedDecision {
    let decision = Decision { remedy, sanction };
    AllowedDecision { kind, needs: &[], excludes: &[], decision, chief_only: false }
}

impl AllowedDecision {
    pub(crate) const fn needs(self, needs: &'static [Circumstance]) -> Self {
        AllowedDecision { needs, ..self }
    }

    pub(crate) const fn excludes(self, excludes: &'static [Circumstance]) -> Self {
        AllowedDecision { excludes, ..self }
    }

    pub(crate) const fn chief(self) -> Self {
        AllowedDecision { chief_only: true, ..self }
    }
}
