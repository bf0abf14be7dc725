//! Every limit of the platform, in one table that the documentation prints.

use std::fmt::Write as _;

use chassis::limit::{Amount, Limit};

/// The limits of each part, in the order in which a request meets them.
pub const ALL: &[(&str, &[Limit])] = &[
    ("The server", chassis::server::LIMITS),
    ("The gateway", crate::gateway::LIMITS),
    ("The page of metrics", chassis::metrics::LIMITS),
    ("Traces", chassis::telemetry::LIMITS),
    ("Databases", chassis::database::LIMITS),
    ("Backups", chassis::database::cut::LIMITS),
    ("Files of settings", crate::config::LIMITS),
    ("Around the board", game::core::PROPOSALS),
    ("Tokens", chassis::auth::LIMITS),
    ("Health and supervision", chassis::supervise::LIMITS),
    ("Probes of dependencies", crate::probe::LIMITS),
    ("The platform's own Redis", crate::own_redis::LIMITS),
    ("Accounts", identity::core::limit::LIMITS),
    ("Secrets", chassis::vault::LIMITS),
    ("Finding an opponent", matchmaking::LIMITS),
    ("Ratings", rating::LIMITS),
    ("Looking at games", game::VIEW_LIMITS),
    ("Watching games", game::STREAM_LIMITS),
    ("Following one's own games", game::OWN_GAMES_LIMITS),
    ("Imported records", game::IMPORT_LIMITS),
    ("Logs of games that are over", game::LOG_LIMITS),
    ("Chat", game::CHAT_LIMITS),
    ("Lag", clock::core::LAG_LIMITS),
    ("Federations", federation::core::limits::LIMITS),
    ("Files that come in", federation::core::file::LIMITS),
    ("Leagues", federation::core::league::limits::LIMITS),
    ("Rating lists", federation::core::rating_list::limits::LIMITS),
    ("Events", federation::EVENT_LIMITS),
    ("Watching boards", federation::BOARD_LIMITS),
    ("Notices", federation::core::notice::LIMITS),
    ("Calendars", federation::core::calendar::LIMITS),
    ("Times of players", federation::core::event::times::LIMITS),
    ("Words of federations", federation::core::language::LIMITS),
    ("Titles and grades", federation::core::title::LIMITS),
    ("Live state", LIVE),
];

/// The limits of live state, which knows nothing of the platform.
const LIVE: &[Limit] = &[
    Limit {
        name: "tickets that wait in one pool",
        amount: Amount::Count(LIVE_SIZE.pool_tickets as u64),
        setting: None,
        reason: "more people waiting for the same game are an attack",
    },
    Limit {
        name: "deadlines in one queue",
        amount: Amount::Count(LIVE_SIZE.queue_deadlines as u64),
        setting: None,
        reason: "one for each game that is played",
    },
    Limit {
        name: "signs of life at one place",
        amount: Amount::Count(LIVE_SIZE.presence_entries as u64),
        setting: None,
        reason: "they are counted through; a larger crowd is not worth its price",
    },
    Limit {
        name: "topics that a process follows",
        amount: Amount::Count(live::limits::TOPICS_MAX as u64),
        setting: None,
        reason: "one for each game that is watched through it",
    },
    Limit {
        name: "messages that a follower may be behind",
        amount: Amount::Count(live::limits::TOPIC_DEPTH as u64),
        setting: None,
        reason: "some seconds of the busiest game; then it reads the log",
    },
    Limit {
        name: "bytes of one message",
        amount: Amount::Bytes(live::limits::MESSAGE_MAX as u64),
        setting: None,
        reason: "an event with the board it leads to, with room to spare",
    },
];
const LIVE_SIZE: live::Limits = live::Limits::new();

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "# Limits\nWhat the platform takes and keeps no more of, and why. A limit with a setting can be changed: as an option of\n\
         `shoutan up` and `shoutan serve`, or in the environment (`--live-prefix` is `SHOUTAN_LIVE_PREFIX`). This page is\n\
         printed by `shoutan limits`; a test holds it to what is built.\n",
    );
    for (part, limits) in ALL {
        let _infallible =
            write!(text, "\n## {part}\n| what | how much | setting | why |\n| --- | --- | --- | --- |\n");
        for Limit { name, amount, setting, reason } in *limits {
            let setting = setting.map(|setting| format!("`{setting}`")).unwrap_or_default();
            let _infallible = writeln!(text, "| {name} | {amount} | {setting} | {reason} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, path::Path};

    /// `SHOUTAN_BLESS=1` writes the page anew.
    #[test]
    fn the_documentation_has_every_limit_as_it_is_built() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../LIMITS.md");
        if std::env::var_os("SHOUTAN_BLESS").is_some() {
            std::fs::write(&page, super::table()).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&page).expect("services/LIMITS.md is there");
        assert_eq!(written, super::table(), "SHOUTAN_BLESS=1 writes services/LIMITS.md anew");
    }

    #[test]
    fn every_limit_has_a_name_of_its_own_and_a_reason() {
        let mut names = HashSet::new();
        for limit in super::ALL.iter().flat_map(|(_, limits)| *limits) {
            assert!(names.insert(limit.name), "{} is listed twice", limit.name);
            assert!(limit.reason.len() > 10, "{} has no reason", limit.name);
        }
    }
}
