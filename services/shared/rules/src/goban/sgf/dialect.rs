//! What games of the Go family write in SGF each in its own way.

use crate::{
    RuleSet,
    goban::{Point, QuarterZi, Setup, Size},
    prelude::*,
};

/// A game that is written as SGF.
pub(crate) struct Dialect {
    /// Identifier of the variant.
    pub variant: &'static str,
    /// The named rule set that the public properties stand for.
    pub rule_set: &'static str,
    /// What `RU` says of a record without a heading `rules`.
    pub rules: &'static str,
    /// Whether `HA` is an option `handicap`, whose stones are the first acts.
    pub handicap: bool,
    /// How the option `komi` is written.
    pub komi: fn(QuarterZi) -> String,
    /// How a game begins under a rule set; `None` if the rule set is none.
    pub opening: fn(&RuleSet) -> Option<Opening>,
    /// How an act is written, if the text is just what the act is written as.
    pub word: fn(&str, Size) -> Option<Word>,
    /// How a count, in half points of difference and positive for Black, is written.
    pub score: fn(QuarterZi) -> crate::Score,
}

/// How a game begins.
pub(crate) struct Opening {
    /// The first position.
    pub setup: Setup,
    /// The komi.
    pub komi: QuarterZi,
    /// How many stones Black places first.
    pub handicap: u8,
}

/// What an act is to SGF.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A move.
    Play(Point),
    /// An empty move.
    Pass,
    /// An act that takes the turn and puts no stone on the board: an empty move with a private act beside it.
    Turn,
    /// An act that takes no turn: a private act alone.
    Talk,
}
