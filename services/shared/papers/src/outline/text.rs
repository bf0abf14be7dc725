//! Texts: runs, each of one language and in one style.

use catalogue::Said;
use serde::Serialize;

use crate::{
    model::{Name, Person},
    script,
};

/// Letters and digits running after which a line may break, in scripts whose letters stand alone: a word that is longer
/// than its column is broken, and not cut.
const UNBROKEN: usize = 12;
/// The same of letters that join: no word has as many.
const UNBROKEN_JOINED: usize = 20;

/// A text of several runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Run>);

/// A part of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Run {
    /// What is written. It is text, whatever it looks like. It has nothing in it that turns the direction of writing.
    pub text: String,
    /// The language or the script that it is in, as a tag; empty where its letters do not tell.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// How it is set.
    #[serde(skip_serializing_if = "Style::is_plain")]
    pub style: Style,
}

/// How a run is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Like what stands beside it.
    #[default]
    Plain,
    /// The word of one of the languages, apart from those of the others.
    Word,
    /// Small, apart from what it belongs to: a name in Latin letters, a club.
    Small,
}

impl Text {
    /// A text as it was given.
    pub(super) fn plain(text: &str) -> Text {
        Text(vec![Run::new(text, script::of(text).tag, Style::Plain)])
    }

    /// A number, or nothing for 0.
    pub(super) fn number(number: u32) -> Text {
        if number == 0 { Text::default() } else { Text::sign(&number.to_string()) }
    }

    /// Signs that every language has.
    pub(super) fn sign(text: &str) -> Text {
        Text(vec![Run::new(text, "", Style::Plain)])
    }

    /// A word in each language.
    pub(super) fn words(said: Vec<Said>) -> Text {
        Text(said.into_iter().map(|word| Run::new(&word.text, word.language.tag(), Style::Word)).collect())
    }

    /// A name in its own script, and in Latin letters.
    pub(super) fn name(name: &Name) -> Text {
        named(name, Style::Plain)
    }

    /// Somebody with his club.
    pub(super) fn person(person: &Person) -> Text {
        Text::name(&person.name).and(named(&person.club, Style::Small))
    }

    /// With signs behind it.
    pub(super) fn then(self, sign: &str) -> Text {
        self.and(Text::sign(sign))
    }

    /// With another text behind it.
    pub(super) fn and(mut self, other: Text) -> Text {
        self.0.extend(other.0);
        self
    }

    /// Whether there is nothing to read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|run| run.text.is_empty())
    }
}

impl Run {
    fn new(text: &str, tag: &str, style: Style) -> Run {
        let tag = if tag == "und" { "" } else { tag };
        Run { text: breakable(text), tag: tag.to_owned(), style }
    }
}

impl Style {
    // The signature is serde's.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_plain(&self) -> bool {
        *self == Style::Plain
    }
}

fn named(name: &Name, style: Style) -> Text {
    let mut runs = Vec::new();
    if !name.native.is_empty() {
        runs.push(Run::new(&name.native, name.script().tag, style));
    }
    if name.has_latin() {
        runs.push(Run::new(&name.latin, "und-Latn", Style::Small));
    }
    Text(runs)
}

/// The text without what cannot be seen or turns the direction of writing, and with places to break where there are none.
fn breakable(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let (mut single, mut joined) = (0, 0);
    for c in text.chars().filter(|c| !is_unseen(*c)) {
        let is_single =
            c.is_ascii_graphic() || matches!(c, '\u{00A1}'..='\u{058F}' | '\u{1E00}'..='\u{1FFF}');
        single = if is_single { single + 1 } else { 0 };
        joined = if is_joined(c) { joined + 1 } else { 0 };
        if single > UNBROKEN {
            written.push('\u{200B}');
            single = 1;
        }
        if joined > UNBROKEN_JOINED {
            // With joiners on both sides, or they would lose their form beside a place to break.
            written.push_str("\u{200D}\u{200B}\u{200D}");
            joined = 1;
        }
        written.push(c);
    }
    written
}

/// Whether a letter is of a script whose letters join: Arabic and its like, N'Ko, Mongolian, Phags-pa.
const fn is_joined(c: char) -> bool {
    matches!(c, '\u{0600}'..='\u{077F}' | '\u{07C0}'..='\u{08FF}' | '\u{1800}'..='\u{18AF}' | '\u{A840}'..='\u{A877}')
}

fn is_unseen(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(breakable(text), expected);
    }

    #[test]
    fn a_word_that_is_too_long_may_break() {
        check("Tenzin Gyatso Rinpoche", "Tenzin Gyatso Rinpoche");
        check("abcdefghijklm", "abcdefghijkl\u{200B}m");
        check("聂卫平聂卫平聂卫平聂卫平聂卫平", "聂卫平聂卫平聂卫平聂卫平聂卫平");
        check("ᠪᠠᠲᠤᠮᠥᠩᠬᠡᠪᠠᠲᠤᠮᠥᠩᠬᠡ", "ᠪᠠᠲᠤᠮᠥᠩᠬᠡᠪᠠᠲᠤᠮᠥᠩᠬᠡ");
        check(&"ᠪ".repeat(21), &format!("{}\u{200D}\u{200B}\u{200D}ᠪ", "ᠪ".repeat(20)));
    }

    #[test]
    fn what_turns_the_direction_is_left_out() {
        check("a\u{202E}b\u{0007}c\u{2066}\nd", "abc\nd");
        // What chooses the form of a Mongolian letter stays.
        check("ᠨᠡᠷ᠎ᠡ", "ᠨᠡᠷ᠎ᠡ");
    }
}
