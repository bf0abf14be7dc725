//! How much of everything a federation may have.

use std::time::Duration;

use chassis::limit::{Amount, Limit};

/// Federations that one account founded and that are not dissolved.
pub const FEDERATIONS_PER_ACCOUNT_MAX: u64 = 5;
/// Clubs of a federation that are not closed.
pub const CLUBS_MAX: u64 = 5_000;
/// Members of a federation, with those who left.
pub const MEMBERS_MAX: u64 = 100_000;
/// Teams of a federation that are not disbanded.
pub const TEAMS_MAX: u64 = 10_000;
/// Members of a team.
pub const TEAM_MEMBERS_MAX: usize = 50;
/// Officials of a federation who hold their roles.
pub const OFFICIALS_MAX: u64 = 200;
/// Applications to a federation that wait for an answer.
pub const APPLICATIONS_MAX: u64 = 1_000;
/// Applications of an account that wait for an answer.
pub const APPLICATIONS_PER_ACCOUNT_MAX: u64 = 20;
/// Invitations of a federation that wait for an answer.
pub const INVITATIONS_MAX: u64 = 5_000;
/// Invitations of an account that wait for an answer.
pub const INVITATIONS_PER_ACCOUNT_MAX: u64 = 100;
/// Who may act for a member at a time.
pub const PROXIES_MAX: u64 = 5;
/// Changes of clubs of one member.
pub const STAYS_MAX: usize = 200;
/// Numbers of a member in other lists.
pub const NUMBERS_MAX: usize = 8;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 80;
/// Characters of what a federation says about itself.
pub const ABOUT_CHARS_MAX: usize = 2_000;
/// Characters of notes, reasons and replies.
pub const NOTE_CHARS_MAX: usize = 500;
/// Characters of a place.
pub const PLACE_CHARS_MAX: usize = 80;
/// Characters of a grade.
pub const GRADE_CHARS_MAX: usize = 16;
/// Bytes of a file of members that comes in one message.
pub const IMPORT_BYTES_MAX: usize = 2 << 20;
/// Bytes of a file of members that was sent in parts.
pub const ROSTER_BYTES_MAX: usize = 16 << 20;
/// Lines of a file of members, without the heading.
pub const IMPORT_LINES_MAX: usize = 20_000;
/// Columns of a file of members or ratings.
pub const IMPORT_COLUMNS_MAX: usize = 1_000;
/// Problems of a file that are told one by one.
pub const PROBLEMS_MAX: usize = 200;
/// Days that an invitation is valid when nobody says otherwise, and at most.
pub const INVITATION_DAYS: u32 = 14;
/// See [`INVITATION_DAYS`].
pub const INVITATION_DAYS_MAX: u32 = 90;
/// Days that a transfer may lie ahead.
pub const AHEAD_DAYS_MAX: i64 = 366;
/// Tries at codes of one account at once; then one each `CODE_TRIES_WINDOW / CODE_TRIES`.
pub const CODE_TRIES: u32 = 10;
/// See [`CODE_TRIES`].
pub const CODE_TRIES_WINDOW: Duration = Duration::from_mins(10);
/// How long it is known what a request made.
pub const REQUESTS_KEPT: Duration = Duration::from_hours(24);

/// What the service takes and keeps no more of, as far as organisations go.
pub const LIMITS: &[Limit] = &[
    count(
        "federations that one account founded",
        FEDERATIONS_PER_ACCOUNT_MAX,
        "names of federations are not to be taken by the dozen",
    ),
    count("clubs of a federation", CLUBS_MAX, "the largest national federations have some thousand"),
    count(
        "members of a federation",
        MEMBERS_MAX,
        "the largest lists of ratings have as many; those who left count, for their ids stay",
    ),
    count("teams of a federation", TEAMS_MAX, "two of each club"),
    count("members of a team", TEAM_MEMBERS_MAX as u64, "ten boards with substitutes for a season"),
    count("officials of a federation", OFFICIALS_MAX, "those of single events are counted there"),
    count(
        "applications that wait in a federation",
        APPLICATIONS_MAX,
        "more are an attack, and nobody would read them",
    ),
    count(
        "applications of an account that wait",
        APPLICATIONS_PER_ACCOUNT_MAX,
        "nobody earnestly asks more federations at once",
    ),
    count(
        "invitations that wait in a federation",
        INVITATIONS_MAX,
        "every member of a large federation is given a code within weeks",
    ),
    count(
        "invitations of an account that wait",
        INVITATIONS_PER_ACCOUNT_MAX,
        "whoever is invited must be able to read them",
    ),
    count(
        "accounts that may act for a member at a time",
        PROXIES_MAX,
        "family and club, and nobody who buys accounts",
    ),
    count(
        "clubs that a member was in",
        STAYS_MAX as u64,
        "a life of transfers; all are told with the member",
    ),
    count("numbers of a member in other lists", NUMBERS_MAX as u64, "more lists than anybody is in"),
    count(
        "characters of a name",
        NAME_CHARS_MAX as u64,
        "what a table of results has room for, with native names of several parts",
    ),
    count(
        "characters of what a federation says about itself",
        ABOUT_CHARS_MAX as u64,
        "a page; the rest belongs on a site of its own",
    ),
    count("characters of notes, reasons and replies", NOTE_CHARS_MAX as u64, "a paragraph"),
    count(
        "lines of a file of members",
        IMPORT_LINES_MAX as u64,
        "one transaction of some seconds, for which other changes wait; more are several files",
    ),
    count(
        "columns of a file of members or ratings",
        IMPORT_COLUMNS_MAX as u64,
        "eight of members, and as many lists of numbers as nobody keeps",
    ),
    Limit {
        name: "bytes of a file of members",
        amount: Amount::Bytes(IMPORT_BYTES_MAX as u64),
        setting: None,
        reason: "within what a message may have; what is larger is sent in parts",
    },
    Limit {
        name: "bytes of a file of members that is sent in parts",
        amount: Amount::Bytes(ROSTER_BYTES_MAX as u64),
        setting: None,
        reason: "800 bytes a line",
    },
    Limit {
        name: "tries of an account at codes of invitations",
        amount: Amount::Within(CODE_TRIES as u64, CODE_TRIES_WINDOW),
        setting: None,
        reason: "a person mistypes a few times; of 80 bits nobody guesses one",
    },
    Limit {
        name: "validity of an invitation",
        amount: Amount::Time(Duration::from_hours(24 * INVITATION_DAYS_MAX as u64)),
        setting: None,
        reason: "letters with codes take weeks; a code that lies about is a risk",
    },
    Limit {
        name: "time in which a repeated change of an organisation is known",
        amount: Amount::Time(REQUESTS_KEPT),
        setting: None,
        reason: "whoever repeats a call does so within minutes; a day is for those whose network was away",
    },
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}
