//! Options that the games on a Go board have in common.

use alloc::collections::BTreeMap;

use super::{IllegalMove, LongCycle, Repetition, Setup, SetupError, Size};
use crate::{
    OptionError,
    options::{fault, number},
    prelude::*,
};

/// A rule set that has been read: where a game starts and under which rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start<R> {
    /// The first position.
    pub setup: Setup,
    /// The rules.
    pub rules: R,
}

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

/// The size of the board that the options name.
pub(crate) fn size(values: &BTreeMap<&'static str, String>) -> Result<Size, OptionError> {
    let size = number(values, "size", Size::MIN.get()..=Size::MAX.get())?;
    Size::new(size).ok_or_else(|| fault("size", "a side has 5 to 25 points"))
}

/// The position that the options name, on a board of this size.
pub(crate) fn setup(values: &BTreeMap<&'static str, String>, size: Size) -> Result<Setup, OptionError> {
    let setup = match values["setup"].as_str() {
        "" => Setup::empty(size),
        text => text.parse().map_err(|error: SetupError| fault("setup", error.to_string()))?,
    };
    if (setup.board().columns(), setup.board().rows()) != (size, size) {
        return Err(fault("setup", "the rows do not have the size of the board"));
    }
    Ok(setup)
}

/// The option that names this position; empty where none was given.
pub(crate) fn written(values: &BTreeMap<&'static str, String>, setup: &Setup) -> String {
    if values["setup"].is_empty() { String::new() } else { setup.to_string() }
}
