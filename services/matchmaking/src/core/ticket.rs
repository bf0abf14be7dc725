//! A ticket that waits.

use time::OffsetDateTime;

use super::{Player, Settings};

/// The narrowest window a player may set. A narrower one would seldom find anybody.
pub const WINDOW_MIN: u32 = 25;
/// The widest window a player may set: nobody is so far from anybody.
pub const WINDOW_MAX: u32 = 3000;
/// The window of who sets none: a game that the stronger wins ten times of eleven is no game yet for either.
pub const WINDOW_DEFAULT: u32 = 400;

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
    /// By how many games he was first more often than second.
    pub surplus: i32,
}
