//! Options that the games on a Go board have in common.

use alloc::collections::BTreeMap;

use super::{Setup, SetupError, Size};
use crate::{
    OptionError, RuleSet, Variant,
    options::{complete, fault, number},
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

impl<R> Start<R> {
    /// The rule set that was read with every option and its value in canonical form, the komi as it is given here.
    pub(crate) fn complete(
        &self,
        variant: &Variant,
        rule_set: &RuleSet,
        komi: String,
    ) -> Result<RuleSet, OptionError> {
        let given = !variant.resolve(rule_set)?["setup"].is_empty();
        let setup = if given { self.setup.to_string() } else { String::new() };
        complete(variant, rule_set, [("komi", komi), ("setup", setup)])
    }
}

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
