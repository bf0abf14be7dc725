//! What games of the Go family write in SGF each in its own way.

use super::{RULES, write::canonical};
use crate::{
    RuleSet,
    goban::{Act, Point, QuarterZi, Setup, Size, Start, score::written},
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
    pub komi: fn(QuarterZi) -> alloc::string::String,
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
        Some(match canonical(text, size)? {
            Act::Play(at) => Word::Play(at),
            Act::Pass => Word::Pass,
            Act::Void(_) => Word::Turn,
            Act::Claim | Act::Dead(_) | Act::Accept(_) | Act::Reject => Word::Talk,
        })
    },
    score: written,
};
