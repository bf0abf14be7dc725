//! Names of people, clubs, teams and federations: as they are written where they belong, and in Latin letters.
//!
//! Nobody's script is refused. What is refused is what cannot be seen or makes a text look like another: control
//! characters, signs that turn the direction of writing, and piles of marks. Of the invisible signs of Mongolian those
//! stay that choose the form of a letter.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use super::limits::NAME_CHARS_MAX;

/// Marks on one letter: a Tibetan stack with its vowels has fewer.
const MARKS_MAX: usize = 8;

/// A name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// In its own script, in normal form C. Empty of an erased person.
    pub native: String,
    /// In Latin letters.
    pub latin: String,
}

/// A name without regard to case, accents and width: what is looked for. Bytes, since databases order text by language.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameKey(Vec<u8>);

/// Which part of a name is at fault, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// The native name.
    #[error("native: {0}")]
    Native(Fault),
    /// The name in Latin letters.
    #[error("latin: {0}")]
    Latin(Fault),
}

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is empty or too long.
    #[error("1 to 80 characters")]
    Length,
    /// It has what cannot be seen, or turns the direction of writing.
    #[error("no control characters, and none that turn the direction of writing")]
    Invisible,
    /// It has no letter, or begins with a mark.
    #[error("a name has letters, and begins with no mark")]
    Letters,
    /// More marks on a letter than any script has.
    #[error("too many marks on one letter")]
    Marks,
    /// A transliteration is missing, or has other letters than Latin ones.
    #[error("required in Latin letters where the native name is in others")]
    NotLatin,
}

impl Name {
    /// Reads a name. Runs of blanks become one.
    ///
    /// # Errors
    /// See [`InvalidName`].
    pub fn parse(native: &str, latin: &str) -> Result<Name, InvalidName> {
        let native = clean(native).map_err(InvalidName::Native)?;
        let latin = if latin.trim().is_empty() && is_latin(&native) {
            native.clone()
        } else {
            clean(latin).map_err(|fault| {
                InvalidName::Latin(if latin.trim().is_empty() { Fault::NotLatin } else { fault })
            })?
        };
        if is_latin(&latin) { Ok(Name { native, latin }) } else { Err(InvalidName::Latin(Fault::NotLatin)) }
    }

    /// The keys by which it is found, each once.
    pub fn keys(&self) -> Vec<NameKey> {
        let mut keys = vec![NameKey::of(&self.native), NameKey::of(&self.latin)];
        keys.dedup();
        keys.retain(|key| !key.0.is_empty());
        keys
    }

    /// The key of the native name.
    pub fn key(&self) -> NameKey {
        NameKey::of(&self.native)
    }
}

impl NameKey {
    /// The key of a name, or of its beginning.
    pub fn of(text: &str) -> NameKey {
        // Only the accents of Latin letters are dropped: in other scripts marks are vowels.
        let plain = text.nfd().filter(|c| !matches!(c, '\u{300}'..='\u{36F}')).flat_map(char::to_lowercase);
        let folded: String = plain.nfc().collect();
        let words: Vec<&str> = folded.split_whitespace().collect();
        NameKey(words.join(" ").into_bytes())
    }

    /// As it is stored.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What comes after every key that begins like this; none if everything does.
    pub fn end(&self) -> Option<Vec<u8>> {
        let mut end = self.0.clone();
        while let Some(last) = end.pop() {
            if last < u8::MAX {
                end.push(last + 1);
                return Some(end);
            }
        }
        None
    }
}

/// Any text of one line or several: in normal form, without what cannot be seen; none if it has that, or is too long.
pub fn text(text: &str, chars_max: usize) -> Option<String> {
    let text: String = text.trim().nfc().take(chars_max + 1).collect();
    let fits = text.chars().count() <= chars_max;
    (fits && !text.chars().any(|c| c != '\n' && is_invisible(c))).then_some(text)
}

fn clean(text: &str) -> Result<String, Fault> {
    // Normal form C is no longer than three times what it is made of.
    if text.chars().take(4 * NAME_CHARS_MAX).count() == 4 * NAME_CHARS_MAX {
        return Err(Fault::Length);
    }
    if text.chars().any(is_invisible) {
        return Err(Fault::Invisible);
    }
    let text: String = text.nfc().collect();
    let text = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if !(1..=NAME_CHARS_MAX).contains(&text.chars().count()) {
        return Err(Fault::Length);
    }
    if !text.chars().any(char::is_alphabetic) || text.starts_with(is_combining_mark) {
        return Err(Fault::Letters);
    }
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > MARKS_MAX {
            return Err(Fault::Marks);
        }
    }
    Ok(text)
}

