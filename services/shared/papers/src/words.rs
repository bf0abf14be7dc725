//! The words of a paper in each of its languages.

use catalogue::{Arg, Catalogue, Language, Said};

use crate::page::InvalidPaper;

/// How many languages stand on one paper: with more, tables have no room for what they are about.
pub const LANGUAGES_MAX: usize = 3;

/// Says what stands on a paper.
pub(crate) struct Words<'a> {
    catalogue: &'a Catalogue,
    languages: Vec<Language>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, tags: &[String]) -> Result<Words<'a>, InvalidPaper> {
        if tags.is_empty() || tags.len() > LANGUAGES_MAX {
            return Err(InvalidPaper::Languages);
        }
        let languages = tags.iter().map(|tag| tag.parse()).collect::<Result<_, _>>()?;
        Ok(Words { catalogue, languages })
    }

    /// The language of the page.
    pub(crate) fn main(&self) -> &Language {
        &self.languages[0]
    }

    /// `ltr` or `rtl`.
    pub(crate) fn direction(&self) -> &'static str {
        if self.main().is_from_the_right() { "rtl" } else { "ltr" }
    }

    /// Whether the lines of the page are columns.
    pub(crate) fn vertical(&self) -> bool {
        self.main().is_vertical()
    }

    /// A word in each language, once where one falls back to another.
    pub(crate) fn say(&self, key: &str) -> Vec<Said> {
        self.say_of(key, &[])
    }

    /// A word about a number.
    pub(crate) fn count(&self, key: &str, name: &str, number: impl Into<u64>) -> Vec<Said> {
        self.say_of(key, &[(name, Arg::Number(number.into()))])
    }

    /// A word about a text.
    pub(crate) fn of(&self, key: &str, name: &str, text: &str) -> Vec<Said> {
        self.say_of(key, &[(name, text.into())])
    }

    pub(crate) fn say_of(&self, key: &str, args: &[(&str, Arg<'_>)]) -> Vec<Said> {
        let mut said: Vec<Said> = Vec::new();
        for word in self.languages.iter().filter_map(|language| self.catalogue.get(language, key, args)) {
            // Signs that are the same everywhere, such as T, stand there once, too.
            if said.iter().all(|before| before.text != word.text) {
                said.push(word);
            }
        }
        said
    }
}
