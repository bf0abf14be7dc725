//! Papers of events as PDF on A4: what [`papers`] says stands on them, set by typst.
//!
//! [`pdf`] takes a paper and makes its pages. What stands on it goes to typst as data, in a file of JSON, and never as
//! source: whatever a name looks like, it is a name. typst sees that file, a template that is compiled in, and fonts; no
//! other file, no package and no clock. The same paper with the same fonts is the same file, to the byte.
//!
//! A letter that no font has is an error that names it, and so is a text that would reach over the edge of its page.
//!
//! What it is not: it fetches no paper, and knows no event.
#![forbid(unsafe_code)]

mod fonts;
mod look;
mod script;
mod world;

use catalogue::Catalogue;
use papers::{Block, InvalidPaper, Outline, Paper, outline};
use typst::{diag::SourceDiagnostic, ecow::EcoVec};
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use self::world::PaperWorld;
pub use self::{
    fonts::{Fonts, NoFonts},
    script::{Lacking, PACKAGES},
};

/// How many cells the tables of a paper may have: as many take typst half a minute and a gigabyte.
pub const CELLS_MAX: usize = 60_000;

/// As how many of them a slip counts.
const CELLS_OF_SLIP: usize = 12;

/// How many bytes of text a paper may have.
pub const TEXT_BYTES_MAX: usize = 2_000_000;

/// How many pages a paper may have: a box of paper.
pub const PAGES_MAX: usize = 2_500;

/// A paper that can be printed.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The file.
    pub pdf: Vec<u8>,
    /// How many pages it has.
    pub pages: usize,
}

/// Why a paper cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is none.
    #[error(transparent)]
    Paper(#[from] InvalidPaper),
    /// It is too large.
    #[error("it has {0}")]
    TooLarge(String),
    /// No font has some of its letters.
    #[error("{0}")]
    Lacking(Lacking),
    /// Something would be cut off.
    #[error("it has no room on page {page} for: {text}")]
    Cut {
        /// The page, from 1.
        page: usize,
        /// The text that reaches over its edge.
        text: String,
    },
    /// The template has failed.
    #[error("the pages could not be set: {0}")]
    Typst(String),
}

/// Makes the pages of a paper, with the words of a catalogue.
///
/// # Errors
/// See [`Fault`].
pub fn pdf(paper: &Paper, catalogue: &Catalogue, fonts: Fonts) -> Result<Printed, Fault> {
    let outline = outline(paper, catalogue)?;
    measure(&outline)?;
    let data = serde_json::to_vec(&outline).map_err(|error| Fault::Typst(error.to_string()))?;
    let ident = String::from_utf8_lossy(&data).into_owned();
    let world = PaperWorld::new(data, fonts);
    let document: PagedDocument = typst::compile(&world).output.map_err(|faults| typst_fault(&faults))?;
    let pages = document.pages();
    if pages.len() > PAGES_MAX {
        return Err(Fault::TooLarge(format!("{} pages, and {PAGES_MAX} at most are printed", pages.len())));
    }
    look::over(pages)?;
    let options = PdfOptions {
        ident: typst::foundations::Smart::Custom(ident),
        creator: typst::foundations::Smart::Custom(Some("shoutan-press".to_owned())),
        ..PdfOptions::default()
    };
    let pdf = typst_pdf::pdf(&document, &options).map_err(|faults| typst_fault(&faults))?;
    Ok(Printed { pdf, pages: pages.len() })
}

/// Looks at how large a paper is before anybody sets it.
fn measure(outline: &Outline) -> Result<(), Fault> {
    let cells: usize = outline.blocks.iter().map(cells).sum();
    let bytes: usize = outline.texts().flat_map(|text| &text.0).map(|run| run.text.len()).sum();
    if cells > CELLS_MAX {
        return Err(Fault::TooLarge(format!("{cells} cells, and {CELLS_MAX} at most are printed")));
    }
    if bytes > TEXT_BYTES_MAX {
        return Err(Fault::TooLarge(format!(
            "{bytes} bytes of text, and {TEXT_BYTES_MAX} at most are printed"
        )));
    }
    Ok(())
}

fn cells(block: &Block) -> usize {
    match block {
        Block::Table(table) => table.rows.len() * table.narrow.len(),
        Block::Slip(_) => CELLS_OF_SLIP,
        _ => 1,
    }
}

fn typst_fault(faults: &EcoVec<SourceDiagnostic>) -> Fault {
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    Fault::Typst(messages.join("; "))
}
