//! Words in languages: what the platform says to people, each in the language that he reads.
//!
//! The words stand in files of the crate, one for each language and [`Area`], and are in the binary. A federation adds a
//! language, or words of its own, by an [`Extension`], which is held to the same keys and placeholders. Where a language
//! lacks a word, the next one of [`Language::fallbacks`] has it: Tibetan falls back to Chinese, Chinese to English.
//!
//! What it is not: it reads nothing, it knows nobody's language, and it escapes nothing. Whoever puts a word into a page
//! escapes it like any other text.
//!
//! ```
//! use catalogue::{Catalogue, Language};
//!
//! let catalogue = Catalogue::shipped();
//! let chinese: Language = "zh".parse()?;
//! let said = catalogue.get(&chinese, "papers.round", &[("round", 3_u64.into())]).expect("every language has it");
//! assert_eq!(said.text, "第3轮");
//! # Ok::<(), catalogue::InvalidLanguage>(())
//! ```
#![forbid(unsafe_code)]

mod extension;
mod file;
mod language;
mod message;

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

pub use self::{
    extension::{Extension, InvalidWord, LANGUAGES_MAX, Word, WordFault},
    file::{FileFault, read, read_own, write_own},
    language::{InvalidLanguage, Language},
    message::{Arg, InvalidMessage, Message, TERMINAL_CHARS_MAX, TEXT_CHARS_MAX},
};

/// The words of one language by their keys, `area.name`.
pub(crate) type Words = BTreeMap<String, Message>;

/// What words are for. The first part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Area {
    /// The papers of events.
    Papers,
    /// Calendars of rounds and boards.
    Calendar,
    /// Why calls are refused: the key is the reason. The table of reasons itself has the English sentences.
    Refusals,
    /// What the command `shoutan` says when something is wrong. Its sources have the English sentences, too; a test of it
    /// holds them to these.
    Terminal,
    /// The help of the command `shoutan`: the key is the path of the command and the name of the argument. The command
    /// itself has the English texts.
    Help,
}

/// Each file: its area, its language, its text. The words of an area may stand in several.
const FILES: &[(Area, &str, &str)] = &[
    (Area::Papers, "en", include_str!("../catalogues/en/papers.toml")),
    (Area::Papers, "zh", include_str!("../catalogues/zh/papers.toml")),
    (Area::Calendar, "en", include_str!("../catalogues/en/calendar.toml")),
    (Area::Calendar, "zh", include_str!("../catalogues/zh/calendar.toml")),
    (Area::Refusals, "zh", include_str!("../catalogues/zh/refusals.toml")),
    (Area::Refusals, "zh", include_str!("../catalogues/zh/refusals_games.toml")),
    (Area::Refusals, "zh", include_str!("../catalogues/zh/refusals_federations.toml")),
    (Area::Refusals, "zh", include_str!("../catalogues/zh/refusals_rules.toml")),
    (Area::Terminal, "en", include_str!("../catalogues/en/terminal.toml")),
    (Area::Terminal, "zh", include_str!("../catalogues/zh/terminal.toml")),
    (Area::Help, "zh", include_str!("../catalogues/zh/help.toml")),
    (Area::Help, "zh", include_str!("../catalogues/zh/help_event.toml")),
    (Area::Help, "zh", include_str!("../catalogues/zh/help_federation.toml")),
];

static SHIPPED: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut languages: BTreeMap<Language, Words> = BTreeMap::new();
    for (area, language, text) in FILES {
        let language = language.parse().expect("a test reads every file");
        let words = languages.entry(language).or_default();
        for (name, message) in file::read_as(*area, text).expect("a test reads every file") {
            words.insert(format!("{}.{name}", area.name()), message);
        }
    }
    Catalogue { languages: Arc::new(languages), own: None }
});

/// All words that are there, with a federation's own.
#[derive(Clone, Debug)]
pub struct Catalogue {
    languages: Arc<BTreeMap<Language, Words>>,
    own: Option<Extension>,
}

/// A word as a reader of a language finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The word, in the language that has it.
    pub word: Word,
    /// Whether it is a federation's own.
    pub is_own: bool,
    /// What it is about: the names in its curly brackets.
    pub placeholders: Vec<&'a str>,
}

/// What is said, and in which language it could be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The language that had the word: the one asked for, or one it falls back to.
    pub language: Language,
    /// The words. They are text: nothing in them is escaped.
    pub text: String,
}

