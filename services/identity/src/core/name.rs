//! The names of accounts.
//!
//! A name is written in one script, out of characters that are already in normal form (Unicode NFC) and
//! visible, so that look-alikes are found within one script only. Those are found by what Unicode's TR39 calls a
//! skeleton, and of two names that look alike only the first is given ([`Look`]):
//!
//! - Latin: the 52 letters of ASCII;
//! - Han: the unified ideographs of the first block and of extension A, and 〇;
//! - Tibetan: letters, subjoined letters, vowel signs in canonical order, and the tsheg between syllables;
//! - Mongolian: letters, without the invisible variation selectors.
//!
//! Digits 0 to 9, `-` and `_` go with any of them. A name starts with a letter.

use std::fmt;

use rand::{Rng, RngExt as _};
use unicode_security::confusable_detection::skeleton;

/// Characters of a name at least.
pub const CHARACTERS_MIN: usize = 2;
/// Characters of a name at most: what a table of results has room for.
pub const CHARACTERS_MAX: usize = 24;
/// How the names of guests start.
pub const GUEST_PREFIX: &str = "guest-";

/// Characters after the prefix in the name of a guest: 50 bits, so that names hardly ever collide.
const GUEST_CHARACTERS: usize = 10;
/// Letters and digits that are not mistaken for one another.
const GUEST_ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Names that read like no name.
const RESERVED: [&str; 11] =
    ["anonymous", "bot", "deleted", "everyone", "guest", "help", "me", "mod", "nobody", "null", "undefined"];
/// Words by which somebody could pass for the platform or its officials: also as a part of a name, with `-`, `_` or
/// digits about them.
const OFFICIAL: [&str; 16] = [
    "admin",
    "administrator",
    "arbiter",
    "moderator",
    "official",
    "operator",
    "root",
    "security",
    "shoutan",
    "staff",
    "support",
    "system",
    "手谈",
    "手談",
    "官方",
    "裁判",
];

/// A name as its owner writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

/// A name without regard to case: what is unique.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameKey(String);

/// What a name looks like, without regard to case: names that people take for each other have the same look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look(String);

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// It is too short or too long.
    #[error("a name has 2 to 24 characters")]
    Length,
    /// It starts with a digit, a sign or a mark.
    #[error("a name starts with a letter")]
    Start,
    /// It has a character of no script that names may be written in.
    #[error("a name has letters, digits, \"-\" and \"_\" only")]
    Character,
    /// It has letters of several scripts.
    #[error("a name is written in one script")]
    MixedScripts,
    /// Its Tibetan signs and subjoined letters are in no canonical order, or stand where nothing carries them.
    #[error("a sign follows the letter it belongs to, in the usual order")]
    Marks,
    /// It belongs to the platform.
    #[error("this name is reserved")]
    Reserved,
}

impl Name {
    /// Reads a name that somebody chose.
    ///
    /// # Errors
    /// See [`InvalidName`].
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let characters = text.chars().take(CHARACTERS_MAX + 1).count();
        if !(CHARACTERS_MIN..=CHARACTERS_MAX).contains(&characters) {
            return Err(InvalidName::Length);
        }
        well_formed(text)?;
        if is_reserved(text) {
            return Err(InvalidName::Reserved);
        }
        Ok(Name(text.to_owned()))
    }

    /// A name for a guest.
    pub fn guest(rng: &mut impl Rng) -> Self {
        let mut name = GUEST_PREFIX.to_owned();
        name.extend(
            (0..GUEST_CHARACTERS)
                .map(|_| char::from(GUEST_ALPHABET[rng.random_range(0..GUEST_ALPHABET.len())])),
        );
        Name(name)
    }

    /// The name as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without regard to case.
    pub fn key(&self) -> NameKey {
        NameKey(self.0.to_ascii_lowercase())
    }
}

impl Look {
    /// The look of a name.
    pub fn of(name: &str) -> Self {
        Look(skeleton(name).collect::<String>().to_lowercase())
    }

