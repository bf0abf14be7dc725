//! How much of everything rating lists may have.

use chassis::limit::{Amount, Limit};
use strength::limits::{GAMES_MAX, MEMBERS_MAX};

/// Policies of a federation.
pub const POLICIES_MAX: u64 = 50;
/// Versions of a policy.
pub const VERSIONS_MAX: u32 = 1_000;
/// Events that a policy excludes.
pub const EXCLUDED_MAX: usize = 500;
/// Events that one list counts, or counts anew.
pub const EVENTS_MAX: usize = 1_000;
/// How many lists back something is counted anew that has changed.
pub const REACH: u32 = 12;
/// How many days ahead the day of a list may lie.
pub const AHEAD_DAYS_MAX: i64 = 31;
/// Characters of a policy's name, and of who vouches for ratings.
pub const NAME_CHARS_MAX: usize = 80;
/// Games by which an imported rating may be known.
pub const IMPORTED_GAMES_MAX: u32 = 100_000;
/// Bytes of an input or a list, when it is not packed: far more than the largest have.
pub const BYTES_MAX: usize = 64 << 20;
/// Lines of a part of an exported list.
pub const EXPORT_LINES: u32 = 2_000;
/// Bytes of a part of canonical bytes.
pub const PART_BYTES: usize = 1 << 20;

/// What rating lists keep no more of, and do no more of at once.
pub const LIMITS: &[Limit] = &[
    count(
        "policies of rating lists of a federation",
        POLICIES_MAX,
        "one a variant, speed and place, with room",
    ),
    count(
        "versions of a policy of rating lists",
        VERSIONS_MAX as u64,
        "one a day for years; all stay, because lists refer to them",
    ),
    count(
        "events that a policy of rating lists excludes",
        EXCLUDED_MAX as u64,
        "exceptions; whoever has more has the wrong policy",
    ),
    count(
        "events that a rating list counts, or counts anew",
        EVENTS_MAX as u64,
        "the logs of as many are read within the 30 s of a call",
    ),
    count(
        "games of a rating list",
        GAMES_MAX as u64,
        "a season of the largest federation, in seconds and 10 MiB",
    ),
    count("members whose games a rating list has", MEMBERS_MAX as u64, "as many as a federation has"),
    count(
        "rating lists that are made anew for the next one",
        REACH as u64,
        "a year of lists; what changes later is left as it was counted",
    ),
    count(
        "days that a rating list may be dated ahead",
        AHEAD_DAYS_MAX.unsigned_abs(),
        "lists are published before the month for which they hold",
    ),
    count(
        "lines of a part of an exported rating list",
        EXPORT_LINES as u64,
        "some 200 KiB, within what a message may have",
    ),
    Limit {
        name: "bytes of a part of the input of a rating list",
        amount: Amount::Bytes(PART_BYTES as u64),
        setting: None,
        reason: "within what a message may have",
    },
    count(
        "rating lists that are made at once in a process",
        1,
        "each takes a core for a second, and reads events",
    ),
    count("rating lists that wait to be made", 4, "federations publish once a month"),
    count("rating lists that are verified at once in a process", 1, "strangers may ask for it"),
    count("rating lists that wait to be verified", 8, "each is done within a second or so"),
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}
