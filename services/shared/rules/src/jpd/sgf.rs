//! Records of Ji Ping Dian Go as SGF, as [`crate::goban::sgf`] reads and writes them, with these words of its
//! own:
//!
//! * `RU[Ji Ping Dian]`;
//! * a pass is `B[]` or `W[]`. A virtual move, for which SGF has no form, is the same with the private
//!   property `SHA` beside it, `;W[]SHA[W virtual]`: to other programs it is the pass that it is for the
//!   board;
//! * proposals, acceptances, disputes and demands are `SHA` alone: `;SHA[B dead D4 shared K10]`;
//! * `KM` is in points, as the option `komi` is; there is no handicap, and stones set up by `AB` and `AW`
//!   are the option `setup`.
//!
//! ```
//! use rules::jpd::sgf;
//! let record = sgf::parse(b"(;FF[4]SZ[9]KM[0]RU[Ji Ping Dian];B[ee];W[]SHA[W virtual];B[])").unwrap();
//! let acts: Vec<_> = record.acts.iter().map(|act| &*act.text).collect();
//! assert_eq!(acts, ["E5", "virtual", "pass"]);
//! assert_eq!(sgf::parse(sgf::print(&record).as_bytes()), Ok(record));
//! ```

use super::{Act, HalfPoints, Start, options::RULE_SETS, score::written_sgf};
use crate::{
    Record, RecordError,
    goban::{
        QuarterZi,
        sgf::{Dialect, Opening, Word},
    },
    prelude::*,
};

pub(super) const JPD: Dialect = Dialect {
    variant: "jpd",
    rule_set: RULE_SETS[0].id,
    rules: "Ji Ping Dian",
    handicap: false,
    komi: |komi| HalfPoints::from(komi).to_string(),
    opening: |rule_set| {
        let Start { setup, rules } = Start::read(rule_set).ok()?;
        Some(Opening { setup, komi: QuarterZi(rules.komi.0), handicap: 0 })
    },
    word: |text, size| {
        let act = Act::parse(text, size, size).ok().filter(|act| act.write(size) == text)?;
        Some(match act {
            Act::Play(at) => Word::Play(at),
            Act::Pass => Word::Pass,
            Act::Virtual => Word::Turn,
            Act::Propose(_) | Act::Accept(_) | Act::Reject | Act::Fill => Word::Talk,
        })
    },
    score: written_sgf,
};

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn parse(bytes: &[u8]) -> Result<Record, RecordError> {
    JPD.parse(bytes)
}

/// Writes a record.
pub fn print(record: &Record) -> alloc::string::String {
    JPD.print(record)
}
