//! Papers as files of JSON, for other programs.

use catalogue::Word;
use serde::{Deserialize, Serialize};

use crate::Paper;

/// A paper, with the words that a federation has of its own: whoever sets the paper says what its page would say.
#[derive(Serialize, Deserialize)]
struct File {
    #[serde(flatten)]
    paper: Paper,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    words: Vec<OwnWord>,
}

/// A [`Word`] as it is written.
#[derive(Serialize, Deserialize)]
struct OwnWord {
    language: String,
    key: String,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    one: Option<String>,
}

/// Why a text is no paper.
#[derive(Debug, thiserror::Error)]
#[error("it is no paper: {0}")]
pub struct NoPaper(serde_json::Error);

/// A paper as JSON, with the words of a federation's own, which may be none. It reads back equal.
#[must_use]
pub fn json(paper: &Paper, words: &[Word]) -> String {
    let word = |word: &Word| OwnWord {
        language: word.language.clone(),
        key: word.key.clone(),
        text: word.text.clone(),
        one: word.one.clone(),
    };
    let file = File { paper: paper.clone(), words: words.iter().map(word).collect() };
    serde_json::to_string(&file).expect("a paper has keys that are texts, and nothing else that JSON lacks")
}

/// Reads a paper, with the words that come with it.
///
/// # Errors
/// If it is none.
pub fn read(json: &[u8]) -> Result<(Paper, Vec<Word>), NoPaper> {
    let file: File = serde_json::from_slice(json).map_err(NoPaper)?;
    Ok((file.paper, words_of(file.words)))
}

/// Reads words of a federation's own alone, as they stand in the files of its papers.
///
/// # Errors
/// If they are none.
pub fn read_words(json: &[u8]) -> Result<Vec<Word>, NoPaper> {
    serde_json::from_slice(json).map(words_of).map_err(NoPaper)
}

fn words_of(words: Vec<OwnWord>) -> Vec<Word> {
    words
        .into_iter()
        .map(|word| Word { language: word.language, key: word.key, text: word.text, one: word.one })
        .collect()
}
