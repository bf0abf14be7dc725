//! What an event's log says happened.

use std::collections::BTreeSet;

use chassis::id::{AccountId, FederationId, GameId, MemberId, RequestId};
use pairing::{
    Number, Reason, Relaxed, ResultCode, Status, Ties,
    lots::Seed,
    swiss::{PairReason, Tiers},
};
use time::OffsetDateTime;

use super::{
    CheckItem, EntryUpdate, Role, Settings, Stage, TeamFact,
    arranging::ArrangingFact,
    challenge::LadderFact,
    fair_play::FairPlayFact,
    imported::Origin,
    incident::{Notice, Report, Ruling},
    leave::LeaveFact,
};
use crate::core::name::Name;

/// SHA-256 of something.
pub type Digest = [u8; 32];

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number, from 1 without gaps.
    pub sequence: u64,
    /// When it was written, by the platform's time.
    pub at: OffsetDateTime,
    /// Who brought it about.
    pub actor: Actor,
    /// By which request; none where nobody asked.
    pub request: Option<RequestId>,
    /// What happened.
    pub fact: Fact,
}

/// Who brought something about. People are ids here and nothing else: what they are called stands in the roster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The server, because a time had come or a game had ended.
    Server,
    /// Somebody, in the role in which he acted.
    Person {
        /// His account.
        account: AccountId,
        /// His role.
        role: Role,
        /// For whom, where he is a proxy.
        on_behalf_of: Option<MemberId>,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The event came to be.
    Created {
        /// Whose it is.
        federation: FederationId,
        /// What it is called.
        name: Name,
        /// What it is.
        settings: Box<Settings>,
    },
    /// Its settings are others now. After the adoption this makes a new version of the supplement, which those who have
    /// entered must accept anew.
    SettingsChanged {
        /// What it is now.
        settings: Box<Settings>,
        /// SHA-256 of the supplement's text with them.
        text: Digest,
        /// Why.
        reason: String,
    },
    /// The committee has adopted a version of the supplement, which is held to by its hash.
    Adopted {
        /// Which version.
        version: u32,
        /// SHA-256 of its text.
        text: Digest,
    },
    /// The event goes on.
    Advanced {
        /// To this stage.
        to: Stage,
    },
    /// The event is called off.
    Cancelled {
        /// Why.
        reason: String,
    },
    /// An item of the checklist is ticked off, or is open again.
    Checked {
        /// Which.
        item: CheckItem,
        /// Whether it is done.
        done: bool,
    },
    /// Somebody has an office now.
    Appointed {
        /// Who.
        account: AccountId,
        /// Which office.
        role: Role,
    },
    /// Somebody does not have an office any more (31.3: only for serious neglect, so there is a reason).
    Dismissed {
        /// Who.
        account: AccountId,
        /// Which office.
        role: Role,
        /// Why, beside the log.
        reason: Sealed,
    },
    /// Somebody has entered.
    Entered(Entrant),
    /// What is said of somebody who has entered is corrected.
    EntryUpdated(EntryUpdate),
    /// Who has entered accepts a version of the supplement.
    Accepted {
        /// Who.
        number: Number,
        /// Which version.
        version: u32,
    },
    /// One more row of what an entrant is to the event.
    StatusAdded {
        /// Who.
        number: Number,
        /// The row.
        status: Status,
        /// Why, beside the log; none where nothing was said.
        reason: Option<Sealed>,
    },
    /// Two must not meet (H4).
    Prohibited {
        /// Who.
        pair: [Number; 2],
        /// From which round.
        from_round: u16,
        /// Until which round.
        to_round: u16,
        /// Why, beside the log.
        reason: Sealed,
    },
    /// What every draw of the event will be held to: the head of a chain of hashes, of which each round opens one more
    /// link.
    SeedCommitted {
        /// The head.
        head: Digest,
    },
    /// A round is public.
    RoundPublished(Box<PublishedRound>),
    /// A round that was public is not played (before its first move).
    RoundRetracted {
        /// Which.
        round: u16,
        /// Why.
        reason: String,
    },
    /// A round begins: its games are made.
    RoundStarted {
        /// Which.
        round: u16,
    },
    /// What came of a board. The last such entry of a board holds.
    Result {
        /// Where.
        board: BoardId,
        /// What came of it.
        result: BoardResult,
    },
    /// A board is played again: its next game is made.
    ReplayStarted {
        /// Where.
        board: BoardId,
    },
    /// The chief arbiter's report is there.
    ReportFiled {
        /// What it says, beside the log.
        text: Sealed,
    },
    /// The chief arbiter has assessed an arbiter (31.10).
    ArbiterAssessed {
        /// Whom.
        account: AccountId,
        /// What he says, beside the log.
        text: Sealed,
    },
    /// It was held elsewhere, and all of it comes from a file.
    Imported(Box<Origin>),
    /// What was final was amended.
    Amended {
        /// Why.
        reason: String,
    },
    /// The committee has the places shared, or drawn by lot, that no play-off has decided.
    TiesSettled {
        /// What is done with them.
        ties: Ties,
        /// Why no play-off is held.
        reason: String,
    },
    /// Something happened to the teams of the event.
    Team(TeamFact),
    /// Something about a challenge on the ladder.
    Ladder(LadderFact),
    /// Something about an incident.
    Incident(IncidentFact),
    /// Something about who is there and when boards are played.
    Timing(TimingFact),
    /// Something for the sake of fair play.
    FairPlay(FairPlayFact),
    /// Something about when a board is played by what its players agree on.
    Arranging(ArrangingFact),
    /// Something about who is on leave, and when.
    Leave(LeaveFact),
}

