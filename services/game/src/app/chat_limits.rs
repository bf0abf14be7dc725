//! How much may be said beside the board.

use std::time::Duration;

use chassis::{
    limit::{Amount, Limit},
    text,
};
use live::Quota;

use crate::core::chat::MESSAGES_MAX;

/// Messages of an account, in all rooms together: a lively talk, not a flood.
pub(super) const MESSAGES: Quota = Quota { limit: 10, window_us: 30_000_000 };
/// Messages of all spectators of a game together, officials apart: nobody can read more, and a room does not get full
/// in a game because a crowd of throwaway accounts talks.
pub(super) const CROWD: Quota = Quota { limit: 60, window_us: 30_000_000 };
/// Reports of an account: who reports more has a campaign.
pub(super) const REPORTS: Quota = Quota { limit: 20, window_us: 600_000_000 };

/// The limits of chat.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        name: "messages of an account, in all rooms together",
        amount: within(MESSAGES),
        setting: None,
        reason: "a lively talk, not a flood",
    },
    Limit {
        name: "messages of all spectators of a game, officials apart",
        amount: within(CROWD),
        setting: None,
        reason: "nobody can read more; a crowd of throwaway accounts does not fill the room",
    },
    Limit {
        name: "messages of a room",
        amount: Amount::Count(MESSAGES_MAX),
        setting: None,
        reason: "a long game with a crowd that talks all the time; the database is not theirs",
    },
    Limit {
        name: "characters of a message, and of the reason of a report",
        amount: Amount::Count(text::CHARS_MAX as u64),
        setting: None,
        reason: "a few sentences",
    },
    Limit {
        name: "reports of an account",
        amount: within(REPORTS),
        setting: None,
        reason: "who reports more has a campaign",
    },
];

const fn within(quota: Quota) -> Amount {
    Amount::Within(quota.limit as u64, Duration::from_micros(quota.window_us))
}
