//! The golden papers, and how they are printed here.

use std::{env, fs, path::PathBuf};

use catalogue::{Catalogue, Extension, Word};
use papers::{Outline, Paper, outline};
use press::{Fault, Fonts, Printed};

/// A golden paper, with the words that come with it.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) paper: Paper,
    pub(crate) words: Vec<Word>,
}

/// Where they are.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/papers/tests/golden")
}

/// All of them, in the order of their names.
pub(crate) fn all() -> Vec<Sample> {
    let files = fs::read_dir(folder()).expect("the golden papers are there");
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    names.sort_unstable();
    assert!(names.len() >= 12, "one of each kind: {names:?}");
    names.iter().map(|name| one(name)).collect()
}

/// One by its name.
pub(crate) fn one(name: &str) -> Sample {
    let json = fs::read(folder().join(format!("{name}.json"))).expect("it can be read");
    let (paper, words) = papers::read(&json).expect("it is a paper");
    Sample { name: name.to_owned(), paper, words }
}

/// The folders with fonts: those that are named in the environment, as for the binary, or Debian's.
pub(crate) fn font_folders() -> Vec<PathBuf> {
    let named = env::var_os("SHOUTAN_PRESS_FONTS");
    named.map_or_else(|| vec![PathBuf::from("/usr/share/fonts")], |named| env::split_paths(&named).collect())
}

impl Sample {
    pub(crate) fn outline(&self) -> Outline {
        outline(&self.paper, &self.catalogue()).expect("it is a paper")
    }

    pub(crate) fn print(&self) -> Printed {
        self.try_print().unwrap_or_else(|fault| panic!("{}: {fault}", self.name))
    }

    pub(crate) fn try_print(&self) -> Result<Printed, Fault> {
        let fonts = Fonts::of(&font_folders()).expect("there are fonts");
        press::pdf(&self.paper, &self.catalogue(), fonts)
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::shipped().extended(Extension::new(&self.words).expect("they are words"))
    }
}
