//! Who may do what in an event, and when: one table, which is code, documentation and test at once.

use std::{collections::BTreeSet, fmt};

use super::Stage;

/// What somebody is to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The chief arbiter (裁判长).
    ChiefArbiter,
    /// A deputy of the chief arbiter (副裁判长).
    Deputy,
    /// An arbiter (裁判员).
    Arbiter,
    /// A scorer (记录员).
    Scorer,
    /// A member of the organising committee (组委会).
    Committee,
    /// An administrator of the federation.
    Administrator,
    /// Who has entered, or his proxy.
    Player,
    /// A member of the federation.
    Member,
    /// Anybody.
    Public,
    /// The captain of a team that has entered.
    Captain,
}

impl Role {
    /// Every role. Of several that somebody has, the first that may act is the one in which he acts.
    pub const ALL: [Role; 10] = [
        Role::ChiefArbiter,
        Role::Deputy,
        Role::Arbiter,
        Role::Scorer,
        Role::Committee,
        Role::Administrator,
        Role::Player,
        Role::Member,
        Role::Public,
        Role::Captain,
    ];

    /// Its name, in lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Role::ChiefArbiter => "chief_arbiter",
            Role::Deputy => "deputy",
            Role::Arbiter => "arbiter",
            Role::Scorer => "scorer",
            Role::Committee => "committee",
            Role::Administrator => "administrator",
            Role::Player => "player",
            Role::Member => "member",
            Role::Public => "public",
            Role::Captain => "captain",
        }
    }

    /// Whether an event appoints people to it.
    pub const fn is_office(self) -> bool {
        matches!(self, Role::ChiefArbiter | Role::Deputy | Role::Arbiter | Role::Scorer | Role::Committee)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What can be done in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Write its settings.
    EditSettings,
    /// Adopt the supplement, and with it the settings (31.1).
    Adopt,
    /// Appoint and dismiss arbiters: deputies, arbiters, scorers (31.3).
    Appoint,
    /// Appoint and dismiss those above them: the chief arbiter and the committee.
    AppointLeaders,
    /// Tick off an item of the checklist.
    Check,
    /// Take it to the next stage.
    Advance,
    /// Call it off.
    Cancel,
    /// Enter, and accept the supplement.
    Enter,
    /// Enter somebody else.
    EnterOthers,
    /// Leave, or say that one is away for a round.
    Withdraw,
    /// Withdraw, expel, annul or readmit somebody, and note absences for others.
    ChangeEntry,
    /// Forbid a pairing (H4).
    Prohibit,
    /// Commit to the seed of the draws.
    CommitSeed,
    /// Pair a round, look at it, edit it, publish it, take it back, start it.
    Pair,
    /// Lift rules of pairing, in the order of section 1.3.
    Relax,
    /// Enter a result that was not played here.
    EnterResult,
    /// Decide a result, whatever was played.
    DecideResult,
    /// Confirm a result that a scorer has entered.
    ConfirmResult,
    /// Say that one is there for the next round; ask for another time of one's board.
    CheckIn,
    /// Say so for others.
    CheckInOthers,
    /// Propose times for one's board where games are arranged, and answer such proposals.
    Arrange,
    /// Take leave oneself, and end it.
    TakeLeave,
    /// Grant leave to anybody, and end it.
    GrantLeave,
    /// Consent to another time of a board.
    Postpone,
    /// Report an incident.
    Report,
    /// Rule on an incident.
    Rule,
    /// Appeal against a ruling.
    Appeal,
    /// Rule on an appeal.
    RuleOnAppeal,
    /// Read what was reported.
    ReadReports,
    /// File the chief arbiter's report and the assessments of arbiters (31.10).
    FilePapers,
    /// Amend what is final, with a reason.
    Amend,
    /// Read it before it is announced.
    ReadDraft,
    /// Read private notes and reasons.
    ReadPrivate,
    /// See results that are not broadcast yet.
    SeeUndelayed,
    /// Enter a team: one's own, or another's.
    EnterTeam,
    /// Withdraw, expel, annul or readmit a team, and note its absences.
    ChangeTeam,
    /// Give a team another captain.
    ChangeCaptain,
    /// Give a team other players: one's own, or another's.
    ChangeRoster,
    /// Accept the supplement for one's team, have it away for a round, ask for another time of its boards or arrange them,
    /// take leave for it, or leave with it.
    LeadTeam,
    /// Declare a line-up of one's team, and hand it in.
    DeclareLineUp,
    /// Challenge somebody on a ladder, withdraw that, or answer a challenge.
    Challenge,
    /// Answer a challenge for who is challenged, and end one that was accepted.
    AnswerForOthers,
    /// Make a statement, or as an official a private note.
    State,
    /// Have arbiters sit at a board.
    SeatArbiters,
    /// Have places shared, or drawn by lot, that a play-off was to decide.
    SettleTies,
    /// Post on its notice board, and withdraw what hangs there.
    Post,
}

use Role::{Administrator, Arbiter, Captain, ChiefArbiter, Committee, Deputy, Member, Player, Scorer};
use Stage::{Adopted, Closing, Draft, Final, Registration, Running};

/// The stages before an event is over.
const OPEN: &[Stage] = &[Draft, Adopted, Registration, Running, Closing];
/// The stages in which there are players.
const PEOPLED: &[Stage] = &[Registration, Running];
/// Every stage.
const ALWAYS: &[Stage] = &Stage::ALL;
/// Who runs an event.
const ARBITERS: &[Role] = &[ChiefArbiter, Deputy, Arbiter];
/// Who leads the arbiters.
const CHIEFS: &[Role] = &[ChiefArbiter, Deputy];
/// Who holds an event.
const HOLDERS: &[Role] = &[Committee, Administrator];
/// Whoever has an office.
const OFFICIALS: &[Role] = &[ChiefArbiter, Deputy, Arbiter, Scorer, Committee, Administrator];

