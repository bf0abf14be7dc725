//! Reading records of numbered turns: comment lines and headings that start with `#`, and turns, with remarks after
//! a `#` of their own.

use alloc::borrow::Cow;

use crate::{
    Act, Outcome, Record, RecordError, RuleSet, Variant,
    headings::{COMMENT, RESULT, RULES, clean, is_name, once, rule_set},
    outcome_text,
    prelude::*,
};

/// What is wrong with a line.
pub(crate) type Fault = Cow<'static, str>;

/// What a record says beside its turns.
#[derive(Default)]
pub(crate) struct Headed {
    pub rule_set: Option<RuleSet>,
    pub headings: Vec<(String, String)>,
    pub outcome: Option<Outcome>,
}

/// What reads the turns and headings of one game.
pub(crate) trait Reader {
    fn headed(&mut self) -> &mut Headed;

    fn heading(&mut self, name: &str, value: &str) -> Result<(), Fault>;

    /// Reads the turns of a line, of which there may be none.
    fn turns(&mut self, text: &str) -> Result<(), Fault>;

    /// Names the turn read last, for remarks about it.
    fn last(&self) -> Option<String>;
}

/// Reads a record of at most so many bytes, line by line.
pub(crate) fn read(text: &str, bytes_max: usize, reader: &mut impl Reader) -> Result<(), RecordError> {
    if text.len() > bytes_max {
        let detail = format!("a record has at most {bytes_max} bytes");
        return Err(RecordError { line: 0, detail: Cow::Owned(detail) });
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    for (line, number) in text.lines().zip(1..) {
        read_line(line.trim(), reader).map_err(|detail| RecordError { line: number, detail })?;
    }
    Ok(())
}

fn read_line(line: &str, reader: &mut impl Reader) -> Result<(), Fault> {
    if let Some(heading) = line.strip_prefix('#') {
        let text = clean(heading);
        return match text.split_once(':') {
            Some((name, value)) if is_name(name) => reader.heading(name, value.trim()),
            _ if text.is_empty() => Ok(()),
            _ => reader.heading(COMMENT, &text),
        };
    }
    let (turns, remark) = line.split_once('#').unwrap_or((line, ""));
    reader.turns(turns)?;
    let remark = clean(remark);
    if !remark.is_empty() {
        let remark = reader.last().map_or(remark.clone(), |about| format!("{about}: {remark}"));
        reader.headed().headings.push((COMMENT.into(), remark));
    }
    Ok(())
}

impl Headed {
    /// The record of these acts.
    pub(crate) fn record(self, variant: &Variant, acts: Vec<Act>) -> Record {
        let rule_set = self.rule_set.unwrap_or_else(|| RuleSet::named(""));
        Record { variant: variant.id, rule_set, headings: self.headings, acts, outcome: self.outcome }
    }

    /// Takes a heading in. `ending` is an ending that the game's results may name.
    pub(crate) fn read(
        &mut self,
        variant: &'static Variant,
        ending: &str,
        (name, value): (&str, &str),
    ) -> Result<(), Fault> {
        match name {
            RULES => once(&mut self.rule_set, rule_set(value)?, "the rules are stated twice"),
            RESULT => {
                let outcome = outcome_text::parse(variant, value).ok_or_else(|| {
                    format!("a result is written like B+R, W+T, B+ {ending}, draw or draw quiet")
                })?;
                once(&mut self.outcome, outcome, "the result is stated twice")
            }
            _ => {
                self.headings.push((name.into(), value.into()));
                Ok(())
            }
        }
    }
}
