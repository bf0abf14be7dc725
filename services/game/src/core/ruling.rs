//! What officials do in a game, and which of them may.

use std::{collections::BTreeSet, time::Duration};

use rules::{Outcome, Reason, Side, Verdict};
use time::OffsetDateTime;

use super::{AdjournmentStep, PauseReason, Report, Role, SealRuling};

/// An act of an official, with why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// Why, for everybody to read.
    pub reason: String,
    /// What.
    pub act: OfficialAct,
}

/// What an official does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfficialAct {
    /// Answers the call of this number.
    AnswerCall(u32),
    /// Records an incident and decides it. In the log the report has its number and its decision.
    RecordIncident(Report),
    /// Gives a side time.
    AddTime(Side, Duration),
    /// Takes time from a side.
    DeductTime(Side, Duration),
    /// Stops the game.
    Pause(PauseReason),
    /// Lets it go on.
    Resume(PauseReason),
    /// Makes every act after a ply void.
    VoidMoves(u32),
    /// Has the players change sides, because the colours were mixed up.
    CorrectColours,
    /// Notes that they were, and that it stands.
    NoteColours,
    /// Has calls made again, from the one that was due at this time; the last one if none is named.
    RepeatAnnouncement(Option<OffsetDateTime>),
    /// Confirms the result.
    Confirm,
    /// Ends the game, or changes its result.
    Declare(DeclaredResult),
    /// Annuls the game.
    Annul,
    /// Decides a claim.
    DecideClaim(ClaimDecision),
    /// Decides an appeal.
    DecideAppeal(ClaimDecision),
    /// Has the side whose turn it is seal its move.
    BeginSealing,
    /// Sets when an adjourned game goes on.
    SetResumption(OffsetDateTime),
    /// Decides what happens in the place of a sealed move that cannot be played.
    RuleOnSealed(SealRuling),
}

/// What is decided about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimDecision {
    /// The claim.
    pub claim: u32,
    /// Whether it is upheld.
    pub upheld: bool,
    /// The result that follows.
    pub result: Option<DeclaredResult>,
}

/// A result that an official declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredResult {
    /// A draw.
    Draw,
    /// This side loses.
    Loss(Side),
    /// Both lose.
    BothLose,
    /// The game counts for nothing and is to be replayed.
    Replay,
}

/// What is to be allowed: a row of the table of permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// To answer a call.
    AnswerCall,
    /// To record an incident and decide it.
    RecordIncident,
    /// To decide it as only the chief arbiter may.
    DecideAsChief,
    /// To give or take time.
    AdjustTime,
    /// To pause and resume.
    Pause,
    /// To make moves void.
    VoidMoves,
    /// To correct or note the colours.
    Colours,
    /// To have a count repeated.
    RepeatAnnouncement,
    /// To adjourn, to set the resumption, to rule on a sealed move that cannot be played.
    Adjourn,
    /// To confirm the result.
    Confirm,
    /// To declare a draw, a loss, both lost or a replay.
    Declare,
    /// To decide a claim.
    DecideClaim,
    /// To decide an appeal against an arbiter or a deputy.
    DecideAppeal,
    /// To decide an appeal against the chief arbiter.
    DecideLastAppeal,
    /// To annul the game.
    Annul,
}

impl Permission {
    /// Every permission.
    pub const ALL: [Permission; 15] = [
        Permission::AnswerCall,
        Permission::RecordIncident,
        Permission::DecideAsChief,
        Permission::AdjustTime,
        Permission::Pause,
        Permission::VoidMoves,
        Permission::Colours,
        Permission::RepeatAnnouncement,
        Permission::Adjourn,
        Permission::Confirm,
        Permission::Declare,
        Permission::DecideClaim,
        Permission::DecideAppeal,
        Permission::DecideLastAppeal,
        Permission::Annul,
    ];

    /// The roles that have it, the highest first.
    ///
    /// Go article 13.1 lets arbiters judge games lost or drawn "for various reasons": the reasons that the table
    /// of incidents gives are any arbiter's, what it leaves open is the deputy's and the chief's (25.1).
    pub const fn roles(self) -> &'static [Role] {
        use Role::{Arbiter, ChiefArbiter, Committee, Deputy, Scorer};
        match self {
            Permission::AnswerCall
            | Permission::RecordIncident
            | Permission::AdjustTime
            | Permission::Pause
            | Permission::VoidMoves
            | Permission::Colours
            | Permission::RepeatAnnouncement
            | Permission::Adjourn
            | Permission::DecideClaim => &[ChiefArbiter, Deputy, Arbiter],
            Permission::Confirm => &[ChiefArbiter, Deputy, Arbiter, Scorer],
            Permission::Declare => &[ChiefArbiter, Deputy],
            Permission::DecideAsChief | Permission::DecideAppeal => &[ChiefArbiter],
            Permission::DecideLastAppeal | Permission::Annul => &[Committee],
        }
    }

    /// The highest of these roles that has it.
    pub fn held_by(self, roles: &BTreeSet<Role>) -> Option<Role> {
        self.roles().iter().copied().find(|role| roles.contains(role))
    }
}

impl DeclaredResult {
    /// The outcome of a game that ends so, by the decision of an arbiter.
    pub const fn outcome(self) -> Outcome {
        let (verdict, reason) = match self {
            DeclaredResult::Draw => (Verdict::Draw, Reason::Arbiter),
            DeclaredResult::Loss(side) => (Verdict::Win(side.other()), Reason::Arbiter),
            DeclaredResult::BothLose => (Verdict::BothLose, Reason::Arbiter),
            DeclaredResult::Replay => (Verdict::Void, Reason::Replay),
        };
        Outcome { verdict, reason, score: None }
    }
}

impl Ruling {
    /// How it takes an adjournment a step on, if it does.
    pub fn adjournment_step(&self) -> Option<AdjournmentStep> {
        match &self.act {
            OfficialAct::BeginSealing => Some(AdjournmentStep::SealingBegun),
            OfficialAct::SetResumption(at) => Some(AdjournmentStep::ResumptionSet(*at)),
            OfficialAct::RuleOnSealed(ruling) => {
                Some(AdjournmentStep::Ruled { ruling: ruling.clone(), reason: self.reason.clone() })
            }
            _ => None,
        }
    }
}
