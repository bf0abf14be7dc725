//! `shoutan event paper`.

use api::federation::v1::RenderDocumentRequest;
use serde_json::json;

use super::{
    print,
    session::{Session, ask},
    shown::hex,
};
use crate::commands::paper::{Output, Which};

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
    #[command(flatten)]
    output: Output,
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
    };
    let paper = ask!(session.documents(), render_document, request)?;
    let Some(file) = args.output.write(&paper.html)? else { return Ok(()) };
    print::one(
        session.json,
        &vec![
            ("file", json!(file.display().to_string())),
            ("bytes", json!(paper.html.len())),
            ("digest", json!(hex(&paper.digest))),
            ("as_of_sequence", json!(paper.as_of_sequence)),
        ],
    )
}
