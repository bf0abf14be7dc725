//! A ticket that waits.

use chassis::id::AccountId;
use time::{Duration, OffsetDateTime};

use super::{Player, Settings};

/// The narrowest window a player may set. A narrower one would seldom find anybody.
pub const WINDOW_MIN: u32 = 25;
/// The widest window a player may set: nobody is so far from anybody.
pub const WINDOW_MAX: u32 = 3000;
/// The window of who sets none: a game that the stronger wins ten times of eleven is no game yet for either.
pub const WINDOW_DEFAULT: u32 = 400;

/// How long two are not paired who have played each other: nobody wants the same game again at once who has not said so, and
/// where only two are there it is not for ever.
const REST: Duration = Duration::minutes(5);
/// How long somebody else is better than who was met last.
const LATELY: Duration = Duration::hours(1);

/// A player who waits for an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Who waits.
    pub player: Player,
    /// What is known of him when he begins to wait, beside his rating.
    pub standing: Standing,
    /// For what.
    pub settings: Settings,
    /// How far from his rating an opponent's may be, however long he waits, in points.
    pub window: u32,
    /// Since when.
    pub since: OffsetDateTime,
}

/// What is known of a player in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How uncertain his rating is, in points.
    pub deviation: u32,
    /// By how many games he is owed the second side more than the first; negative for the other way round.
    pub surplus: i32,
    /// Whom he met last, if that was lately.
    pub met: Option<Met>,
}

/// Whom somebody met last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Whom.
    pub whom: AccountId,
    /// Until when the two are not to meet again.
    pub rest_until: OffsetDateTime,
}

/// The last game of a player in one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastGame {
    /// With whom.
    pub with: AccountId,
    /// When it ended; nothing of one that is under way as far as is known.
    pub ended: Option<OffsetDateTime>,
}

impl LastGame {
    /// Whom somebody has met who begins to wait at a moment: nobody where that was long ago. What is under way may have ended
    /// just now.
    pub fn met(self, now: OffsetDateTime) -> Option<Met> {
        let ended = self.ended.unwrap_or(now);
        (now - ended <= LATELY).then(|| Met { whom: self.with, rest_until: ended + REST })
    }
}
