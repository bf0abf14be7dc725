//! `shoutan event paper`.

use api::federation::v1::{DocumentFormat, RenderDocumentRequest, RenderDocumentResponse};
use serde_json::json;

use super::{
    print,
    session::{Session, ask},
    shown::hex,
};
use crate::commands::{
    paper::{Output, Which},
    press,
};

/// Which paper, and where it goes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event's id.
    event: String,
    #[command(flatten)]
    which: Which,
    /// As it was after this entry of the log.
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
    as_of_sequence: u64,
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

/// Carries the command out.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.output.output.is_some() || !session.json,
        "--json takes a page that goes to a file: name an --output"
    );
    let request = RenderDocumentRequest {
        event_id: args.event,
        kind: args.which.kind.into(),
        round: args.which.round,
        languages: args.which.languages,
        as_of_sequence: args.as_of_sequence,
        format: match args.format {
            Format::Html => DocumentFormat::Html.into(),
            Format::Json | Format::Pdf => DocumentFormat::Json.into(),
        },
    };
    let press = if args.format == Format::Pdf { Some(press::find()?) } else { None };
    let paper = ask!(session.documents(), render_document, request)?;
    let (as_of_sequence, mut digest) = (paper.as_of_sequence, hex(&paper.digest));
    let bytes = match press {
        Some(press) => {
            // What the server vouches for is what stands on the paper, and not how it is set.
            digest.clear();
            press::print(&press, &paper.json).await?
        }
        None => written(paper),
    };
    let Some(file) = args.output.write(&bytes)? else { return Ok(()) };
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

/// The paper as the server has written it: one of the two is empty.
fn written(paper: RenderDocumentResponse) -> Vec<u8> {
    if paper.json.is_empty() { paper.html } else { paper.json }
}
