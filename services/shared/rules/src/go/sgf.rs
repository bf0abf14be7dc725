//! Records of Go as SGF: the main line of FF\[3\] and FF\[4\] is read, FF\[4\] is written.
//!
//! The reader takes any bytes, in UTF-8 or with what is not replaced, and follows the first variation
//! everywhere; other variations and comments are left out. It never recurses, never looks back and is bounded
//! by the limits of [`crate::goban::sgf`].
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

use super::{Act, Start};
use crate::{
    Record, RecordError,
    goban::{
        QuarterZi,
        score::written,
        sgf::{Dialect, Opening, RULES, Word},
    },
    prelude::*,
};

/// Go itself.
pub(super) const GO: Dialect = Dialect {
    variant: "go",
    rule_set: "cn1988",
    rules: RULES,
    handicap: true,
    komi: QuarterZi::decimal,
    opening: |rule_set| {
        let Start { setup, rules } = Start::read(rule_set).ok()?;
        Some(Opening { setup, komi: rules.komi, handicap: rules.handicap })
    },
    word: |text, size| {
        Some(match Act::canonical(text, size)? {
            Act::Play(at) => Word::Play(at),
            Act::Pass => Word::Pass,
            Act::Void(_) => Word::Turn,
            Act::Claim | Act::Propose(_) | Act::Accept(_) | Act::Reject => Word::Talk,
        })
    },
    score: written,
};

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn parse(bytes: &[u8]) -> Result<Record, RecordError> {
    GO.parse(bytes)
}

/// Writes a record.
pub fn print(record: &Record) -> String {
    GO.print(record)
}