    /// As it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a name is one of the platform's own, or looks like it.
fn is_reserved(text: &str) -> bool {
    let look = plain(text);
    // Digits about a word make no other word of it; digits within it may stand for letters.
    let bare = |part: &str| part.trim_matches(|character: char| character.is_ascii_digit()).to_owned();
    let whole = plain(&bare(&text.replace(['-', '_'], "")));
    look.starts_with(&plain(GUEST_PREFIX))
        || RESERVED.iter().any(|name| look == plain(name))
        || OFFICIAL.iter().map(|word| plain(word)).any(|word| {
            let parts = text.split(['-', '_']);
            word == whole || parts.flat_map(|part| [plain(part), plain(&bare(part))]).any(|part| part == word)
        })
}

/// A look in which one character stands for all that are read for one another in a hurry: `1`, `i` and `l`, `0` and
/// `o`, `5` and `s`, and so on.
fn plain(text: &str) -> String {
    let read = |character: char| match character {
        '0' => 'o',
        '1' | 'i' | '!' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    };
    Look::of(&text.to_ascii_lowercase().chars().map(read).collect::<String>()).0
}

impl NameKey {
    /// The key by which to look for a name that somebody typed; `None` when no account can have it.
    pub fn of(text: &str) -> Option<Self> {
        let short = text.chars().take(CHARACTERS_MAX + 1).count() <= CHARACTERS_MAX;
        // Only ASCII letters have a case among those that names are made of.
        (short && well_formed(text).is_ok()).then(|| NameKey(text.to_ascii_lowercase()))
    }

