//! Why a change of an organisation is refused.

use std::time::Duration;

use chassis::id::MemberId;

use super::{import::Problem, league};

/// Why something is refused. Nothing is changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each says itself what it is")]
pub enum Refusal {
    #[error(transparent)]
    League(#[from] league::Refusal),
    #[error("there is no such federation")]
    UnknownFederation,
    #[error("there is no such club")]
    UnknownClub,
    #[error("there is no such member")]
    UnknownMember,
    #[error("there is no such team")]
    UnknownTeam,
    #[error("there is no such application")]
    UnknownApplication,
    #[error("there is no such invitation")]
    UnknownInvitation,
    #[error("there is no such proxy")]
    UnknownProxy,
    #[error("the account does not have this role")]
    UnknownOfficial,
    #[error("there is no such account")]
    UnknownAccount,
    #[error("the code opens nothing: it never was one, was used, or has expired")]
    UnknownCode,
    #[error("this takes an office in the federation that the caller does not hold")]
    NotAnOfficial,
    #[error("guests are no members: make it a full account first")]
    Guest,
    #[error("it has changed since the caller saw it")]
    RevisionPassed,
    #[error("the request id was used for something else")]
    RequestIdReused,
    #[error("it is dissolved, closed or disbanded")]
    Ended,
    #[error("he is no member now")]
    NotActive,
    #[error("there is one of this name already")]
    NameTaken,
    #[error("no more than {0}: {1}")]
    Full(u64, &'static str),
    #[error("{0} of its events are not over: finish them or call them off first")]
    EventsOpen(u64),
    #[error("somebody is in the club, or will be")]
    ClubNotEmpty,
    #[error("a merge takes two members of one federation")]
    NoDouble,
    #[error("a member of this name and day of birth is there already")]
    MemberExists(MemberId),
    #[error("he is a member")]
    IsMember(MemberId),
    #[error("another member has the number {0}")]
    NumberTaken(String, MemberId),
    #[error("the account is a member's, or the member has another account")]
    AccountBound(MemberId),
    #[error("before the member came to the club that he is in then, or to the federation")]
    TooEarly,
    #[error("nobody is born in the future")]
    Unborn,
    #[error("a transfer lies a year ahead at most")]
    TooFarAhead,
    #[error("the member is in this club then")]
    AlreadyInClub,
    #[error("both have an account: take one away first")]
    AccountsDiffer,
    #[error("{0}")]
    BadTeam(&'static str),
    #[error("the captain is captain of another team")]
    CaptainElsewhere,
    #[error("the federation takes no applications; one is invited")]
    NotOpen,
    #[error("the account has applied already")]
    AlreadyApplied,
    #[error("an invitation is for an account or has a code, and a member who has an account needs none")]
    BadInvitation,
    #[error("it was answered, taken back, or has expired")]
    AlreadyAnswered,
    #[error("too many tries at codes")]
    TooManyAttempts(Duration),
    #[error("a federation keeps one administrator at least")]
    LastAdministrator,
    #[error("{0}")]
    BadProxy(&'static str),
    #[error("the account may act for the member already")]
    AlreadyProxy,
    #[error("there is no such title")]
    UnknownTitle,
    #[error("the caller has no such calendar")]
    UnknownCalendar,
    #[error("there is no such award")]
    UnknownAward,
    #[error("{0}")]
    BadTitle(&'static str),
    #[error("there is a title of this name or rank already")]
    TitleExists,
    #[error("it is proposed for the member already")]
    TitleProposed,
    #[error("the member has it already")]
    TitleHeld,
    #[error("it takes a second person: not who has proposed it, nor the member, nor who acts for him")]
    SecondPerson,
    #[error("a title holds from today on or from before")]
    TitleAhead,
    #[error("nothing is taken of a file with {1} bad lines; the first: {first}", first = .0.first().map(ToString::to_string).unwrap_or_default())]
    BadImport(Vec<Problem>, usize),
    #[error("there is no such file of the caller's for this federation")]
    UnknownFile,
    #[error("{0}")]
    BadFile(&'static str),
    #[error("the first {0} bytes are there, and none after them")]
    BadOffset(u64),
    #[error("the file has changed since its beginning was asked for")]
    FileChanged,
    #[error("no more than {0} {1} wait to be imported")]
    TooManyFiles(u64, &'static str),
}
