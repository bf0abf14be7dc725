//! The headings of printed records, `# name: value`, which are the same for every game that is no SGF.

use alloc::borrow::Cow;

use crate::{Record, RuleSet, Variant, outcome_text, prelude::*};

/// The name of headings that hold free text.
pub(crate) const COMMENT: &str = "comment";
/// The name of the line that states the rules.
pub(crate) const RULES: &str = "rules";
/// The name of the line that states the result.
pub(crate) const RESULT: &str = "result";

/// Names of headings are words, not sentences.
const NAME_BYTES_MAX: usize = 32;

/// The text of a heading or remark on one line: without control characters and blanks at its ends.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().into()
}

/// Whether a heading may have this name.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
}

/// Fills a place that may be filled once.
pub(crate) fn once<T>(place: &mut Option<T>, value: T, twice: &'static str) -> Result<(), Cow<'static, str>> {
    match place.replace(value) {
        Some(_) => Err(twice.into()),
        None => Ok(()),
    }
}

/// Reads `aba draw_repetitions=3`; the name may be missing. Whether the game knows these rules is not asked.
pub(crate) fn rule_set(text: &str) -> Result<RuleSet, Cow<'static, str>> {
    let mut rule_set = RuleSet::named("");
    for (n, word) in text.split_whitespace().enumerate() {
        match word.split_once('=') {
            Some((name, value)) => rule_set = rule_set.with(name, value),
            None if n == 0 => rule_set.id = word.into(),
            None => return Err("the rules are a name and options like draw_repetitions=3".into()),
        }
    }
    Ok(rule_set)
}

/// The heading that says who is White, in a record whose acts do not.
pub(crate) const WHITE: &str = "white";

/// Writes what [`rule_set`] reads; empty for the variant's default.
pub(crate) fn rule_words(rule_set: &RuleSet) -> String {
    let options = rule_set.options.iter().map(|(name, value)| format!("{name}={value}"));
    let words: Vec<String> = core::iter::once(rule_set.id.clone()).chain(options).collect();
    clean(&words.join(" "))
}

/// The headings of a record as they are written before its acts: its own, its rules, what else is given here, and its
/// result. One of its own without a proper name, or with that of a line of another meaning, becomes a comment.
pub(crate) fn head(
    variant: &Variant,
    record: &Record,
    rule_set: &RuleSet,
    given: Option<(&str, &str)>,
) -> String {
    let mut text = String::new();
    for (name, value) in &record.headings {
        let value = clean(value);
        let is_kept = [RULES, RESULT].contains(&&**name) || given.is_some_and(|(given, _)| given == name);
        if is_name(name) && !is_kept {
            line(&mut text, name, &value);
        } else {
            line(&mut text, COMMENT, &clean(&format!("{name}: {value}")));
        }
    }
    let rules = rule_words(rule_set);
    let result = record.outcome.as_ref().map(|outcome| outcome_text::print(variant, outcome));
    let stated = [(RULES, &*rules)].into_iter().chain(given).chain(result.as_deref().map(|it| (RESULT, it)));
    for (name, value) in stated {
        if !value.is_empty() {
            line(&mut text, name, value);
        }
    }
    text
}

/// Writes a heading.
fn line(text: &mut String, name: &str, value: &str) {
    text.push_str("# ");
    text.push_str(name);
    text.push(':');
    if !value.is_empty() {
        text.push(' ');
        text.push_str(value);
    }
    text.push('\n');
}

/// The text of an act with one blank between its words, and without what cannot stand in it: control
/// characters and the start of a remark.
pub(crate) fn act_words(text: &str) -> String {
    let is_break = |c: char| c.is_whitespace() || c.is_control() || c == '#';
    text.split(is_break).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
