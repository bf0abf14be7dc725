//! Incidents: what happened against the rules of conduct, and what was decided about it.

use std::collections::BTreeSet;

use rules::Side;

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
}

impl IncidentKind {
    /// Every kind, in the order of the table.
    pub const ALL: [IncidentKind; 14] = [
        IncidentKind::TwoMoves,
        IncidentKind::TakeBack,
        IncidentKind::ForbiddenMove,
        IncidentKind::WrongCapture,
        IncidentKind::ClockPress,
        IncidentKind::Talking,
        IncidentKind::Disturbing,
        IncidentKind::RepeatedOffer,
        IncidentKind::Questions,
        IncidentKind::RefusingToSign,
        IncidentKind::Leaving,
        IncidentKind::MovedStone,
        IncidentKind::ScatteredBoard,
        IncidentKind::Other,
    ];
}

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
    /// An arbiter had allowed it and was present.
    ArbiterPresent,
}

impl Circumstance {
    /// Every circumstance.
    pub const ALL: [Circumstance; 7] = [
        Circumstance::OnPurpose,
        Circumstance::Accident,
        Circumstance::OutsideCause,
        Circumstance::Agreed,
        Circumstance::ClaimedAtOnce,
        Circumstance::CannotRebuild,
        Circumstance::ArbiterPresent,
    ];
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
