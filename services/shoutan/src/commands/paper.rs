//! What the commands about papers share: their kinds, which one is meant, and where a page goes.

use std::{
    fs::File,
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};
use api::federation::v1::{DocumentFormat, DocumentKind, RenderDocumentRequest};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde_json::json;

use super::{
    event::hex,
    press, print,
    session::{Session, ask},
};

/// The kinds by the names that people give them.
const KINDS: [(&str, DocumentKind); 10] = [
    ("pairings", DocumentKind::Pairings),
    ("slips", DocumentKind::Slips),
    ("standings", DocumentKind::Standings),
    ("crosstable", DocumentKind::Crosstable),
    ("matches", DocumentKind::Matches),
    ("schedule", DocumentKind::Schedule),
    ("roster", DocumentKind::Roster),
    ("notice", DocumentKind::Notice),
    ("league_table", DocumentKind::LeagueTable),
    ("rating_list", DocumentKind::RatingList),
];

/// Which paper.
#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// What the paper says.
    #[arg(value_parser = PossibleValuesParser::new(KINDS.map(|(name, _)| name)).try_map(|name| kind(&name)))]
    pub kind: DocumentKind,
    /// Of this round, or after it; the last public one when it is not said.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub round: u32,
    #[command(flatten)]
    pub words: Words,
}

/// In which languages a paper is.
#[derive(Debug, clap::Args)]
pub(super) struct Words {
    /// Its languages, at most three, with commas between them: zh,bo or mn-Mong,zh. The first is that of the page. When none is
    /// said those of the event, else Chinese and English.
    #[arg(long = "lang", value_name = "LANGUAGES", value_delimiter = ',')]
    pub languages: Vec<String>,
}

/// How a paper is written, and where it goes.
#[derive(Debug, clap::Args)]
pub(super) struct Writing {
    /// As what it is written. PDF is made by shoutan-press, which is built apart: --help of it says more.
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    #[command(flatten)]
    output: Output,
}

/// As what a paper is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A page that prints on A4.
    Html,
    /// What stands on it, for other programs.
    Json,
    /// Pages of A4, by shoutan-press.
    Pdf,
}

/// Has the server make a paper, and writes it to where it is to go.
pub(super) async fn write_paper(
    session: &Session,
    of: RenderDocumentRequest,
    writing: Writing,
) -> anyhow::Result<()> {
    let Writing { format, output } = writing;
    anyhow::ensure!(
        output.output.is_some() || !session.json,
        "--json takes a page that goes to a file: name an --output"
    );
    let format_asked = match format {
        Format::Html => DocumentFormat::Html,
        Format::Json | Format::Pdf => DocumentFormat::Json,
    };
    let request = RenderDocumentRequest { format: format_asked.into(), ..of };
    let press = if format == Format::Pdf { Some(press::find()?) } else { None };
    let paper = ask!(session.documents(), render_document, request)?;
    let (as_of_sequence, mut digest) = (paper.as_of_sequence, hex(&paper.digest));
    let bytes = match press {
        Some(press) => {
            // What the server vouches for is what stands on the paper, and not how it is set.
            digest.clear();
            press::print(&press, &paper.json).await?
        }
        // One of the two is empty.
        None => [paper.html, paper.json].concat(),
    };
    let Some(file) = output.write(&bytes)? else { return Ok(()) };
    print::one(
        session.json,
        &vec![
            ("file", json!(file.display().to_string())),
            ("bytes", json!(bytes.len())),
            ("digest", json!(digest)),
            ("as_of_sequence", json!(as_of_sequence)),
        ],
    )
}

/// Where a page goes.
#[derive(Debug, clap::Args)]
pub(super) struct Output {
    /// Writes the page to this file, and not to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Writes it although there is such a file, whose contents are lost.
    #[arg(long, requires = "output")]
    pub force: bool,
}

impl Output {
    /// Writes a page to where it is to go; the file, if there is one.
    pub(super) fn write(&self, page: &[u8]) -> anyhow::Result<Option<&Path>> {
        let Some(path) = self.output.as_deref() else {
            std::io::stdout().write_all(page)?;
            return Ok(None);
        };
        write(path, self.force, page).with_context(|| format!("writing {}", path.display()))?;
        Ok(Some(path))
    }
}

/// The name of a kind.
pub(super) fn kind_name(kind: DocumentKind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name)
}

fn kind(name: &str) -> anyhow::Result<DocumentKind> {
    let found = KINDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind).ok_or_else(|| anyhow!("{name} is no paper"))
}

/// Writes a file. One that is there is kept, but by force.
fn write(path: &Path, force: bool, bytes: &[u8]) -> anyhow::Result<()> {
    let file = if force { File::create(path) } else { File::create_new(path) };
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            anyhow::bail!("there is such a file; --force writes over it")
        }
        file => file?,
    };
    file.write_all(bytes)?;
    Ok(file.sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_written_over_nothing_but_by_force() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("paper.html");
        let to = |force| Output { output: Some(path.clone()), force };
        assert_eq!(to(false).write(b"one").expect("written"), Some(path.as_path()));
        assert!(to(false).write(b"two").is_err());
        assert_eq!(std::fs::read(&path).expect("a file"), b"one");
        to(true).write(b"two").expect("written");
        assert_eq!(std::fs::read(&path).expect("a file"), b"two");
    }

    #[test]
    fn every_kind_has_a_name() {
        for number in 1.. {
            let Ok(kind) = DocumentKind::try_from(number) else { break };
            assert_eq!(super::kind(kind_name(kind)).expect("a kind"), kind);
        }
    }
}
