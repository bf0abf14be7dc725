//! How much is remembered, and how much of what is dear is done at once.

use std::time::Duration;

use chassis::limit::{Amount, Limit};

/// Acts of games.
pub(super) const SHEETS_BYTES: u64 = 64 << 20;
/// Games that are seen with a delay.
pub(super) const DELAYED_GAMES: u64 = 512;
/// Games of lists.
pub(super) const HEADERS: u64 = 8192;
/// Finished games.
pub(super) const FINISHED_BYTES: u64 = 64 << 20;
/// Answers that had to be worked out.
pub(super) const ANSWERS_BYTES: u64 = 32 << 20;
/// Long logs that are read at once.
pub(super) const DEAR_AT_ONCE: usize = 1;
/// Records that are imported at once.
pub(super) const IMPORTS_AT_ONCE: usize = 1;
/// Callers who wait for that.
pub(super) const IMPORTS_WAITING: usize = 16;
/// How many times as long as it took an import rests: its writing holds up the moves that are written beside it, and so
/// it touches fewer of them than one in a hundred.
pub(super) const IMPORT_RESTS: u32 = 7;
/// Positions that are thought about at once.
pub(super) const THOUGHTS_AT_ONCE: usize = 1;
/// Callers who wait for such a turn.
pub(super) const DEAR_WAITING: usize = 64;
/// Pages of a log that a stream is sent as fast as it is read: most games have no more.
pub(crate) const PAGES_AT_ONCE: u32 = 1;
/// The time between two further pages, of all streams together.
pub(super) const PAGE_EVERY: Duration = Duration::from_millis(10);

/// The limits of looking at games.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        name: "acts of games in memory",
        amount: Amount::Bytes(SHEETS_BYTES),
        setting: None,
        reason: "those of a thousand long games; others are read from their logs again",
    },
    Limit {
        name: "games that are followed with a delay in memory",
        amount: Amount::Count(DELAYED_GAMES),
        setting: None,
        reason: "each holds a position; more are replayed when they are asked for",
    },
    Limit {
        name: "games of lists in memory",
        amount: Amount::Count(HEADERS),
        setting: None,
        reason: "some kilobytes each; others are read when they are listed",
    },
    Limit {
        name: "finished games in memory",
        amount: Amount::Bytes(FINISHED_BYTES),
        setting: None,
        reason: "others are read from their summaries again",
    },
    Limit {
        name: "counts, records and suggestions in memory",
        amount: Amount::Bytes(ANSWERS_BYTES),
        setting: None,
        reason: "each is worked out once a position; the oldest are worked out again",
    },
    Limit {
        name: "long logs read at once",
        amount: Amount::Count(DEAR_AT_ONCE as u64),
        setting: None,
        reason: "who only looks leaves connections and processors to those who play; each turn rests for as long as it \
                 lasted",
    },
    Limit {
        name: "records imported at once",
        amount: Amount::Count(IMPORTS_AT_ONCE as u64),
        setting: None,
        reason: "a long record takes a tenth of a second of a processor, and is written beside moves; each turn rests \
                 for seven times as long as it lasted, a second at most",
    },
    Limit {
        name: "callers who wait to import a record",
        amount: Amount::Count(IMPORTS_WAITING as u64),
        setting: None,
        reason: "more would wait longer than callers do; they are told to come again",
    },
    Limit {
        name: "positions thought about at once",
        amount: Amount::Count(THOUGHTS_AT_ONCE as u64),
        setting: None,
        reason: "a suggestion takes tens of milliseconds of a processor; then it rests for as long",
    },
    Limit {
        name: "callers who wait for a long log or a suggestion",
        amount: Amount::Count(DEAR_WAITING as u64),
        setting: None,
        reason: "more would wait longer than callers do; they are told to come again",
    },
    Limit {
        name: "pages of a log that a stream is sent at once",
        amount: Amount::Count(PAGES_AT_ONCE as u64),
        setting: None,
        reason: "256 events each: most games have no more",
    },
    Limit {
        name: "time between two further pages, of all streams together",
        amount: Amount::Time(PAGE_EVERY),
        setting: None,
        reason: "a page takes a millisecond or two of a processor: who follows long games from their beginning takes a tenth \
                 of one",
    },
];
