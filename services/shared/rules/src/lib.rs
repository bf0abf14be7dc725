//! The rules of every game of the platform: positions, moves, notation and records.
//!
//! The crate is pure: it does no I/O, reads no clock, has no async code and takes every bit of randomness
//! as an argument. It is what makes a server authoritative, and what a client may use to think ahead.
//!
//! Each game is a module with its own exact types ([`jiu::Position`], [`go::Position`]). Over them lies a
//! thin frame of object-safe types, [`Game`], [`Variant`], [`Record`], with which a server runs any game
//! without knowing which one it is.
//!
//! What it is not: it does not know players, clocks, offers or arbiters. Resignations, flags and agreed
//! draws are the business of whoever runs the game.
//!
//! ```
//! use rules::{Reason, RuleSet, Side, Verdict, Viewer};
//!
//! let variant = rules::variant("jirige").unwrap();
//! let mut game = (variant.start)(&RuleSet::named("2020").with("lose_at", "2"))?;
//! let played = game.play(Side::First, "d4").unwrap();
//! assert_eq!((played.text.as_str(), game.view(Viewer::Spectator).stones.len()), ("D4", 1));
//! game.play(Side::Second, "resign").unwrap();
//! let outcome = game.outcome().unwrap();
//! assert_eq!((outcome.verdict, outcome.reason), (Verdict::Win(Side::First), Reason::Resignation));
//! # Ok::<(), rules::OptionError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[macro_use]
mod frame;
pub mod engine;
pub mod go;
pub mod goban;
pub mod grid;
pub mod jirige;
pub mod jiu;
pub mod jpd;
mod prelude;
pub mod tianyi;
// A sixth game, made elsewhere, by which it is tried what another one takes.
#[cfg(feature = "toy")]
#[path = "../../../../tests/toy/game/mod.rs"]
pub mod toy;
mod zobrist;

use frame::{headings, options, outcome_text};

pub use frame::*;

/// Every game this crate knows, in the order in which a menu would list them.
///
/// ```
/// for variant in rules::VARIANTS {
///     let again = rules::variant(variant.id).unwrap();
///     assert_eq!((again.names, again.lines.clone()), (variant.names, variant.lines.clone()));
/// }
/// assert!(rules::VARIANTS.iter().map(|it| it.id).take(5).eq(["jiu", "jirige", "go", "tianyi", "jpd"]));
/// ```
pub const VARIANTS: &[&Variant] = &[
    &jiu::VARIANT,
    &jirige::VARIANT,
    &go::VARIANT,
    &tianyi::VARIANT,
    &jpd::VARIANT,
    #[cfg(feature = "toy")]
    &toy::VARIANT,
];

/// The game with this identifier (`jiu`, `jirige`, `go`, `tianyi`, `jpd`), if there is one.
///
/// ```
/// assert!(rules::variant("halma").is_none());
/// ```
pub fn variant(id: &str) -> Option<&'static Variant> {
    VARIANTS.iter().copied().find(|variant| variant.id == id)
}

/// The game of a record, by the ending of its file and, as several games are written in SGF, by the rules that it
/// names. One that names none of theirs is of the first game with this ending.
///
/// ```
/// assert_eq!(rules::variant_of_record("sgf", "(;FF[4]RU[Ji Ping Dian])").unwrap().id, "jpd");
/// assert_eq!(rules::variant_of_record("sgf", "(;FF[4]RU[Japanese])").unwrap().id, "go");
/// assert!(rules::variant_of_record("pgn", "1. e4").is_none());
/// ```
pub fn variant_of_record(extension: &str, text: &str) -> Option<&'static Variant> {
    let mut sharing =
        VARIANTS.iter().copied().filter(|variant| variant.record_extensions.contains(&extension));
    let named = sharing.clone().find(|variant| (variant.record_names_it)(text));
    named.or_else(|| sharing.next())
}
