//! Words of a federation's own: in languages that the platform lacks, or other words in those that it has.

use std::{collections::BTreeMap, sync::LazyLock};

use catalogue::{Area, Catalogue, InvalidWord, LANGUAGES_MAX, Language, Word};
use chassis::{
    id::{AccountId, FederationId},
    limit::{Amount, Limit},
};
use time::OffsetDateTime;

/// Bytes of all words of a language: five times those of the platform's own.
pub const WORDS_BYTES_MAX: usize = 512 << 10;

/// The limits of words.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "languages in which a federation has words of its own",
        amount: Amount::Count(LANGUAGES_MAX as u64),
        setting: None,
        reason: "those of its people",
    },
    Limit {
        name: "words of a federation in one language",
        amount: Amount::Bytes(WORDS_BYTES_MAX as u64),
        setting: None,
        reason: "five times as much as all that the platform says; they are read for each of its papers",
    },
];

/// A language in which a federation has words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The federation.
    pub federation: FederationId,
    /// The language.
    pub language: Language,
    /// How many words of each area it has; none of those that it has none of.
    pub counts: BTreeMap<Area, u32>,
    /// Who has written them last.
    pub by: AccountId,
    /// When.
    pub at: OffsetDateTime,
    /// Grows with every change.
    pub revision: i64,
}

/// Why words are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWords {
    /// One is none of the platform's, or its text is none.
    #[error(transparent)]
    Word(#[from] InvalidWord),
    /// They are too many.
    #[error("{0} bytes, at most {WORDS_BYTES_MAX}")]
    Bytes(usize),
}

/// How many words the platform has of each area.
static KNOWN: LazyLock<BTreeMap<Area, u32>> = LazyLock::new(|| {
    let count = |area| u32::try_from(Catalogue::shipped().keys(area).len()).unwrap_or(u32::MAX);
    Area::ALL.into_iter().map(|area| (area, count(area))).collect()
});

impl Own {
    /// How many there are.
    pub fn count(&self) -> u32 {
        self.counts.values().sum()
    }

    /// How many words of each area it lacks; none of those that it lacks none of.
    pub fn missing(&self) -> impl Iterator<Item = (Area, u32)> {
        let has = |area| self.counts.get(&area).copied().unwrap_or(0);
        KNOWN.iter().map(move |(area, known)| (*area, known.saturating_sub(has(*area))))
    }
}

/// How many words of each area there are.
pub fn counts(words: &[Word]) -> BTreeMap<Area, u32> {
    let mut counts = BTreeMap::new();
    for area in words.iter().filter_map(|word| Area::of_key(&word.key)) {
        *counts.entry(area).or_default() += 1;
    }
    counts
}

/// Looks at all words of a language, which are taken whole or not at all.
///
/// # Errors
/// The first fault.
pub fn check(words: &[Word]) -> Result<(), BadWords> {
    let size = |word: &Word| word.key.len() + word.text.len() + word.one.as_ref().map_or(0, String::len);
    let bytes = words.iter().map(size).sum();
    if bytes > WORDS_BYTES_MAX {
        return Err(BadWords::Bytes(bytes));
    }
    catalogue::Extension::of(&Area::ALL, words)?;
    Ok(())
}
