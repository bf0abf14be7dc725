//! Letters that no font has, and which packages would have them.

use std::{collections::BTreeSet, fmt};

/// Debian's packages in which everything is that papers usually need: Latin, Cyrillic, Tibetan, Mongolian and Arabic letters
/// and signs are in the first, Chinese, Japanese and Korean ones in the second.
pub const PACKAGES: [&str; 2] = ["fonts-noto-core", "fonts-noto-cjk"];
/// Where pictures of faces and the like are.
const EMOJI: &str = "fonts-noto-color-emoji";
/// Where rare scripts are.
const RARE: &str = "fonts-noto-unhinted";
/// How many letters are named.
const NAMED: usize = 20;

/// Letters that no font has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking(BTreeSet<char>);

impl Lacking {
    pub(crate) fn new(letters: BTreeSet<char>) -> Lacking {
        Lacking(letters)
    }

    /// The letters, in the order of their numbers.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.0.iter().copied()
    }

    /// Debian's packages that have them, as far as there are any.
    fn packages(&self) -> BTreeSet<&'static str> {
        self.letters().filter_map(package).collect()
    }
}

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> =
            self.letters().take(NAMED).map(|c| format!("{c} (U+{:04X})", u32::from(c))).collect();
        write!(f, "no font has {}", named.join(", "))?;
        if self.0.len() > NAMED {
            write!(f, " and {} more", self.0.len() - NAMED)?;
        }
        let packages: Vec<&str> = self.packages().into_iter().collect();
        if packages.is_empty() {
            write!(f, "; name a folder with fonts that have them: --fonts")
        } else {
            write!(f, "; on Debian: apt-get install {}, or name a folder: --fonts", packages.join(" "))
        }
    }
}

fn package(c: char) -> Option<&'static str> {
    match c {
        '\u{2E80}'..='\u{31FF}'
        | '\u{3200}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}'
        | '\u{FF00}'..='\u{FFEF}'
        | '\u{20000}'..='\u{323AF}' => Some(PACKAGES[1]),
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => None,
        '\u{1F300}'..='\u{1FAFF}' => Some(EMOJI),
        '\u{10000}'..='\u{1FFFF}' => Some(RARE),
        _ => Some(PACKAGES[0]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(letters: &str, expected: &str) {
        assert_eq!(Lacking::new(letters.chars().collect()).to_string(), expected);
    }

    #[test]
    fn letters_are_named_with_the_packages_that_have_them() {
        check(
            "ཀ中",
            "no font has ཀ (U+0F40), 中 (U+4E2D); on Debian: apt-get install fonts-noto-cjk fonts-noto-core, or name a \
             folder: --fonts",
        );
        check("\u{E123}", "no font has \u{E123} (U+E123); name a folder with fonts that have them: --fonts");
    }

    #[test]
    fn many_letters_are_counted() {
        let many = Lacking::new(('\u{1820}'..='\u{1840}').collect()).to_string();
        assert!(many.contains(" and 13 more; "), "{many}");
    }
}
