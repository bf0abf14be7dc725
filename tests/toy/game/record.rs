//! Records: headings as every printed record has them, and a point a line, first side's first.

use alloc::{
    borrow::{Cow, ToOwned as _},
    string::String,
    vec::Vec,
};

use super::{VARIANT, game, point::Point};
use crate::{
    Act, Record, RecordError, RuleSet, Side,
    headings::{COMMENT, RESULT, RULES, act_words, clean, head, is_name, once, rule_set},
    outcome_text,
};

/// Nine points and some headings take a fraction of it.
const RECORD_BYTES_MAX: usize = 1 << 14;

pub(super) fn parse(text: &str) -> Result<Record, RecordError> {
    if text.len() > RECORD_BYTES_MAX {
        return Err(RecordError { line: 0, detail: Cow::Borrowed("a record has at most 16 KiB") });
    }
    let mut record = Record {
        variant: VARIANT.id,
        rule_set: RuleSet::named(""),
        headings: Vec::new(),
        acts: Vec::new(),
        outcome: None,
    };
    let mut stated = None;
    for (text, number) in text.lines().zip(1..) {
        let at = |detail| RecordError { line: number, detail };
        match text.trim().strip_prefix('#') {
            Some(text) => heading(&mut record, &mut stated, &clean(text)).map_err(at)?,
            None => acts(&mut record, text),
        }
    }
    record.rule_set = stated.unwrap_or(record.rule_set);
    let detail = |error: crate::OptionError| Cow::Owned(alloc::string::ToString::to_string(&error));
    game::start(&record.rule_set).map_err(|error| RecordError { line: 0, detail: detail(error) })?;
    Ok(record)
}

fn heading(record: &mut Record, stated: &mut Option<RuleSet>, text: &str) -> Result<(), Cow<'static, str>> {
    match text.split_once(':').map(|(name, value)| (name, value.trim())) {
        Some((RULES, value)) => once(stated, rule_set(value)?, "the rules are stated twice"),
        Some((RESULT, value)) => {
            let outcome =
                outcome_text::parse(&VARIANT, value).ok_or("a result is written like B+ three or draw")?;
            once(&mut record.outcome, outcome, "the result is stated twice")
        }
        Some((name, value)) if is_name(name) => {
            record.headings.push((name.to_owned(), value.to_owned()));
            Ok(())
        }
        _ if text.is_empty() => Ok(()),
        _ => {
            record.headings.push((COMMENT.to_owned(), text.to_owned()));
            Ok(())
        }
    }
}

fn acts(record: &mut Record, text: &str) {
    let text = text.split_once('#').map_or(text, |(acts, _remark)| acts);
    for word in text.split_whitespace() {
        let side = Side::BOTH[record.acts.len() % 2];
        let act = Point::read(word).map_or_else(|_| word.to_owned(), Point::name);
        record.acts.push(Act::by(side, act));
    }
}

pub(super) fn print(record: &Record) -> String {
    let mut text = head(&VARIANT, record, &record.rule_set, None);
    for act in &record.acts {
        text.push_str(&act_words(&act.text));
        text.push('\n');
    }
    text
}
