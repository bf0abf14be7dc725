//! Words of a federation's own: a language that the platform lacks, or other words in one that it has.

use std::collections::BTreeMap;

use crate::{Area, Catalogue, InvalidLanguage, InvalidMessage, Language, Message, Words};

/// How many languages a federation adds: those of its people. Each is as large as a file of the platform's.
pub const LANGUAGES_MAX: usize = 8;

/// One word as a federation gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// The tag of its language.
    pub language: String,
    /// Which word: `papers.round`.
    pub key: String,
    /// What is said.
    pub text: String,
    /// What is said of one thing, where that differs.
    pub one: Option<String>,
}

/// The words of a federation, each of which has been looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    languages: BTreeMap<Language, Words>,
}

/// Which word is refused, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{language} {key}: {fault}")]
pub struct InvalidWord {
    /// Its language, as it was given.
    pub language: String,
    /// Its key, as it was given.
    pub key: String,
    /// What is wrong.
    pub fault: WordFault,
}

/// Why a word is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordFault {
    /// There is no such language.
    #[error(transparent)]
    Language(#[from] InvalidLanguage),
    /// There are too many languages.
    #[error("at most {LANGUAGES_MAX} languages")]
    Languages,
    /// The platform has no such word.
    #[error("there is no such word")]
    Unknown,
    /// It is there twice.
    #[error("it is there twice")]
    Twice,
    /// Its text is none.
    #[error(transparent)]
    Message(#[from] InvalidMessage),
    /// It is about other things than the platform's own word.
    #[error("its placeholders are {}", list(.0))]
    Placeholders(Vec<String>),
}

impl Extension {
    /// Looks at every word of what a server says. An extension is taken whole or not at all.
    ///
    /// # Errors
    /// The first word that is refused.
    pub fn new(words: &[Word]) -> Result<Extension, InvalidWord> {
        let said: Vec<Area> = Area::ALL.into_iter().filter(|area| !area.is_of_terminal()).collect();
        Extension::of(&said, words)
    }

    /// The same for words of these areas: the command `shoutan` reads all of them from a file.
    ///
    /// # Errors
    /// The first word that is refused.
    pub fn of(areas: &[Area], words: &[Word]) -> Result<Extension, InvalidWord> {
        let known = known(areas);
        let mut extension = Extension::default();
        for word in words {
            extension.add(word, &known).map_err(|fault| InvalidWord {
                language: shortened(&word.language),
                key: shortened(&word.key),
                fault,
            })?;
        }
        Ok(extension)
    }

    /// The same of words that were looked at once, and may be of another version of the platform: what it takes no more is left
    /// out. Told with the words that it has.
    #[must_use]
    pub fn still(areas: &[Area], words: Vec<Word>) -> (Extension, Vec<Word>) {
        let known = known(areas);
        let mut extension = Extension::default();
        let words = words.into_iter().filter(|word| extension.add(word, &known).is_ok()).collect();
        (extension, words)
    }

    /// The languages that it has words in.
    pub fn languages(&self) -> impl Iterator<Item = &Language> {
        self.languages.keys()
    }

    /// How many words of an area a language lacks: those fall back to another.
    #[must_use]
    pub fn missing(&self, language: &Language, area: Area) -> usize {
        let has = |key: &str| self.message(language, key).is_some();
        Catalogue::shipped().keys(area).into_keys().filter(|key| !has(key)).count()
    }

    pub(crate) fn message(&self, language: &Language, key: &str) -> Option<&Message> {
        self.languages.get(language)?.get(key)
    }

    fn add(&mut self, word: &Word, known: &BTreeMap<&str, Vec<&str>>) -> Result<(), WordFault> {
        let language: Language = word.language.parse()?;
        let places = known.get(word.key.as_str()).ok_or(WordFault::Unknown)?;
        let area = Area::of_key(&word.key).ok_or(WordFault::Unknown)?;
        let message = area.message(&word.text, word.one.as_deref())?;
        if message.placeholders() != *places {
            return Err(WordFault::Placeholders(places.iter().map(|place| (*place).to_owned()).collect()));
        }
        if !self.languages.contains_key(&language) && self.languages.len() == LANGUAGES_MAX {
            return Err(WordFault::Languages);
        }
        let before = self.languages.entry(language).or_default().insert(word.key.clone(), message);
        if before.is_some() { Err(WordFault::Twice) } else { Ok(()) }
    }
}

/// The keys of areas, each with its placeholders.
fn known(areas: &[Area]) -> BTreeMap<&'static str, Vec<&'static str>> {
    areas.iter().flat_map(|area| Catalogue::shipped().keys(*area)).collect()
}

/// What was given, for a message: no longer than any language or key is.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn list(places: &[String]) -> String {
    if places.is_empty() { "none".to_owned() } else { places.join(", ") }
}
