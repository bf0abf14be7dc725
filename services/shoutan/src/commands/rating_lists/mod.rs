//! `shoutan ratings`: rating lists of federations, and the policies by which they are made.

mod lists;
mod policies;
mod shown;

use api::{
    client::ANSWER_BYTES_MAX, federation::v1::rating_list_service_client::RatingListServiceClient,
    transport::Transport,
};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    print,
    session::{self, Session, Who},
};

/// Publishes rating lists of federations, shows and verifies them.
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

#[derive(Debug, Subcommand)]
enum Command {
    /// Policies: which games count, by which system, and who is listed.
    #[command(subcommand)]
    Policy(Box<policies::Command>),
    #[command(flatten)]
    Lists(lists::Command),
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = match args.command {
        Command::Policy(command) => policies::run(&session, *command).await,
        Command::Lists(command) => lists::run(&session, command).await,
    };
    session.close().await;
    done
}

/// The way to rating lists. A part of a file is large.
fn client(session: &Session) -> RatingListServiceClient<Transport> {
    RatingListServiceClient::new(session.transport()).max_decoding_message_size(ANSWER_BYTES_MAX)
}

/// What turns on standard error while the server works; nothing where that is no terminal.
fn waiting(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let bar = ProgressBar::new_spinner();
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(what);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