/// The table: who may do what, and in which stages.
pub const ROWS: &[(Act, &[Role], &[Stage])] = &[
    (Act::EditSettings, &[ChiefArbiter, Committee, Administrator], &[Draft, Adopted, Registration, Running]),
    (Act::Adopt, &[Committee], &[Draft]),
    (Act::Appoint, &[ChiefArbiter, Committee, Administrator], OPEN),
    (Act::AppointLeaders, HOLDERS, OPEN),
    (Act::Check, CHIEFS, OPEN),
    (Act::Advance, &[ChiefArbiter, Committee], &[Adopted, Registration, Running, Closing]),
    (Act::Cancel, HOLDERS, OPEN),
    (Act::Enter, &[Player, Member], PEOPLED),
    (Act::EnterOthers, &[ChiefArbiter, Deputy, Committee, Administrator], PEOPLED),
    (Act::Withdraw, &[Player], PEOPLED),
    (Act::ChangeEntry, CHIEFS, &[Registration, Running, Closing]),
    (Act::Prohibit, &[ChiefArbiter, Committee], PEOPLED),
    (Act::CommitSeed, CHIEFS, &[Adopted, Registration]),
    (Act::Pair, CHIEFS, &[Running]),
    (Act::Relax, &[ChiefArbiter], &[Running]),
    (Act::EnterResult, &[ChiefArbiter, Deputy, Arbiter, Scorer], &[Running, Closing]),
    (Act::DecideResult, CHIEFS, &[Running, Closing]),
    (Act::ConfirmResult, ARBITERS, &[Running, Closing]),
    (Act::CheckIn, &[Player], &[Running]),
    (Act::CheckInOthers, ARBITERS, &[Running]),
    (Act::Arrange, &[Player], &[Running]),
    (Act::TakeLeave, &[Player], &[Running]),
    (Act::GrantLeave, &[ChiefArbiter], &[Running]),
    (Act::Postpone, ARBITERS, &[Running]),
    (Act::Report, &[ChiefArbiter, Deputy, Arbiter, Scorer, Player], &[Running, Closing]),
    (Act::Rule, ARBITERS, &[Running, Closing]),
    (Act::Appeal, &[Player], &[Running, Closing]),
    (Act::RuleOnAppeal, &[ChiefArbiter, Committee], &[Running, Closing]),
    (Act::ReadReports, &[ChiefArbiter, Deputy, Arbiter, Committee, Administrator], ALWAYS),
    (Act::FilePapers, &[ChiefArbiter], &[Running, Closing]),
    (Act::Amend, &[Committee], &[Final]),
    (Act::ReadDraft, OFFICIALS, ALWAYS),
    (Act::ReadPrivate, &[ChiefArbiter, Deputy, Committee, Administrator], ALWAYS),
    (Act::SeeUndelayed, OFFICIALS, ALWAYS),
    (Act::EnterTeam, &[ChiefArbiter, Deputy, Committee, Administrator, Member, Captain], PEOPLED),
    (Act::ChangeTeam, CHIEFS, &[Registration, Running, Closing]),
    (Act::ChangeCaptain, &[ChiefArbiter, Deputy, Administrator], PEOPLED),
    (Act::ChangeRoster, &[ChiefArbiter, Deputy, Committee, Administrator, Captain], PEOPLED),
    (Act::LeadTeam, &[Captain], PEOPLED),
    (Act::DeclareLineUp, &[Captain], &[Running]),
    (Act::Challenge, &[Player], &[Running]),
    (Act::AnswerForOthers, ARBITERS, &[Running]),
    (Act::State, &[ChiefArbiter, Deputy, Arbiter, Scorer, Player], &[Running, Closing]),
    (Act::SeatArbiters, CHIEFS, &[Running]),
    (Act::SettleTies, &[Committee], &[Running, Closing]),
    (Act::Post, OFFICIALS, ALWAYS),
];

/// What it takes to give an office, or to take it away.
pub const fn appointing(office: Role) -> Act {
    match office {
        ChiefArbiter | Committee => Act::AppointLeaders,
        _ => Act::Appoint,
    }
}

/// Why somebody may not act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAllowed {
    /// None of his roles may.
    #[error("only these may: {}", Roles(.0))]
    Role(&'static [Role]),
    /// The event is not in a stage for it.
    #[error("not while the event is in the stage {0}")]
    Stage(Stage),
}

struct Roles(&'static [Role]);

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|role| role.name()).collect();
        f.write_str(&names.join(", "))
    }
}

/// The role in which somebody acts: the first of his that may.
///
/// # Errors
/// When none may, or none may in this stage.
pub fn allowed(act: Act, roles: &BTreeSet<Role>, stage: Stage) -> Result<Role, NotAllowed> {
    let Some((_, may, stages)) = ROWS.iter().find(|(row, ..)| *row == act) else {
        return Err(NotAllowed::Role(&[]));
    };
    let role = Role::ALL.into_iter().find(|role| may.contains(role) && roles.contains(role));
    let role = role.ok_or(NotAllowed::Role(may))?;
    if stages.contains(&stage) { Ok(role) } else { Err(NotAllowed::Stage(stage)) }
}
