//! Words between protos and `core`.

use api::{federation::v1 as pb, reason, time::timestamp};
use catalogue::{Area, Entry, InvalidWord, Language, Word};
use chassis::{id::FederationId, page::Page};

use super::fields::{optional, revision, told_revision};
use crate::core::language::{BadWords, Own, check};

/// The words that are to be those of a language.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// Whose.
    pub federation: FederationId,
    /// In which language.
    pub language: Language,
    /// All of them.
    pub words: Vec<Word>,
    /// The revision that was seen.
    pub seen: Option<i64>,
}

/// The words that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Whose own go before the platform's.
    pub federation: Option<FederationId>,
    /// In which language.
    pub language: Language,
    /// Of which areas.
    pub areas: Vec<Area>,
    /// Only the federation's own in this very language.
    pub own_only: bool,
    /// Which part, by keys.
    pub page: Page<String>,
}

const AREAS: [(pb::WordArea, Area); Area::ALL.len()] = [
    (pb::WordArea::Papers, Area::Papers),
    (pb::WordArea::Calendar, Area::Calendar),
    (pb::WordArea::Refusals, Area::Refusals),
    (pb::WordArea::Terminal, Area::Terminal),
    (pb::WordArea::Help, Area::Help),
];

fn language(tag: &str) -> Result<Language, api::Error> {
    tag.parse().map_err(|error: catalogue::InvalidLanguage| {
        api::Error::invalid(reason::BAD_WORDS, "language", error.to_string())
    })
}

impl TryFrom<pb::UpdateWordsRequest> for Write {
    type Error = api::Error;

    fn try_from(it: pb::UpdateWordsRequest) -> Result<Write, api::Error> {
        let language = language(&it.language)?;
        let word = |word: pb::Word| Word {
            language: language.tag().to_owned(),
            key: word.key,
            text: word.text,
            one: (!word.one.is_empty()).then_some(word.one),
        };
        let words: Vec<Word> = it.words.into_iter().map(word).collect();
        check(&words).map_err(|bad| refused(&bad, &words))?;
        Ok(Write {
            federation: FederationId::parse(&it.federation_id, "federation_id")?,
            language,
            words,
            seen: revision(it.revision),
        })
    }
}

/// What is refused, at the word that it is about.
fn refused(bad: &BadWords, words: &[Word]) -> api::Error {
    let at = match bad {
        // One that is there twice is refused the second time. Of a long key the beginning is told.
        BadWords::Word(InvalidWord { key, .. }) => words.iter().rposition(|word| word.key.starts_with(key)),
        BadWords::Bytes(_) => None,
    };
    let field = at.map_or_else(|| "words".to_owned(), |at| format!("words[{at}]"));
    api::Error::invalid(reason::BAD_WORDS, &field, bad.to_string())
}

impl TryFrom<pb::ListWordsRequest> for List {
    type Error = api::Error;

    fn try_from(it: pb::ListWordsRequest) -> Result<List, api::Error> {
        let areas = if it.area == 0 {
            Area::ALL.to_vec()
        } else {
            let found = AREAS.iter().find(|(number, _)| i32::from(*number) == it.area);
            let none = || api::Error::invalid(reason::UNKNOWN_VALUE, "area", "none of the areas");
            vec![found.ok_or_else(none)?.1]
        };
        let list = format!("words/{}/{}/{}/{}", it.federation_id, it.language, it.area, it.own_only);
        Ok(List {
            federation: optional(&it.federation_id, "federation_id", FederationId::parse)?,
            language: language(&it.language)?,
            areas,
            own_only: it.own_only,
            page: Page::of(list, it.page_size, &it.page_token)?,
        })
    }
}

impl From<&Own> for pb::FederationLanguage {
    fn from(it: &Own) -> pb::FederationLanguage {
        pb::FederationLanguage {
            federation_id: it.federation.to_string(),
            language: it.language.tag().to_owned(),
            word_count: it.count(),
            missing_counts: it.missing().map(|(area, count)| (area.name().to_owned(), count)).collect(),
            updated_by: it.by.to_string(),
            update_time: Some(timestamp(it.at)),
            revision: told_revision(it.revision),
        }
    }
}

/// A word that was found, as it is told.
pub(crate) fn told(it: Entry<'_>) -> pb::FoundWord {
    let Word { language, key, text, one } = it.word;
    pb::FoundWord {
        word: Some(pb::Word { key, text, one: one.unwrap_or_default() }),
        language,
        is_own: it.is_own,
        placeholders: it.placeholders.into_iter().map(str::to_owned).collect(),
    }
}
