//! What is read: a paper, and words of a federation's own.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::Context as _;
use catalogue::{Catalogue, Extension, Word};
use papers::Paper;

/// How large a file may be: twice the largest paper that the platform gives.
const BYTES_MAX: u64 = 6 << 20;

/// Reads a paper with the words that come with it; - is standard input.
pub(crate) fn paper(path: &Path) -> anyhow::Result<(Paper, Vec<Word>)> {
    let (bytes, name) = if path == Path::new("-") {
        (read(io::stdin(), "standard input")?, "standard input".to_owned())
    } else {
        (file(path)?, path.display().to_string())
    };
    papers::read(&bytes).with_context(|| format!("reading {name}"))
}

/// The words of the platform with those that come with a paper, and with those of a file, which go before them.
pub(crate) fn catalogue(own: Vec<Word>, path: Option<&Path>) -> anyhow::Result<Catalogue> {
    let mut words = match path {
        Some(path) => {
            papers::read_words(&file(path)?).with_context(|| format!("reading {}", path.display()))?
        }
        None => Vec::new(),
    };
    let is_new = |word: &Word, words: &[Word]| {
        words.iter().all(|there| (&there.language, &there.key) != (&word.language, &word.key))
    };
    for word in own {
        if is_new(&word, &words) {
            words.push(word);
        }
    }
    Ok(Catalogue::shipped().extended(Extension::new(&words).context("words of a federation")?))
}

fn file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display().to_string();
    read(File::open(path).with_context(|| format!("reading {name}"))?, &name)
}

fn read(from: impl Read, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| format!("reading {name}"))?;
    anyhow::ensure!(bytes.len() as u64 <= BYTES_MAX, "{name} has more than {} MiB", BYTES_MAX >> 20);
    Ok(bytes)
}
