//! What somebody is told because it concerns him. Texts are no part of it: a kind and ids say everything, and whoever shows it
//! has the words.
//!
//! What an event tells by an entry of its log [`super::event::told`] says; what is done to organisations says it where it is
//! done. Other services bring theirs.

use std::{collections::BTreeSet, time::Duration};

use chassis::{
    id::{AccountId, EventId, FederationId, GameId, MemberId, TeamId, of_digest},
    limit::{Amount, Limit},
};
use pairing::Number;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    application::Answer,
    event::{ChallengeAnswer, Role, Stage},
    official,
};

/// The notices of an account that are kept.
pub const KEPT_MAX: u64 = 500;
/// How long a notice is kept.
pub const KEPT: Duration = Duration::from_hours(90 * 24);
/// Officials who are told of one thing that waits for them, the highest first: any of them can do it.
pub const OFFICIALS_TOLD_MAX: usize = 32;
/// Streams of one account at one server.
pub const STREAMS_MAX: usize = 8;
/// Notices that can be marked one by one in a call.
pub const MARKED_MAX: usize = 200;
/// Notices that another service can bring in a call.
pub const PUT_MAX: usize = 500;

/// The limits of notices.
pub const LIMITS: &[Limit] = &[
    count("notices of an account that are kept", KEPT_MAX, "an inbox; more than that nobody reads any more"),
    Limit {
        name: "time for which a notice is kept",
        amount: Amount::Time(KEPT),
        setting: None,
        reason: "a season; what was done stands in the logs of events for good",
    },
    count(
        "officials who are told of one thing that waits",
        OFFICIALS_TOLD_MAX as u64,
        "one of them does it; who calls again and again is not to fill hundreds of inboxes",
    ),
    count("streams of notices of an account at a server", STREAMS_MAX as u64, "a person's devices"),
    count("notices that are marked one by one in a call", MARKED_MAX as u64, "a page of them"),
    count(
        "notices that another service brings in a call",
        PUT_MAX as u64,
        "as many rows as one statement takes",
    ),
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}

/// What a notice tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A round in which he has a place is public.
    RoundPublished,
    /// A round in which he plays has begun.
    RoundBegun,
    /// A round in which he had a place is taken back.
    RoundRetracted,
    /// His board is played again.
    BoardReplayed,
    /// His board, which was postponed, begins.
    BoardBegun,
    /// A result of his was entered.
    ResultEntered,
    /// A result of his was decided.
    ResultDecided,
    /// A result of his is another one now.
    ResultAmended,
    /// The opponent wants another time for their board.
    PostponementAsked,
    /// Both players want another time, and an arbiter has to consent.
    PostponementWaits,
    /// His board is played at another time.
    BoardPostponed,
    /// Somebody challenges him.
    Challenged,
    /// A challenge of his, or to him, is answered or gone.
    ChallengeAnswered,
    /// The other side of his board proposes times for it.
    ProposalWaits,
    /// What he has proposed was declined, or nobody has answered.
    ProposalDeclined,
    /// His board is to be arranged.
    ArrangeDue,
    /// Nobody has arranged a board, and an arbiter has to decide.
    ArrangeWaits,
    /// He, who sits opposite, or a team takes leave.
    LeaveTaken,
    /// Such leave is ended early.
    LeaveEnded,
    /// His team's line-up is to be declared.
    LineUpDue,
    /// A line-up of a match of his team is public.
    LineUpPublished,
    /// His team has another captain in an event.
    CaptainChanged,
    /// The team that he leads has other players in an event.
    RosterChanged,
    /// A report of an incident names him.
    Incident,
    /// An incident that concerns him was ruled on.
    Ruling,
    /// An appeal of his was answered.
    AppealAnswered,
    /// An appeal waits for who can rule on it.
    AppealWaits,
    /// An incident that a player has reported waits for who can rule on it.
    IncidentWaits,
    /// A player calls an arbiter, or files a claim.
    ArbiterCalled,
    /// He has an office in an event.
    Appointed,
    /// He does not have it any more.
    Dismissed,
    /// He or his team was entered.
    Entered,
    /// He or his team was withdrawn.
    Withdrawn,
    /// He or his team was expelled.
    Expelled,
    /// All his results or those of his team were annulled.
    Annulled,
    /// He or his team plays again.
    Readmitted,
    /// He or his team is noted as away for a round.
    AbsenceNoted,
    /// The supplement has a new version, which he has to accept.
    SupplementChanged,
    /// An event goes on to another stage.
    EventAdvanced,
    /// An event is called off.
    EventCancelled,
    /// Somebody has applied for membership.
    ApplicationWaits,
    /// His application was answered.
    ApplicationAnswered,
    /// He is invited to be a member.
    Invited,
    /// He has an office in a federation.
    OfficeGranted,
    /// He does not have it any more.
    OfficeRevoked,
    /// He is captain of a team of a federation.
    TeamCaptain,
    /// He may act for a member.
    ProxyGiven,
    /// He has a title or a grade.
    TitleAwarded,
    /// He does not have it any more.
    TitleRevoked,
    /// Titles are proposed, and wait for a second person.
    TitleWaits,
    /// A title that he has proposed was refused.
    TitleRefused,
    /// A game of his is arranged, and begins when it is due.
    GameArranged,
    /// A game of his that was arranged is called off.
    GameCalledOff,
    /// A game of his that was arranged begins.
    GameBegun,
}

