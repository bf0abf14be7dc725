//! What typst sees: the template, the paper, and fonts.

use typst::{
    Library, LibraryExt as _, World,
    diag::{FileError, FileResult},
    foundations::{Bytes, Datetime, Duration},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};

use crate::Fonts;

/// How a paper is set.
const TEMPLATE: &str = include_str!("../templates/paper.typ");
/// What the template calls the paper.
const DATA: &str = "paper.json";

/// What typst sees.
pub(crate) struct PaperWorld {
    library: LazyHash<Library>,
    template: Source,
    data_id: FileId,
    data: Bytes,
    fonts: Fonts,
}

impl PaperWorld {
    /// The world of a paper that is written as JSON.
    pub(crate) fn new(data: Vec<u8>, fonts: Fonts) -> PaperWorld {
        PaperWorld {
            library: LazyHash::new(Library::default()),
            template: Source::new(named("paper.typ"), TEMPLATE.to_owned()),
            data_id: named(DATA),
            data: Bytes::new(data),
            fonts,
        }
    }
}

impl World for PaperWorld {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() { Ok(self.template.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        if id == self.data_id { Ok(self.data.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index)
    }

    /// A paper says as of when it is; today is nothing to it.
    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn named(name: &str) -> FileId {
    let path = VirtualPath::new(name).expect("a plain name is a path");
    RootedPath::new(VirtualRoot::Project, path).intern()
}
