//! Tournaments: who meets whom, with which colour, and who stands where.
//!
//! The crate is pure: it does no I/O, reads no clock and takes every bit of chance as a seed. The same input gives the
//! same round on every machine. Only the matching starts a thread, for a stack that is deep enough, and waits for it.
//!
//! - [`berger`]: round robins and matches of all against all;
//! - [`knockout`], [`Duel`] and [`arena`]: out after one loss, two or more, matches of several games, the winner stays;
//! - [`ladder`] and [`grading`]: challenges in a league, promotion by results;
//! - [`macmahon`]: where players of unlike strength begin, their handicaps and their table;
//! - [`play_off`]: who shares a place plays for it;
//! - [`lineup`]: who sits at which board of a team;
//! - [`lots`]: draws of lots that anybody can repeat;
//! - [`swiss`]: Swiss pairing;
//! - [`check`]: the independent checker of Swiss rounds, and of the rounds of any report;
//! - [`standings`]: who stands where, as exact fractions;
//! - [`trf`]: reports as federations and pairing engines exchange them;
//! - [`generate`]: events by chance, for tests of whoever pairs;
//! - [`settings`]: every reading of the printed rules that an event may choose.
//!
//! What it is not: it keeps no event, and knows no game; names of people are in reports only. Colours are [`Colour::First`] and
//! [`Colour::Second`] by who moves first; whoever shows them asks the rules of the game.
//!
//! Sections and articles in the documentation are those of the platform's page on competitions and of the printed
//! rules of Go that it follows.
//!
//! ```
//! let rounds = pairing::berger::single(4);
//! assert_eq!((rounds.len(), rounds[0].games.len()), (3, 2));
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod named;
pub mod arena;
pub mod berger;
pub mod check;
mod colour;
mod duel;
mod fraction;
pub mod generate;
pub mod grading;
pub mod knockout;
pub mod ladder;
pub mod lineup;
pub mod lots;
pub mod macmahon;
mod outcome;
pub mod play_off;
mod player;
pub mod settings;
pub mod standings;
pub mod swiss;
pub mod trf;

pub use colour::Colour;
pub use duel::{Duel, DuelState};
pub use fraction::{Fraction, fraction_text, whole};
pub use outcome::{DRAW_POINTS, Reason, ResultCode, WIN_POINTS};
pub use player::{Entry, Number, Player, Status};
pub use settings::*;

/// How many of something there are, as the number that is stored.
pub(crate) fn count(things: usize) -> u32 {
    u32::try_from(things).unwrap_or(u32::MAX)
}
