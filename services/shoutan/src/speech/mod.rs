//! In which language the command speaks to the person at the terminal, and the words of it.
//!
//! English stands where it is said: in the comments of arguments, in the sentences of errors, in the answers of servers. In
//! another language the catalogue has what is said instead: [`help`] what a command and its arguments are, [`clap_words`] what
//! the reader of the command line says by itself, [`sentence`] what went wrong. Whatever has no word stays English. Scripts are
//! not spoken to: `--json` and what stands in files are the same in every language.

mod choice;
mod clap_words;
mod help;
mod sentence;
mod wrap;

use std::{ffi::OsString, io::Read as _, path::Path, sync::OnceLock};

use anyhow::Context as _;
use catalogue::{Area, Catalogue, Extension, Language, Word};

use crate::commands::regular_file;

pub(crate) use choice::{ID, tag};

/// The variable with the name of a file of a federation's own words.
const OWN_WORDS: &str = "SHOUTAN_WORDS";

/// How long that file may be: eight languages with all words of the platform, each as long as the platform's.
const OWN_WORDS_BYTES_MAX: u64 = 2 << 20;

/// What this process says in another language than English.
static SPEECH: OnceLock<Speech> = OnceLock::new();

/// A language other than English, and its words.
#[derive(Debug)]
pub(crate) struct Speech {
    language: Language,
    catalogue: Catalogue,
}

/// Finds out in which language this process speaks: once, before anything is said. Nothing, for English.
///
/// # Errors
/// When the file of own words has none.
pub(crate) fn begin(args: &[OsString]) -> anyhow::Result<Option<&'static Speech>> {
    let language = choice::language(args, |name| std::env::var(name).ok());
    if language == Language::english() {
        return Ok(None);
    }
    let own = std::env::var_os(OWN_WORDS).filter(|file| !file.is_empty());
    let own = own.map(|file| read(Path::new(&file))).transpose()?;
    Ok(Speech::new(language, own).map(|speech| SPEECH.get_or_init(|| speech)))
}

/// What this process speaks; nothing, for English.
pub(crate) fn current() -> Option<&'static Speech> {
    SPEECH.get()
}

impl Speech {
    /// What is said in a language; nothing if that is English for want of words.
    pub(crate) fn new(language: Language, own: Option<Extension>) -> Option<Speech> {
        let shipped = Catalogue::shipped();
        let catalogue = own.map_or_else(|| shipped.clone(), |own| shipped.extended(own));
        let said = catalogue.get(&language, "terminal.clap.error", &[]);
        let speech = Speech { language, catalogue };
        said.is_some_and(|said| said.language != Language::english()).then_some(speech)
    }

    /// A word without places; nothing if only English has it.
    fn word(&self, key: &str) -> Option<String> {
        let said = self.catalogue.get(&self.language, key, &[])?;
        (said.language != Language::english()).then_some(said.text)
    }
}

/// Reads a federation's own words, each of which has been looked at.
fn read(file: &Path) -> anyhow::Result<Extension> {
    let words = read_words(file, OWN_WORDS_BYTES_MAX)?;
    Extension::of(&Area::ALL, &words).with_context(|| format!("reading {}", file.display()))
}

/// Reads the words of a file of so many bytes at most.
///
/// # Errors
/// When it cannot be read, is longer, or holds something else.
pub(crate) fn read_words(file: &Path, bytes_max: u64) -> anyhow::Result<Vec<Word>> {
    let reading = || format!("reading {}", file.display());
    let mut text = String::new();
    let opened = regular_file::open(file).with_context(reading)?;
    opened.take(bytes_max + 1).read_to_string(&mut text).with_context(reading)?;
    anyhow::ensure!(text.len() as u64 <= bytes_max, "{} is too long to hold words", file.display());
    catalogue::read_own(&text).with_context(reading)
}
