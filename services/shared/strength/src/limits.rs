//! How much of everything a list may have.

/// The most players of a list's games: as many as the largest federation has members.
pub const MEMBERS_MAX: usize = 100_000;
/// The most games of a list: a season of the largest federation.
pub const GAMES_MAX: usize = 300_000;
/// The most events of a list.
pub const EVENTS_MAX: usize = 5_000;
/// The most rules for K: more are not a regulation that anybody understands.
pub const K_RULES_MAX: usize = 16;
/// The most grades with a start of their own: 30 kyu to 9 dan, and as many of professionals.
pub const GRADES_MAX: usize = 64;
