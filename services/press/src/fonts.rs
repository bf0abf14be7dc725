//! Fonts: the folders that are named, and what the files in them have.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use typst::{
    foundations::Bytes,
    text::{Font, FontBook},
    utils::LazyHash,
};

/// How deep folders are looked into.
const DEPTH_MAX: usize = 8;
/// How many files of fonts are looked at. A whole system has some thousands.
const FILES_MAX: usize = 20_000;
/// How large a file of fonts may be. Those of Chinese have some 20 MB, those with all weights 120.
const BYTES_MAX: u64 = 256 << 20;
/// How the names of such files end.
const ENDINGS: [&str; 4] = ["ttf", "otf", "ttc", "otc"];

/// The fonts of some folders. A file is read twice: to learn what it has, and once its letters are asked for.
#[derive(Debug, Default)]
pub struct Fonts {
    book: LazyHash<FontBook>,
    slots: Vec<Slot>,
}

/// There are none.
#[derive(Debug, thiserror::Error)]
#[error("no fonts in {}; on Debian: apt-get install {}", list(.0), crate::PACKAGES.join(" "))]
pub struct NoFonts(Vec<PathBuf>);

#[derive(Debug)]
struct Slot {
    path: PathBuf,
    index: u32,
    font: OnceLock<Option<Font>>,
}

impl Fonts {
    /// Looks through folders. Files are taken in the order of their names, so that the same folders are the same fonts.
    ///
    /// # Errors
    /// If there is none in any of them.
    pub fn of(folders: &[PathBuf]) -> Result<Fonts, NoFonts> {
        let mut files = Vec::new();
        for folder in folders {
            collect(folder, 0, &mut files);
        }
        let mut book = FontBook::new();
        let mut slots = Vec::new();
        for path in files {
            let Some(data) = read(&path) else { continue };
            for font in Font::iter(data) {
                book.push(font.info().clone());
                slots.push(Slot { path: path.clone(), index: font.index(), font: OnceLock::new() });
            }
        }
        if slots.is_empty() {
            return Err(NoFonts(folders.to_vec()));
        }
        Ok(Fonts { book: LazyHash::new(book), slots })
    }

    pub(crate) fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    pub(crate) fn get(&self, index: usize) -> Option<Font> {
        let slot = self.slots.get(index)?;
        slot.font.get_or_init(|| Font::new(read(&slot.path)?, slot.index)).clone()
    }
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    for path in paths {
        if path.is_dir() {
            if depth < DEPTH_MAX {
                collect(&path, depth + 1, files);
            }
        } else if is_font(&path) && files.len() < FILES_MAX {
            files.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

fn read(path: &Path) -> Option<Bytes> {
    let size = fs::metadata(path).ok()?.len();
    if size > BYTES_MAX { None } else { fs::read(path).ok().map(Bytes::new) }
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_fonts_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("false.ttf"), b"no font").expect("written");
        fs::write(folder.path().join("readme.txt"), b"text").expect("written");
        let error = Fonts::of(&[folder.path().to_owned(), PathBuf::from("/nowhere")]).expect_err("none");
        let message = error.to_string();
        assert!(message.contains("/nowhere") && message.contains("fonts-noto-cjk"), "{message}");
    }
}