/// What happened about an incident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncidentFact {
    /// An incident is reported.
    Reported(Report),
    /// An instance has ruled on an incident.
    Ruled {
        /// Which incident.
        number: u32,
        /// What stands now.
        ruling: Ruling,
        /// Whether an appeal was granted by it.
        granted: bool,
        /// Why, beside the log.
        reason: Sealed,
    },
    /// A ruling is appealed against.
    Appealed {
        /// On which incident.
        number: u32,
        /// By whom.
        appellant: Number,
        /// What he says, beside the log.
        text: Sealed,
    },
    /// The log of a game tells something beside its result.
    Noticed {
        /// Where it is played.
        board: BoardId,
        /// What.
        notice: Notice,
    },
}

/// What happened about the times of boards, and who is there for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingFact {
    /// Somebody says that he is there for a round.
    CheckedIn {
        /// Who.
        number: Number,
        /// For which.
        round: u16,
    },
    /// A player wants a board to be played at another time, or agrees to that.
    PostponementAsked {
        /// Which.
        board: BoardId,
        /// Who.
        number: Number,
        /// To when.
        until: OffsetDateTime,
    },
    /// An arbiter consents: the board is played at another time, and counts as adjourned until then.
    BoardPostponed {
        /// Which.
        board: BoardId,
        /// To when.
        until: OffsetDateTime,
    },
    /// A postponed board begins: its game is made.
    BoardStarted {
        /// Which.
        board: BoardId,
    },
}

/// Something that stands beside the log: the SHA-256 of a salt and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed(pub Digest);

/// A player as he has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// His number in the event, from 1 in the order of entries.
    pub number: Number,
    /// Who: a member of the federation.
    pub member: MemberId,
    /// The account with which he plays here; none for one who plays over the board alone.
    pub account: Option<AccountId>,
    /// What he shares with others of his club or region: those who share one are kept apart (S3).
    pub affiliations: Vec<u32>,
    /// What he is rated, if that is known; it stays as it was on entry.
    pub rating: Option<i32>,
    /// His grade, where the format begins from grades.
    pub grade: Option<i32>,
    /// The version of the supplement that he accepts.
    pub accepts: u32,
    /// The first round he can be paired in.
    pub from_round: u16,
}

/// A place at which two meet in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId {
    /// The round, from 1.
    pub round: u16,
    /// The table, from 1.
    pub table: u32,
}

/// A round as it was made public. It is an input of whatever is worked out later, and never paired anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRound {
    /// Which, from 1.
    pub round: u16,
    /// Whether it is one of the play-offs, which counts for the order of those alone who share a place.
    pub play_off: bool,
    /// The boards, table 1 first; where teams meet, those that were laid when it began.
    pub boards: Vec<Board>,
    /// Where teams meet, the matches: a match is to teams what a board is to players. Its table is its number, and its
    /// players are teams, of whom the first has the first colour on boards of odd numbers.
    pub matches: Vec<Board>,
    /// Who has no game, and what he gets for it; a team where teams meet.
    pub out: Vec<(Number, ResultCode)>,
    /// The link of the chain of seeds that this round opens.
    pub seed: Seed,
    /// SHA-256 of what it was paired from; where no scores pair, of the order of who is there and of what follows from
    /// everything else.
    pub input: Digest,
    /// Which rules were lifted.
    pub relaxed: Relaxed,
    /// What the pools cost, from the top, where it was paired by section 2.
    pub tiers: Vec<Tiers>,
    /// What the chief arbiter changed of it, and why.
    pub edits: Vec<String>,
    /// When it begins, if that is known.
    pub start: Option<OffsetDateTime>,
}

