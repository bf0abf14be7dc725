use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use crate::{Outcome, RuleSet, Side};

/// A game as it is written down: who played what under which rules, and how it ended.
///
/// A record is text that was read, not a game that was refereed: its acts may be illegal until they have
/// been replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Identifier of the variant.
    pub variant: &'static str,
    /// The rules the record says it was played under.
    pub rule_set: RuleSet,
    /// Headings as name and value, in the order of the file: `first`, `second` (the players' names),
    /// `date`, `event`, `place`, `comment`.
    pub headings: Vec<(String, String)>,
    /// Every act, in order.
    pub acts: Vec<Act>,
    /// The outcome, if the record states one.
    pub outcome: Option<Outcome>,
}

/// One act of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Who acted.
    pub side: Side,
    /// The act in the variant's notation.
    pub text: String,
}

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1; 0 when no single line is at fault.
    pub line: u32,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

impl Record {
    /// The value of a heading.
    pub fn heading(&self, name: &str) -> Option<&str> {
        self.headings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.detail),
            line => write!(f, "line {line}: {}", self.detail),
        }
    }
}

impl core::error::Error for RecordError {}
