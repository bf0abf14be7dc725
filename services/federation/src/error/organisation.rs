//! What the refusals of organisations are on the wire.

use api::reason::{self, Reason};
use chassis::id::MemberId;
use tonic::Code;

use crate::core::refusal::Refusal;

/// Lines of a file that are named in a refusal; validate_only names more.
const LINES_TOLD: usize = 20;

/// A refusal as it is told.
pub(super) fn told(refusal: &Refusal) -> api::Error {
    if let Refusal::League(refusal) = refusal {
        return super::league::told(refusal);
    }
    let (code, reason, field) = shape(refusal);
    let message = refusal.to_string();
    let mut error = match (code, field) {
        (Code::InvalidArgument, Some(field)) => api::Error::invalid(reason, field, message),
        (code, field) => {
            let mut error = api::Error::new(code, reason, message.clone());
            error.fields.extend(field.map(|field| (field.to_owned(), message)));
            error
        }
    };
    if let Some(member) = member(refusal) {
        error = error.with_metadata("member_id", member.to_string());
    }
    match refusal {
        Refusal::TooManyAttempts(wait) => error.retry_after(*wait),
        Refusal::BadOffset(received) => error.with_metadata("received", received.to_string()),
        Refusal::BadImport(problems, _) => {
            let line = |problem: &crate::core::import::Problem| {
                let field = format!("csv[{}].{}", problem.line, problem.column);
                (field.trim_end_matches('.').to_owned(), format!("{}: {}", problem.reason, problem.message))
            };
            error.fields = problems.iter().take(LINES_TOLD).map(line).collect();
            error
        }
        _ => error,
    }
}

/// Who it is about.
fn member(refusal: &Refusal) -> Option<MemberId> {
    match refusal {
        Refusal::MemberExists(member)
        | Refusal::IsMember(member)
        | Refusal::NumberTaken(_, member)
        | Refusal::AccountBound(member) => Some(*member),
        _ => None,
    }
}

