//! `shoutan document`: notice boards of events and federations, from the terminal.

use std::path::PathBuf;

use anyhow::Context as _;
use api::federation::v1::{
    CreateDocumentRequest, DeleteDocumentRequest, Document, GetDocumentRequest, ListDocumentsRequest,
};
use clap::Subcommand;
use serde_json::json;

use super::{
    event::hex,
    paper::{Output, Which, kind_name},
    print, regular_file,
    session::{Session, Who, all, ask},
};

/// A notice has so many characters; a file that is longer is not read to its end.
const TEXT_BYTES_MAX: u64 = 128 << 10;

/// Posts papers on notice boards, reads and withdraws them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

/// Whose board.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Board {
    /// The board of this event.
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// The board of this federation.
    #[arg(long, value_name = "ID")]
    federation: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Posts a paper of an event, a season or a rating list, or a notice. A paper shows what everybody sees by now.
    Post {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        board: Board,
        /// The season, for a league_table; its id.
        #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
        season: String,
        /// The policy, for a rating_list; its id.
        #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
        policy: String,
        /// Which list of the policy; the last if it is not said.
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        number: u32,
        /// What it is called; a notice must have a title.
        #[arg(long, default_value = "", hide_default_value = true)]
        title: String,
        /// The file with what a notice says; an empty line ends a paragraph.
        #[arg(long, value_name = "FILE")]
        text: Option<PathBuf>,
        /// Only says whether it could be done; nothing is written.
        #[arg(long)]
        dry_run: bool,
    },
    /// Lists what hangs on a board, or hung there, the newest first.
    List {
        #[command(flatten)]
        board: Board,
    },
    /// Prints the page of a paper, or keeps it in a file.
    Show {
        /// The id of the paper.
        document: String,
        #[command(flatten)]
        output: Output,
    },
    /// Withdraws a paper: it stays in the list with the reason, and its page is gone.
    Withdraw {
        /// The id of the paper.
        document: String,
        /// Why, for everybody.
        reason: String,
    },
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = carry_out(&session, args.command).await;
    session.close().await;
    done
}

async fn carry_out(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = session.documents();
    let document = match command {
        Command::Post { which, board, season, policy, number, title, text, dry_run } => {
            let request = CreateDocumentRequest {
                event_id: board.event.unwrap_or_default(),
                federation_id: board.federation.unwrap_or_default(),
                kind: which.kind.into(),
                round: which.round,
                languages: which.words.languages,
                title,
                text: text.map(|file| read(&file)).transpose()?.unwrap_or_default(),
                request_id: session.new_id(),
                validate_only: dry_run,
                season_id: season,
                policy_id: policy,
                list_number: number,
            };
            ask!(client, create_document, request)?.document
        }
        Command::List { board } => {
            let request = ListDocumentsRequest {
                event_id: board.event.unwrap_or_default(),
                federation_id: board.federation.unwrap_or_default(),
                ..Default::default()
            };
            let found = all!(client.clone(), list_documents, request, documents);
            let records: Vec<_> = found.iter().map(|document| record(session, document)).collect();
            return print::list(session.json, &records);
        }
        Command::Show { document: document_id, output } => {
            let answer = ask!(client, get_document, GetDocumentRequest { document_id })?;
            let document = answer.document.unwrap_or_default();
            let is_gone = !document.withdrawn_by.is_empty();
            anyhow::ensure!(!is_gone, "it was withdrawn: {}", document.withdraw_reason);
            if output.output.is_some() || !session.json {
                output.write(&answer.html)?;
            }
            if output.output.is_none() && !session.json {
                return Ok(());
            }
            Some(document)
        }
        Command::Withdraw { document: document_id, reason } => {
            let request_id = session.new_id();
            let request = DeleteDocumentRequest { document_id, reason, request_id, validate_only: false };
            ask!(client, delete_document, request)?.document
        }
    };
    print::one(session.json, &record(session, &document.context("the server's answer lacks the paper")?))
}

/// The text of a notice.
fn read(file: &std::path::Path) -> anyhow::Result<String> {
    use std::io::Read as _;
    let read = || -> std::io::Result<String> {
        let mut text = String::new();
        regular_file::open(file)?.take(TEXT_BYTES_MAX).read_to_string(&mut text)?;
        Ok(text)
    };
    read().with_context(|| format!("reading {}", file.display()))
}

/// A paper as it is printed.
fn record(session: &Session, it: &Document) -> print::Record {
    vec![
        ("document", json!(it.document_id)),
        ("kind", json!(kind_name(it.kind()))),
        ("round", if it.round == 0 { json!("") } else { json!(it.round) }),
        ("season", json!(it.season_id)),
        ("policy", json!(it.policy_id)),
        ("list", if it.list_number == 0 { json!("") } else { json!(it.list_number) }),
        ("title", json!(it.title)),
        ("languages", json!(it.languages)),
        ("posted", session.time(it.create_time.as_ref())),
        ("as_of_sequence", json!(it.as_of_sequence)),
        ("bytes", json!(it.size)),
        ("digest", json!(hex(&it.digest))),
        ("withdrawn", session.time(it.withdraw_time.as_ref())),
        ("reason", json!(it.withdraw_reason)),
    ]
}
