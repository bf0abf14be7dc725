//! Records of Go as SGF: the main line of FF\[3\] and FF\[4\] is read, FF\[4\] is written.
//!
//! The reader takes any bytes, in UTF-8 or with what is not replaced, and follows the first variation
//! everywhere; other variations and comments are left out. It never recurses, never looks back and is bounded
//! by [`MAX_BYTES`], [`MAX_NODES`] and [`MAX_SETUP_POINTS`].
//!
//! | SGF | record |
//! | --- | --- |
//! | `SZ[19]`, `SZ[19:19]` | option `size`; 19 when absent |
//! | `KM` | option `komi`, in points; what is clearly zi (`2.75`, `375`) is read as zi |
//! | `HA[n]`, with n stones in `AB` and none in `AW` | option `handicap`, and a placement of Black's for each |
//! | `AB`, `AW`, `AE`, `PL` else, before the first move | option `setup` |
//! | `B`, `W` | plays and passes; `[]`, and up to 19 x 19 `[tt]`, is a pass |
//! | `RE` | the outcome: `B+3.5`, `B+R`, `W+T`, `W+F`, `0`, `Void` |
//! | `PB PW BR WR BT WT DT EV RO PC GN GC TM OT US SO` | headings: `first`, `second`, `date`, `event`, … |
//! | `RU` | heading `rules`, unless it is `Chinese`, which every other record is written with |
//!
//! What SGF has no word for is kept in four private properties, which other programs pass over:
//!
//! * `SHR[id][name=value]…` in the root: the whole rule set, where the properties above do not say it all;
//! * `SHA[B dead D4]`: an act that is no move: a proposal, an acceptance, a dispute, a claim; beside an empty
//!   `B` or `W` a void move (`;B[]SHA[B void D4]`), which to other programs is the pass it counts as;
//! * `SHO[reason]`, with a second value `both-lose` if both lost: why the game ended, where `RE` does not say;
//! * `SHH[name=value]…`: headings without a property.
//!
//! Writing a record that was read, or that a game of the platform made, and reading it again gives the same
//! record. Line breaks in headings other than `comment`, headings given twice and private headings between
//! others are brought into the form of the file.
//!
//! ```
//! use rules::go::sgf;
//! let record = sgf::parse(b"(;FF[4]SZ[9]KM[7.5]PB[Ping]RE[B+R];B[ee];W[gc];B[])").unwrap();
//! let acts: Vec<_> = record.acts.iter().map(|act| &*act.text).collect();
//! assert_eq!(acts, ["E5", "G7", "pass"]);
//! assert_eq!(record.rule_set.options["komi"], "3.75");
//! assert_eq!(sgf::parse(sgf::print(&record).as_bytes()), Ok(record));
//! ```

pub(crate) mod dialect;
pub(crate) mod lex;
pub(crate) mod outcome;
pub(crate) mod read;
pub(crate) mod write;

use alloc::string::String;

use dialect::{Dialect, GO};

use crate::{Record, RecordError};

/// The longest file: the longest records of full-length games with every comment have some 100 kB.
pub const MAX_BYTES: usize = 1 << 20;

/// The most nodes on the main line: a game of [`super::MAX_TURNS`] turns with its proposals fits.
pub const MAX_NODES: usize = 20_000;

/// The most points in `AB`, `AW` and `AE` together, rectangles counted out: sixteen full boards.
pub const MAX_SETUP_POINTS: usize = 10_000;

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn parse(bytes: &[u8]) -> Result<Record, RecordError> {
    parse_as(&GO, bytes)
}

/// Writes a record.
pub fn print(record: &Record) -> String {
    print_as(&GO, record)
}

/// What the first game of a file says of its rules (`RU`), if it can be read and says anything.
pub(crate) fn stated_rules(bytes: &[u8]) -> Option<String> {
    let nodes = lex::main_line(bytes).ok()?;
    let rules = nodes.first()?.properties.iter().find(|property| property.name == "RU")?;
    Some(lex::text(rules.values.first()?, false))
}

/// Reads the first game of a file as a game of this dialect.
pub(crate) fn parse_as(dialect: &Dialect, bytes: &[u8]) -> Result<Record, RecordError> {
    read::read(dialect, bytes)
}

/// Writes a record in a dialect.
pub(crate) fn print_as(dialect: &Dialect, record: &Record) -> String {
    write::write(dialect, record)
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
