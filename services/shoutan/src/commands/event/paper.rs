//! `shoutan event paper`.

use api::federation::v1::RenderDocumentRequest;

use super::session::Session;
use crate::commands::paper::{Which, Writing, write_paper};

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
    writing: Writing,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, args: Args) -> anyhow::Result<()> {
    let of = RenderDocumentRequest {
        event_id: args.event,
        kind: args.which.kind.into(),
        round: args.which.round,
        languages: args.which.words.languages,
        as_of_sequence: args.as_of_sequence,
        ..Default::default()
    };
    write_paper(session, of, args.writing).await
}
