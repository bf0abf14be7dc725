use alloc::{
    borrow::{Cow, ToOwned},
    collections::BTreeMap,
    string::{String, ToString},
};
use core::fmt::Display;

use super::{
    HandicapBonus, IllegalMove, LongCycle, QuarterZi, Repetition, Rules, Setup, SetupError, Size, VARIANT,
};
use crate::{OptionError, OptionInfo, RuleSet, RuleSetInfo};

/// A rule set that has been read: where a game starts and under which rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The first position.
    pub setup: Setup,
    /// The rules.
    pub rules: Rules,
}

/// The named rule sets, the text of 1988 first.
pub(super) const RULE_SETS: &[RuleSetInfo] = &[
    RuleSetInfo {
        id: "cn1988",
        describes: "Chinese competition rules of 1988: komi 2 3/4 zi, repetition by articles 6 and 20",
        sets: &[],
    },
    RuleSetInfo {
        id: "cn2002",
        describes: "the later Chinese text: komi 3 3/4 zi, no move may make the opponent face a board again",
        sets: &[("komi", "3.75"), ("repetition", "situational")],
    },
    RuleSetInfo {
        id: "psk",
        describes: "as cn1988 with article 6 alone: no board twice",
        sets: &[("repetition", "psk")],
    },
    RuleSetInfo {
        id: "simple",
        describes: "as cn1988, but only the immediate retake of a ko is forbidden",
        sets: &[("repetition", "simple")],
    },
];

/// Every option with its default.
pub(crate) const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "size",
        default: "19",
        values: "5..=25",
        describes: "points a side of the board (article 1 names 19)",
    },
    OptionInfo {
        name: "komi",
        default: "2.75",
        values: "zi in quarters (2.75), or points in halves with pt (5.5pt)",
        describes: "what Black gives White in the count (article 11)",
    },
    OptionInfo {
        name: "handicap",
        default: "0",
        values: "0..=9",
        describes: "stones Black places where he likes before White's first move; 0 and 1 place none",
    },
    OptionInfo {
        name: "handicap_bonus",
        default: "none",
        values: "none | n | n_minus_1",
        describes: "points White is given for n handicap stones, n being 2 or more",
    },
    OptionInfo {
        name: "repetition",
        default: "cn1988",
        values: "cn1988 | psk | situational | simple",
        describes: "which repetitions of the board are forbidden (articles 6 and 20)",
    },
    OptionInfo {
        name: "long_cycle",
        default: "draw",
        values: "draw | replay | arbiter",
        describes: "what a claimed long cycle or a third occurrence leads to (article 20.3)",
    },
    OptionInfo {
        name: "illegal_move",
        default: "reject",
        values: "reject | void_pass",
        describes: "whether a forbidden move is refused, or void and costs the turn (articles 19 and 20.1)",
    },
    OptionInfo {
        name: "disputes",
        default: "2",
        values: "0..=9",
        describes: "how often a dispute is played out before all stones are alive; 0 counts at once (article 21.3)",
    },
    OptionInfo {
        name: "setup",
        default: "",
        values: "empty, or rows from the top of '.', 'x' and 'o' joined by '/', then ' w' if White is to move",
        describes: "the position the game starts from, if not an empty board",
    },
];

const HANDICAP_BONUSES: &[(&str, HandicapBonus)] =
    &[("none", HandicapBonus::None), ("n", HandicapBonus::N), ("n_minus_1", HandicapBonus::NMinusOne)];

pub(crate) const REPETITIONS: &[(&str, Repetition)] = &[
    ("cn1988", Repetition::Cn1988),
    ("psk", Repetition::Psk),
    ("situational", Repetition::Situational),
    ("simple", Repetition::Simple),
];

pub(crate) const LONG_CYCLES: &[(&str, LongCycle)] =
    &[("draw", LongCycle::Draw), ("replay", LongCycle::Replay), ("arbiter", LongCycle::Arbiter)];

pub(crate) const ILLEGAL_MOVES: &[(&str, IllegalMove)] =
    &[("reject", IllegalMove::Reject), ("void_pass", IllegalMove::VoidPass)];

impl Start {
    /// Reads a rule set of [`VARIANT`].
    ///
    /// # Errors
    /// The option that has no such value, or that does not exist.
    pub fn read(rule_set: &RuleSet) -> Result<Start, OptionError> {
        let options = VARIANT.resolve(rule_set)?;
        let size = number(&options, "size", Size::MIN.get(), Size::MAX.get())?;
        let size = Size::new(size).ok_or_else(|| fault("size", "a side has 5 to 25 points"))?;
        let komi = QuarterZi::parse(&options["komi"])
            .ok_or_else(|| fault("komi", "zi in quarters (2.75) or points in halves (5.5pt) are wanted"))?;
        let rules = Rules {
            komi,
            handicap: number(&options, "handicap", 0, Rules::HANDICAP_MAX)?,
            handicap_bonus: choice(&options, "handicap_bonus", HANDICAP_BONUSES)?,
            repetition: choice(&options, "repetition", REPETITIONS)?,
            long_cycle: choice(&options, "long_cycle", LONG_CYCLES)?,
            illegal_move: choice(&options, "illegal_move", ILLEGAL_MOVES)?,
            disputes: number(&options, "disputes", 0, Rules::DISPUTES_MAX)?,
        };
        let setup = match options["setup"].as_str() {
            "" => Setup::empty(size),
            text => text.parse().map_err(|error: SetupError| fault("setup", error.to_string()))?,
        };
        let (columns, rows) = (setup.board().columns(), setup.board().rows());
        if (columns, rows) != (size, size) {
            return Err(fault("setup", "the rows do not have the size of the board"));
        }
        Ok(Start { setup, rules })
    }
}

/// The rule set with every option and each value in its canonical form.
pub(super) fn complete(rule_set: &RuleSet, start: &Start) -> Result<RuleSet, OptionError> {
    let options = VARIANT.resolve(rule_set)?;
    let mut complete: BTreeMap<String, String> =
        options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    complete.insert("komi".to_owned(), start.rules.komi.decimal());
    complete.insert("size".to_owned(), start.setup.board().rows().get().to_string());
    complete.insert("handicap".to_owned(), start.rules.handicap.to_string());
    complete.insert("disputes".to_owned(), start.rules.disputes.to_string());
    if !complete["setup"].is_empty() {
        complete.insert("setup".to_owned(), start.setup.to_string());
    }
    let id = if rule_set.id.is_empty() { RULE_SETS[0].id } else { &rule_set.id };
    Ok(RuleSet { id: id.to_owned(), options: complete })
}

/// The value of an option that is a number.
pub(crate) fn number(
    options: &BTreeMap<&str, String>,
    name: &str,
    low: u8,
    high: u8,
) -> Result<u8, OptionError> {
    let value = options[name].parse().ok().filter(|value| (low..=high).contains(value));
    value.ok_or_else(|| fault(name, alloc::format!("a number from {low} to {high} is wanted")))
}

/// The value of an option that is one of the words of a table.
pub(crate) fn choice<T: Copy>(
    options: &BTreeMap<&str, String>,
    name: &str,
    table: &[(&str, T)],
) -> Result<T, OptionError> {
    let found = table.iter().find(|(word, _)| *word == options[name]);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: alloc::vec::Vec<_> = table.iter().map(|(word, _)| *word).collect();
        fault(name, alloc::format!("one of {} is wanted", words.join(", ")))
    })
}

/// What is wrong with the value of an option.
pub(crate) fn fault(option: impl Display, detail: impl Into<Cow<'static, str>>) -> OptionError {
    OptionError { option: option.to_string(), detail: detail.into() }
}