/// A notice as an account has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number among those of the account.
    pub number: u64,
    /// What it tells.
    pub kind: Kind,
    /// When that happened.
    pub at: OffsetDateTime,
    /// What it is about.
    pub about: About,
    /// Whether it was marked as read.
    pub is_read: bool,
}

/// What a notice is about, as far as it is about such things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The federation.
    pub federation: Option<FederationId>,
    /// The event.
    pub event: Option<EventId>,
    /// The entry of the event's log.
    pub sequence: u64,
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// Whom it concerns, by his number in the event.
    pub number: Option<Number>,
    /// Who sits opposite, challenges or was challenged.
    pub opponent: Option<Number>,
    /// His team, by its number in the event.
    pub team: Option<Number>,
    /// The team of the federation.
    pub team_id: Option<TeamId>,
    /// The member.
    pub member: Option<MemberId>,
    /// The account that has applied, leads, was dismissed or is the opponent in a game.
    pub account: Option<AccountId>,
    /// The incident.
    pub incident: u32,
    /// The version of the supplement.
    pub version: u32,
    /// The league.
    pub league: Option<Uuid>,
    /// The title.
    pub title: Option<Uuid>,
    /// The award of it.
    pub award: Option<Uuid>,
    /// The game.
    pub game: Option<GameId>,
    /// When it is due.
    pub due: Option<OffsetDateTime>,
    /// What else there is to say.
    pub detail: Option<Detail>,
}

/// What else there is to say of what a notice tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// An office in an event.
    EventRole(Role),
    /// An office in a federation.
    Office(official::Role),
    /// The stage that an event goes on to.
    Stage(Stage),
    /// What was answered to a challenge.
    Challenge(ChallengeAnswer),
    /// What was answered to an application.
    Application(Answer),
}

/// Who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum To {
    /// An account.
    Account(AccountId),
    /// A member by his account; where he has none, whoever acts for him.
    Member(MemberId),
    /// Those who have one of these offices in a federation, the first office first.
    Officials(FederationId, &'static [official::Role]),
}

/// That somebody is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Who.
    pub to: To,
    /// What.
    pub kind: Kind,
    /// About what.
    pub about: About,
    /// What it follows from: of one source an account is told once.
    pub source: Uuid,
    /// Who has brought it about: he knows it.
    pub by: Option<AccountId>,
}

/// What is told by something that can be named by its ids: told again, it is the same.
pub fn source(what: &str, parts: &[Uuid]) -> Uuid {
    let hash = Sha256::new_with_prefix(b"shoutan/notice\0").chain_update(what);
    let hash = parts.iter().fold(hash.chain_update(b"\0"), |hash, part| hash.chain_update(part.as_bytes()));
    of_digest(hash.finalize().into())
}

/// The kinds that an account does not want.
pub type Muted = BTreeSet<Kind>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_the_same_for_the_same_and_another_for_everything_else() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        assert_eq!(source("x", &[a, b]), source("x", &[a, b]));
        let all = [source("x", &[a, b]), source("x", &[b, a]), source("x", &[a]), source("y", &[a, b])];
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }
}