/// The code, the reason, and the field at fault where there is one.
fn shape(refusal: &Refusal) -> (Code, Reason, Option<&'static str>) {
    use Code::{
        Aborted, AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, OutOfRange, PermissionDenied,
        ResourceExhausted,
    };
    match refusal {
        Refusal::League(refusal) => {
            let told = super::league::told(refusal);
            (told.code, told.reason, None)
        }
        Refusal::UnknownFederation => (NotFound, reason::UNKNOWN_FEDERATION, Some("federation_id")),
        Refusal::UnknownClub => (NotFound, reason::UNKNOWN_CLUB, Some("club_id")),
        Refusal::UnknownMember => (NotFound, reason::UNKNOWN_MEMBER, Some("member_id")),
        Refusal::UnknownTeam => (NotFound, reason::UNKNOWN_TEAM, Some("team_id")),
        Refusal::UnknownApplication => (NotFound, reason::UNKNOWN_APPLICATION, Some("application_id")),
        Refusal::UnknownInvitation => (NotFound, reason::UNKNOWN_INVITATION, Some("invitation_id")),
        Refusal::UnknownProxy => (NotFound, reason::UNKNOWN_PROXY, Some("proxy_id")),
        Refusal::UnknownOfficial => (NotFound, reason::UNKNOWN_OFFICIAL, Some("account_id")),
        Refusal::UnknownAccount => (NotFound, reason::UNKNOWN_ACCOUNT, Some("account_id")),
        Refusal::UnknownCode => (NotFound, reason::UNKNOWN_CODE, Some("code")),
        Refusal::NotAnOfficial => (PermissionDenied, reason::NOT_AN_OFFICIAL, None),
        Refusal::Guest => (FailedPrecondition, reason::GUEST, None),
        Refusal::RevisionPassed => (Aborted, reason::REVISION_PASSED, Some("revision")),
        Refusal::RequestIdReused => (Aborted, reason::REQUEST_ID_REUSED, Some("request_id")),
        Refusal::Ended => (FailedPrecondition, reason::ORGANISATION_ENDED, None),
        Refusal::NotActive => (FailedPrecondition, reason::MEMBER_NOT_ACTIVE, Some("member_id")),
        Refusal::NameTaken => (AlreadyExists, reason::ORGANISATION_NAME_TAKEN, Some("name.native")),
        Refusal::Full(..) => (ResourceExhausted, reason::FEDERATION_FULL, None),
        Refusal::EventsOpen(_) => (FailedPrecondition, reason::EVENTS_OPEN, None),
        Refusal::ClubNotEmpty => (FailedPrecondition, reason::CLUB_NOT_EMPTY, Some("club_id")),
        Refusal::NoDouble => (InvalidArgument, reason::BAD_MEMBER, Some("double_id")),
        Refusal::MemberExists(_) => (AlreadyExists, reason::MEMBER_EXISTS, Some("member.name")),
        Refusal::IsMember(_) => (FailedPrecondition, reason::MEMBER_EXISTS, Some("member_id")),
        Refusal::NumberTaken(..) => (AlreadyExists, reason::NUMBER_TAKEN, Some("member.numbers")),
        Refusal::AccountBound(_) => (AlreadyExists, reason::ACCOUNT_BOUND, Some("account_id")),
        Refusal::TooEarly | Refusal::TooFarAhead => (InvalidArgument, reason::BAD_DATE, Some("from_date")),
        Refusal::Unborn => (InvalidArgument, reason::BAD_DATE, Some("member.birth_date")),
        Refusal::AlreadyInClub => (FailedPrecondition, reason::ALREADY_IN_CLUB, Some("club_id")),
        Refusal::AccountsDiffer => (FailedPrecondition, reason::ACCOUNTS_DIFFER, Some("double_id")),
        Refusal::BadTeam(_) => (InvalidArgument, reason::BAD_TEAM, Some("team.members")),
        Refusal::CaptainElsewhere => (FailedPrecondition, reason::CAPTAIN_ELSEWHERE, Some("team.captain_id")),
        Refusal::NotOpen => (FailedPrecondition, reason::NOT_OPEN, Some("federation_id")),
        Refusal::AlreadyApplied => (AlreadyExists, reason::ALREADY_APPLIED, Some("federation_id")),
        Refusal::BadInvitation => (InvalidArgument, reason::BAD_INVITATION, Some("account_id")),
        Refusal::AlreadyAnswered => (FailedPrecondition, reason::ALREADY_ANSWERED, None),
        Refusal::TooManyAttempts(_) => (ResourceExhausted, reason::TOO_MANY_ATTEMPTS, Some("code")),
        Refusal::LastAdministrator => (FailedPrecondition, reason::LAST_ADMINISTRATOR, Some("account_id")),
        Refusal::BadProxy(_) => (InvalidArgument, reason::BAD_PROXY, Some("account_id")),
        Refusal::AlreadyProxy => (AlreadyExists, reason::ALREADY_PROXY, Some("account_id")),
        Refusal::UnknownTitle => (NotFound, reason::UNKNOWN_TITLE, Some("title_id")),
        Refusal::UnknownCalendar => (NotFound, reason::UNKNOWN_CALENDAR, Some("feed_id")),
        Refusal::UnknownAward => (NotFound, reason::UNKNOWN_AWARD, Some("award_id")),
        Refusal::BadTitle(_) => (InvalidArgument, reason::BAD_TITLE, None),
        Refusal::TitleExists => (AlreadyExists, reason::TITLE_EXISTS, Some("title.name")),
        Refusal::TitleProposed => (AlreadyExists, reason::TITLE_PROPOSED, Some("title_id")),
        Refusal::TitleHeld => (AlreadyExists, reason::TITLE_HELD, Some("title_id")),
        Refusal::SecondPerson => (PermissionDenied, reason::SECOND_PERSON, None),
        Refusal::TitleAhead => (InvalidArgument, reason::BAD_DATE, Some("effective_date")),
        Refusal::BadImport(..) => (InvalidArgument, reason::BAD_IMPORT, Some("csv")),
        Refusal::UnknownFile => (NotFound, reason::UNKNOWN_FILE, Some("file_id")),
        Refusal::BadFile(_) => (InvalidArgument, reason::BAD_FILE, None),
        Refusal::BadOffset(_) => (OutOfRange, reason::BAD_FILE_OFFSET, Some("offset")),
        Refusal::FileChanged => (Aborted, reason::FILE_CHANGED, Some("sha256")),
        Refusal::TooManyFiles(..) => (ResourceExhausted, reason::TOO_MANY_FILES, None),
    }
}