impl Area {
    /// Every area.
    pub const ALL: [Area; 5] = [Area::Papers, Area::Calendar, Area::Refusals, Area::Terminal, Area::Help];

    /// How keys of the area begin.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Area::Papers => "papers",
            Area::Calendar => "calendar",
            Area::Refusals => "refusals",
            Area::Terminal => "terminal",
            Area::Help => "help",
        }
    }

    /// The area of a key.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Area> {
        let (name, _) = key.split_once('.')?;
        Area::ALL.into_iter().find(|area| area.name() == name)
    }

    /// Whether its words are read at a terminal and nowhere else, so that no server says them.
    #[must_use]
    pub const fn is_of_terminal(self) -> bool {
        matches!(self, Area::Terminal | Area::Help)
    }

    /// Reads a text as a word of the area: what stands in pages has no markup and no lines.
    fn message(self, other: &str, one: Option<&str>) -> Result<Message, InvalidMessage> {
        if self.is_of_terminal() { Message::for_terminal(other, one) } else { Message::parse(other, one) }
    }
}

impl Catalogue {
    /// The words that come with the platform.
    #[must_use]
    pub fn shipped() -> &'static Catalogue {
        &SHIPPED
    }

    /// The same with the words of a federation, which go before those of the platform in the same language.
    #[must_use]
    pub fn extended(&self, own: Extension) -> Catalogue {
        Catalogue { languages: Arc::clone(&self.languages), own: Some(own) }
    }

    /// Says something in a language, or in the next of its fallbacks that can; none if no language has the key.
    #[must_use]
    pub fn get(&self, language: &Language, key: &str, args: &[(&str, Arg<'_>)]) -> Option<Said> {
        language.fallbacks().into_iter().find_map(|language| {
            let message = self.message(&language, key)?;
            let text = message.say(&language, args);
            Some(Said { language, text })
        })
    }

    /// Finds out which English sentence of an area a text is, and what stands in its places. Of several that it could be it
    /// is the one with the fewest letters in places; a sentence that is nothing but places is never found.
    #[must_use]
    pub fn recognise<'a>(&'a self, area: Area, text: &'a str) -> Option<(&'a str, Vec<(&'a str, &'a str)>)> {
        let start = format!("{}.", area.name());
        let english = self.languages.get(&Language::english())?;
        let sentences = english.iter().filter(|(key, message)| key.starts_with(&start) && message.has_text());
        let found = sentences.filter_map(|(key, message)| Some((key.as_str(), message.places_in(text)?)));
        found.min_by_key(|(_, places)| places.iter().map(|(_, part)| part.len()).sum::<usize>())
    }

    /// Whether a key is there, in whichever language.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.languages.values().any(|words| words.contains_key(key))
    }

    /// The keys of an area, each with its placeholders, as the first language that has them says.
    #[must_use]
    pub fn keys(&self, area: Area) -> BTreeMap<&str, Vec<&str>> {
        let start = format!("{}.", area.name());
        let of_area = self.languages.values().flatten().filter(|(key, _)| key.starts_with(&start));
        let mut keys = BTreeMap::new();
        for (key, message) in of_area {
            keys.entry(key.as_str()).or_insert_with(|| message.placeholders());
        }
        keys
    }

    /// Every word of an area as a reader of a language finds it, in the order of keys: where the language lacks it, in the
    /// next of its fallbacks that has it, or in whichever has it.
    pub fn words<'a>(&'a self, language: &Language, area: Area) -> impl Iterator<Item = Entry<'a>> {
        let mut order = language.fallbacks();
        order.extend(self.languages.keys().filter(|it| !order.contains(it)).cloned().collect::<Vec<_>>());
        self.keys(area).into_iter().filter_map(move |(key, placeholders)| {
            order.iter().find_map(|language| {
                let own = self.own.as_ref().and_then(|own| own.message(language, key));
                let message = own.or_else(|| self.languages.get(language)?.get(key))?;
                let (text, one) = message.written();
                let language = language.tag().to_owned();
                let word = Word { language, key: key.to_owned(), text, one };
                Some(Entry { word, is_own: own.is_some(), placeholders: placeholders.clone() })
            })
        })
    }

    /// The languages that the platform's own words are in.
    pub fn languages(&self) -> impl Iterator<Item = &Language> {
        self.languages.keys()
    }

    fn message(&self, language: &Language, key: &str) -> Option<&Message> {
        let own = self.own.as_ref().and_then(|own| own.message(language, key));
        own.or_else(|| self.languages.get(language)?.get(key))
    }
}

#[cfg(test)]
mod tests;
