//! Reading the values of a rule set's options, and writing them in one form.

use alloc::{borrow::Cow, collections::BTreeMap};
use core::{fmt::Display, ops::RangeInclusive, str::FromStr};

use crate::{OptionError, RuleSet, Variant, prelude::*};

/// The options of a variant: behind the name of each its default, what it may be, and a sentence.
macro_rules! options {
    ($($name:literal = $default:tt in $values:literal: $description:literal;)+) => {
        &[$($crate::OptionInfo {
            name: $name,
            default: $default,
            values: $values,
            description: $description,
        }),+]
    };
}

/// What [`Variant::resolve`] gives.
type Values = BTreeMap<&'static str, String>;

/// The number that an option gives, in words where it is none or out of range.
pub(crate) fn number<T: FromStr + PartialOrd + Display>(
    values: &Values,
    name: &str,
    range: RangeInclusive<T>,
) -> Result<T, OptionError> {
    let value = values.get(name).and_then(|value| value.parse().ok()).filter(|value| range.contains(value));
    value.ok_or_else(|| fault(name, format!("a number from {} to {} is wanted", range.start(), range.end())))
}

/// What has names among which an option chooses.
pub(crate) trait Named: Copy + 'static {
    /// Each with its name.
    const NAMES: &'static [(&'static str, Self)];
}

impl Named for bool {
    const NAMES: &'static [(&'static str, bool)] = &[("true", true), ("false", false)];
}

/// What an option's word is the name of.
pub(crate) fn named<T: Named>(values: &Values, name: &str) -> Result<T, OptionError> {
    choice(values, name, T::NAMES)
}

/// What an option's word stands for in a table.
pub(crate) fn choice<T: Copy>(values: &Values, name: &str, table: &[(&str, T)]) -> Result<T, OptionError> {
    let found = table.iter().find(|(word, _)| values.get(name).is_some_and(|value| value == word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<_> = table.iter().map(|(word, _)| *word).collect();
        fault(name, format!("one of {} is wanted", words.join(", ")))
    })
}

pub(crate) fn fault(option: &str, detail: impl Into<Cow<'static, str>>) -> OptionError {
    OptionError { option: option.to_owned(), detail: detail.into() }
}

/// The rule set with every option and its value in canonical form: numbers as they are written, and of the others
/// these as they are given here.
pub(crate) fn complete<const N: usize>(
    variant: &Variant,
    rule_set: &RuleSet,
    canonical: [(&str, String); N],
) -> Result<RuleSet, OptionError> {
    let number = |value: String| value.parse::<u32>().map_or(value, |number| number.to_string());
    let values = variant.resolve(rule_set)?;
    let mut options: BTreeMap<String, String> =
        values.into_iter().map(|(name, value)| (name.to_owned(), number(value))).collect();
    options.extend(canonical.map(|(name, value)| (name.to_owned(), value)));
    let id = if rule_set.id.is_empty() { variant.rule_sets[0].id.to_owned() } else { rule_set.id.clone() };
    Ok(RuleSet { id, options })
}