/// Whether all letters are Latin.
fn is_latin(text: &str) -> bool {
    let letter = |c: char| {
        c.is_ascii_alphabetic()
            || matches!(c, '\u{AA}' | '\u{BA}' | '\u{C0}'..='\u{24F}' | '\u{2B0}'..='\u{2FF}' | '\u{1E00}'..='\u{1EFF}')
    };
    text.chars().all(|c| !c.is_alphabetic() || letter(c))
}

/// What has no look of its own: controls, formats, private and other characters of no script. The selectors of Mongolian
/// forms and the narrow blank before its suffixes have one.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && !matches!(c, ' ' | '\u{202F}' | '\u{3000}'))
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{8E2}'
            | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{E000}'..='\u{F8FF}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFF}'
            | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1345F}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{10FFFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(native: &str, latin: &str, expected: Result<(), InvalidName>) {
        assert_eq!(Name::parse(native, latin).map(drop), expected, "{native:?} {latin:?}");
    }

    #[test]
    fn names_of_every_script_are_kept_with_a_transliteration() {
        check("བསྟན་འཛིན་རྒྱ་མཚོ", "Tenzin Gyatso", Ok(()));
        check("ᠪᠠᠲᠤ ᠮᠥᠩᠬᠡ\u{180B}", "Batmunkh", Ok(()));
        check("聂卫平", "Niè Wèipíng", Ok(()));
        check("Jan-Ove O’Neil", "", Ok(()));
        check("阿坝州藏棋协会", "", Err(InvalidName::Latin(Fault::NotLatin)));
        check("聂卫平", "聂卫平", Err(InvalidName::Latin(Fault::NotLatin)));
        check("", "Nobody", Err(InvalidName::Native(Fault::Length)));
        check(&"a".repeat(81), "", Err(InvalidName::Native(Fault::Length)));
        check("123", "", Err(InvalidName::Native(Fault::Letters)));
    }

    #[test]
    fn what_cannot_be_seen_or_turns_the_text_is_no_part_of_a_name() {
        for bad in [
            "Ann\u{202E}a",
            "An\u{200B}na",
            "Anna\u{0}",
            "An\nna",
            "\u{2066}Anna",
            "Anna\u{E001}",
            "\u{FEFF}Anna",
        ] {
            check(bad, "", Err(InvalidName::Native(Fault::Invisible)));
            check("安娜", bad, Err(InvalidName::Latin(Fault::Invisible)));
        }
        check(&format!("a{}", "\u{0301}".repeat(20)), "", Err(InvalidName::Native(Fault::Marks)));
    }

    #[test]
    fn the_same_name_written_in_another_way_is_the_same() {
        let one = Name::parse("Jose\u{301}  Pérez", "").expect("a name");
        assert_eq!(one.native, "José Pérez");
        assert_eq!(NameKey::of("JOSE perez"), one.key());
        let tibetan = Name::parse("བཀྲ་ཤིས", "Tashi").expect("a name");
        assert_eq!(tibetan.keys(), [NameKey::of("བཀྲ་ཤིས"), NameKey::of("tashi")]);
        assert_ne!(NameKey::of("ཀི"), NameKey::of("ཀ"), "vowels are no accents");
    }

    proptest! {
        #[test]
        fn a_name_is_read_as_it_is_kept(native in "\\PC{1,30}", latin in "[A-Za-z ]{1,20}") {
            if let Ok(name) = Name::parse(&native, &latin) {
                prop_assert_eq!(Name::parse(&name.native, &name.latin), Ok(name));
            }
        }

        #[test]
        fn a_key_lies_between_its_beginning_and_the_end_of_that(name in "\\PC{1,20}", chars in 0..20_usize) {
            let start: String = name.chars().take(chars).collect();
            let (start, key) = (NameKey::of(&start), NameKey::of(&name));
            if key.bytes().starts_with(start.bytes()) {
                prop_assert!(start <= key);
                prop_assert!(start.end().is_none_or(|end| key.bytes() < end.as_slice()));
            }
        }
    }
}