impl PublishedRound {
    /// Everybody who has a place in it, with a game or without one.
    pub(super) fn members(&self) -> BTreeSet<Number> {
        let paired = self.boards.iter().chain(&self.matches).flat_map(|board| board.players);
        paired.chain(self.out.iter().map(|(number, _)| *number)).collect()
    }
}

/// Two who meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The table, from 1.
    pub table: u32,
    /// The two; who has the colour that moves first stands first, where colours are given.
    pub players: [Number; 2],
    /// Whether colours are given; else the game decides on them.
    pub coloured: bool,
    /// The place in a bracket, where there is one.
    pub place: Option<pairing::knockout::MatchId>,
    /// Why these two.
    pub reasons: Vec<PairReason>,
    /// The handicap of the first of the two; 0 in an even game.
    pub handicap: u32,
}

/// What came of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardResult {
    /// For each of the two, in the order of the board.
    pub codes: [ResultCode; 2],
    /// Why.
    pub reason: Reason,
    /// Whether they played with the colours the other way round.
    pub played_turned: bool,
    /// Whether an arbiter found that the colours were assigned the other way round.
    pub assigned_turned: bool,
    /// Warnings that each was given in the game.
    pub warnings: [u32; 2],
    /// Where it comes from.
    pub source: ResultSource,
}

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSource {
    /// The game's own log.
    Game {
        /// The game.
        game: GameId,
        /// The number of the event of its log that this follows from: of two reports the later one holds.
        sequence: u64,
    },
    /// A board in a hall: entered by one official and confirmed by another.
    OverTheBoard {
        /// Who confirmed it.
        confirmed_by: Option<AccountId>,
    },
    /// An official's decision.
    Decision,
    /// Somebody left, and his games are lost or void.
    Departure,
    /// Nobody has arranged the board in time.
    Unarranged,
}

impl Fact {
    /// What of it stands beside the log.
    pub fn sealed(&self) -> Option<Sealed> {
        match self {
            Fact::Dismissed { reason, .. }
            | Fact::Prohibited { reason, .. }
            | Fact::Incident(IncidentFact::Ruled { reason, .. }) => Some(*reason),
            Fact::StatusAdded { reason, .. }
            | Fact::Leave(LeaveFact::Taken { reason, .. } | LeaveFact::Ended { reason, .. })
            | Fact::Team(TeamFact::StatusAdded { reason, .. } | TeamFact::CaptainChanged { reason, .. }) => {
                *reason
            }
            Fact::Team(TeamFact::RosterChanged(change)) => change.reason,
            Fact::ReportFiled { text }
            | Fact::ArbiterAssessed { text, .. }
            | Fact::Incident(IncidentFact::Appealed { text, .. }) => Some(*text),
            Fact::Incident(IncidentFact::Reported(report)) => Some(report.text),
            Fact::FairPlay(FairPlayFact::Stated(statement)) => Some(statement.text),
            _ => None,
        }
    }
}

impl Actor {
    /// Whose account it was; none where it was the server.
    pub const fn account(self) -> Option<AccountId> {
        match self {
            Actor::Server => None,
            Actor::Person { account, .. } => Some(account),
        }
    }
}

impl BoardResult {
    /// A result by an official.
    pub const fn decided(codes: [ResultCode; 2], reason: Reason) -> BoardResult {
        BoardResult {
            codes,
            reason,
            played_turned: false,
            assigned_turned: false,
            warnings: [0, 0],
            source: ResultSource::Decision,
        }
    }

    /// Whether nothing more is awaited of the board.
    pub fn is_settled(&self) -> bool {
        let confirmed = !matches!(self.source, ResultSource::OverTheBoard { confirmed_by: None });
        confirmed && !self.codes.iter().any(|code| code.is_provisional())
    }
}
