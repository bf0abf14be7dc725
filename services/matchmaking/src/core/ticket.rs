//! A ticket that waits.

use chassis::id::{AccountId, TicketId};
use time::{Duration, OffsetDateTime};

use super::{Player, Settings};

/// The most settings of a ticket: what somebody would play is a choice, not a catalogue.
pub const CHOICES_MAX: usize = 16;
/// What it costs a player to play what is one place further down in his order, in points of distance: at the least that a second
/// is worth, three seconds of waiting.
const PLACE_COST: u32 = 15;

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
    /// Its id.
    pub id: TicketId,
    /// Who waits.
    pub account: AccountId,
    /// His name.
    pub name: String,
    /// For what, what he would rather play first: one at least, [`CHOICES_MAX`] at most, and none twice.
    pub choices: Vec<Choice>,
    /// How far from his rating an opponent's may be, however long he waits, in points.
    pub window: u32,
    /// Whether he is a bot.
    pub bot: bool,
    /// Whether he plays bots.
    pub allow_bots: bool,
    /// Since when.
    pub since: OffsetDateTime,
}

/// Settings that somebody waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The settings.
    pub settings: Settings,
    /// What is known of him when he begins to wait.
    pub standing: Standing,
}

/// What is known of a player in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// His rating, rounded.
    pub rating: u32,
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

impl Ticket {
    /// The owner as who plays with these settings; nothing if he does not wait for them.
    pub fn player(&self, settings: &Settings) -> Option<Player> {
        let choice = self.choices.iter().find(|choice| choice.settings == *settings)?;
        let rating = choice.standing.rating;
        Some(Player { account: self.account, name: self.name.clone(), rating, ticket: self.id })
    }

    fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.choices.iter().map(|choice| &choice.settings)
    }

    /// Whether another is this ticket handed in again: the same owner wants the same.
    pub fn is_same(&self, other: &Ticket) -> bool {
        let said = |of: &Ticket| (of.id, of.account, of.window, of.allow_bots);
        said(self) == said(other) && self.settings().eq(other.settings())
    }
}

/// What somebody gives away who plays what stands so far down in his order, in points of distance.
pub fn dislike(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX).saturating_mul(PLACE_COST)
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
