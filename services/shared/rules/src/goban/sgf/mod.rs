//! Records in SGF: the main line of FF\[3\] and FF\[4\] is read, FF\[4\] is written.
//!
//! What is written in one way, every game reads and writes with what is here; how Go does it, [`crate::go::sgf`] says,
//! and what others write otherwise, they say themselves.

mod dialect;
pub(crate) mod lex;
pub(crate) mod outcome;
pub(crate) mod read;
pub(crate) mod write;

use crate::prelude::*;

pub(crate) use dialect::{Dialect, Opening, Word};

/// The longest file: the longest records of full-length games with every comment have some 100 kB.
pub const MAX_BYTES: usize = 1 << 20;

/// The most nodes on the main line: a game of [`super::MAX_TURNS`] turns with its proposals fits.
pub const MAX_NODES: usize = 20_000;

/// The most points in `AB`, `AW` and `AE` together, rectangles counted out: sixteen full boards.
pub const MAX_SETUP_POINTS: usize = 10_000;

/// What the first game of a file says of its rules (`RU`), if it can be read and says anything.
pub(crate) fn stated_rules(text: &str) -> Option<String> {
    let nodes = lex::main_line(text.as_bytes()).ok()?;
    let rules = nodes.first()?.iter().find(|property| property.name == "RU")?;
    Some(lex::text(rules.values.first()?, false))
}

/// Headings and the properties they are written as.
pub(crate) const HEADINGS: &[(&str, &str)] = &[
    ("PB", "first"),
    ("PW", "second"),
    ("BR", "first-rank"),
    ("WR", "second-rank"),
    ("BT", "first-team"),
    ("WT", "second-team"),
    ("DT", "date"),
    ("EV", "event"),
    ("RO", "round"),
    ("PC", "place"),
    ("GN", "name"),
    ("GC", COMMENT),
    ("TM", "time"),
    ("OT", "overtime"),
    ("US", "user"),
    ("SO", "source"),
    ("RU", "rules"),
];

/// The one heading that may have several lines.
pub(crate) const COMMENT: &str = "comment";

/// What `RU` says of a record without a heading `rules`.
pub(crate) const RULES: &str = "Chinese";