    /// The key as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Han,
    Tibetan,
    Mongolian,
}

enum Part {
    Letter(Script),
    /// A Tibetan letter that hangs below another.
    Subjoined,
    /// A Tibetan sign with its canonical combining class, which decides the order of signs on one letter.
    Sign(u8),
    /// The tsheg, which parts Tibetan syllables.
    Tsheg,
    Neutral,
}

fn well_formed(text: &str) -> Result<(), InvalidName> {
    let mut script = None;
    // The class of the sign before, 0 after a letter; `None` where nothing carries a sign.
    let mut carries = None;
    for character in text.chars() {
        let part = part(character).ok_or(InvalidName::Character)?;
        let written_in = match part {
            Part::Letter(script) => Some(script),
            Part::Subjoined | Part::Sign(_) | Part::Tsheg => Some(Script::Tibetan),
            Part::Neutral => None,
        };
        if script.is_none() && !matches!(part, Part::Letter(_)) {
            return Err(InvalidName::Start);
        }
        if script.is_some() && written_in.is_some() && script != written_in {
            return Err(InvalidName::MixedScripts);
        }
        script = script.or(written_in);
        carries = match (part, carries) {
            (Part::Letter(_), _) | (Part::Subjoined, Some(0)) => Some(0),
            (Part::Sign(class), Some(before)) if class > before => Some(class),
            (Part::Subjoined | Part::Sign(_), _) => return Err(InvalidName::Marks),
            (Part::Tsheg | Part::Neutral, _) => None,
        };
    }
    Ok(())
}

fn part(character: char) -> Option<Part> {
    let part = match character {
        'a'..='z' | 'A'..='Z' => Part::Letter(Script::Latin),
        '0'..='9' | '-' | '_' => Part::Neutral,
        '\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Part::Letter(Script::Han),
        // Precomposed letters are left out: normal form takes them apart.
        '\u{0F43}' | '\u{0F4D}' | '\u{0F52}' | '\u{0F57}' | '\u{0F5C}' | '\u{0F69}' | '\u{0F93}'
        | '\u{0F9D}' | '\u{0FA2}' | '\u{0FA7}' | '\u{0FAC}' | '\u{0FB9}' => return None,
        '\u{0F40}'..='\u{0F47}' | '\u{0F49}'..='\u{0F6C}' => Part::Letter(Script::Tibetan),
        '\u{0F90}'..='\u{0F97}' | '\u{0F99}'..='\u{0FBC}' => Part::Subjoined,
        '\u{0F71}' => Part::Sign(129),
        '\u{0F72}' | '\u{0F7A}'..='\u{0F7D}' | '\u{0F80}' => Part::Sign(130),
        '\u{0F74}' => Part::Sign(132),
        '\u{0F0B}' => Part::Tsheg,
        '\u{1820}'..='\u{1878}' => Part::Letter(Script::Mongolian),
        _ => return None,
    };
    Some(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    fn check(text: &str, expected: Result<(), InvalidName>) {
        assert_eq!(Name::parse(text).map(drop), expected, "{text:?}");
    }

    #[test]
    fn names_are_of_one_script() {
        for good in ["ab", "Lee_Sedol-9", "聂卫平", "棋手_01", "བསྟན་འཛིན", "བཀྲ་ཤིས", "ᠪᠠᠲᠤ", &"a".repeat(24)]
        {
            check(good, Ok(()));
        }
        check("a", Err(InvalidName::Length));
        check("", Err(InvalidName::Length));
        check(&"a".repeat(25), Err(InvalidName::Length));
        for bad in ["1ab", "-ab", "_ab", "\u{0F0B}\u{0F40}", "\u{0F72}\u{0F40}", "\u{0F90}\u{0F40}"] {
            check(bad, Err(InvalidName::Start));
        }
        for bad in
            ["a b", "ab\0", "аб", "é1", "ab\u{200D}", "\u{F900}a", "\u{0F40}\u{0F43}", "ab\u{180B}", "a٣"]
        {
            check(bad, Err(InvalidName::Character));
        }
        check("Lee聂", Err(InvalidName::MixedScripts));
        check("聂a", Err(InvalidName::MixedScripts));
        check("ab\u{0F72}", Err(InvalidName::MixedScripts));
    }

    #[test]
    fn tibetan_signs_stand_in_canonical_order() {
        check("\u{0F40}\u{0F71}\u{0F72}", Ok(()));
        check("\u{0F40}\u{0F72}\u{0F71}", Err(InvalidName::Marks));
        check("\u{0F40}\u{0F72}\u{0F72}", Err(InvalidName::Marks));
        check("\u{0F40}\u{0F0B}\u{0F72}", Err(InvalidName::Marks));
        check("\u{0F40}\u{0F90}\u{0F72}", Ok(()));
        check("\u{0F40}\u{0F72}\u{0F90}", Err(InvalidName::Marks));
        check("\u{0F40}1\u{0F90}", Err(InvalidName::Marks));
    }

    #[test]
    fn reserved_names_are_refused_in_any_case() {
        for bad in ["admin", "ADMIN", "Shoutan", "guest-1", "GUEST-abc", "手谈"] {
            check(bad, Err(InvalidName::Reserved));
        }
        check("guesty", Ok(()));
    }

    #[test]
    fn what_looks_like_a_reserved_name_or_has_an_officials_word_in_it_is_refused() {
        for bad in [
            "adm1n",
            "Adrnin",
            "AdmIn",
            "admln",
            "a-d-m-i-n",
            "admin-",
            "admin2",
            "admin_lee",
            "lee-official",
            "Shoutan-Support",
            "sh0utan",
            "st4ff",
            "手談",
            "手谈-官方",
            "gue5t-abc",
            "guest-",
            "n0body",
        ] {
            check(bad, Err(InvalidName::Reserved));
        }
        for good in ["badminton", "Systemic", "supporter", "mebot", "modest", "Lee-Sedol", "helpful", "手工"]
        {
            check(good, Ok(()));
        }
    }

    #[test]
    fn names_that_people_take_for_each_other_have_the_same_look() {
        let look = Look::of;
        for (one, other) in [
            ("anna1", "annal"),
            ("annaI", "annal"),
            ("B0b", "bob"),
            ("bamey", "barney"),
            ("Lee", "lee"),
            ("O-o", "0-0"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
        for (one, other) in
            [("anna", "annb"), ("player-1", "player-2"), ("player-10", "player-1"), ("聂卫平", "聂卫")]
        {
            assert_ne!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn guests_get_names_that_can_be_looked_up_but_not_chosen() {
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..100 {
            let name = Name::guest(&mut rng);
            assert_eq!(NameKey::of(name.as_str()), Some(name.key()));
            assert_eq!(Name::parse(name.as_str()), Err(InvalidName::Reserved));
        }
    }

    proptest! {
        #[test]
        fn a_name_is_found_in_any_case_and_nothing_else_is_looked_for(text in ".{0,30}") {
            match Name::parse(&text) {
                Ok(name) => {
                    prop_assert_eq!(NameKey::of(&text.to_ascii_uppercase()), Some(name.key()));
                    prop_assert!(!text.contains('\0'));
                }
                Err(InvalidName::Reserved) => prop_assert!(NameKey::of(&text).is_some()),
                Err(InvalidName::Length) => {}
                Err(_) => prop_assert_eq!(NameKey::of(&text), None),
            }
        }

        #[test]
        fn latin_names_are_what_the_rule_says(text in "[a-zA-Z0-9_-]{1,26}") {
            let good = (2..=24).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_alphabetic());
            match Name::parse(&text) {
                Ok(_) => prop_assert!(good),
                Err(error) => prop_assert!(!good || error == InvalidName::Reserved),
            }
        }
    }
}
