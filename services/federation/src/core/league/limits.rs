//! How much of everything a league may have.

use chassis::limit::{Amount, Limit};

/// Leagues of a federation.
pub const LEAGUES_MAX: u64 = 50;
/// Seasons of a league.
pub const SEASONS_MAX: u64 = 100;
/// Seasons of a league that are neither closed nor given up.
pub const SEASONS_OPEN_MAX: u64 = 3;
/// Versions of the rules of a league.
pub const VERSIONS_MAX: u32 = 200;
/// Divisions of a league.
pub const DIVISIONS_MAX: usize = 12;
/// Squads of a division.
pub const DIVISION_SIZE_MAX: u32 = 32;
/// Squads of a season: its events are made in one transaction.
pub const SQUADS_MAX: u32 = 128;
/// Officials whom the rules of a league name.
pub const OFFICIALS_MAX: usize = 32;
/// Spans of days in which the squads of a season change.
pub const WINDOWS_MAX: usize = 12;
/// Changes of a squad in a season.
pub const SQUAD_CHANGES_MAX: i64 = 100;
/// Entries of what was done in a season.
pub const ACTS_MAX: u64 = 20_000;

/// What the service takes and keeps no more of, as far as leagues go.
pub const LIMITS: &[Limit] = &[
    count("leagues of a federation", LEAGUES_MAX, "one of each game, region and age"),
    count(
        "seasons of a league",
        SEASONS_MAX,
        "a century, of which the table of all seasons is worked out at once",
    ),
    count(
        "seasons of a league that are open",
        SEASONS_OPEN_MAX,
        "one that is played and one that is prepared",
    ),
    count("versions of the rules of a league", VERSIONS_MAX as u64, "two a season; every one is kept"),
    count("divisions of a league", DIVISIONS_MAX as u64, "more than any federation has above each other"),
    count("squads of a division", DIVISION_SIZE_MAX as u64, "all meet all, and a year has 52 weeks"),
    count("squads of a season", SQUADS_MAX as u64, "their events are made in one transaction of a moment"),
    count("officials of a league", OFFICIALS_MAX as u64, "all of them are appointed in each of its events"),
    count("windows of a season", WINDOWS_MAX as u64, "one a month"),
    count(
        "changes of a squad in a season",
        SQUAD_CHANGES_MAX as u64,
        "each is kept for ever; whoever changes his mind more often asks the committee",
    ),
    count("entries of what was done in a season", ACTS_MAX, "all squads changed as often as they may be"),
];

const fn count(name: &'static str, count: u64, reason: &'static str) -> Limit {
    Limit { name, amount: Amount::Count(count), setting: None, reason }
}
