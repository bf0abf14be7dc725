//! `shoutan federation`: federations, their clubs, members, teams and officials, from the terminal.

mod clubs;
mod federations;
mod joining;
mod members;
mod officials;
mod proxies;
pub(super) mod shown;
mod teams;
mod words;

use clap::Subcommand;

use super::{
    print,
    session::{self, Session, Who},
};

/// Looks after federations, their clubs, members, teams and officials.
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
    #[command(flatten)]
    Federations(federations::Command),
    /// Clubs.
    #[command(subcommand)]
    Club(clubs::Command),
    /// Members: people of a federation, with or without an account.
    #[command(subcommand)]
    Member(Box<members::Command>),
    /// Teams.
    #[command(subcommand)]
    Team(teams::Command),
    /// Officials of a whole federation.
    #[command(subcommand)]
    Officials(officials::Command),
    /// Who acts for members that have no device.
    #[command(subcommand)]
    Proxy(proxies::Command),
    /// Words of its own: on its papers, in calendars of its events, and for the command of its people.
    #[command(subcommand)]
    Words(words::Command),
    #[command(flatten)]
    Joining(joining::Command),
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let done = match args.command {
        Command::Federations(command) => federations::run(&session, command).await,
        Command::Club(command) => clubs::run(&session, command).await,
        Command::Member(command) => members::run(&session, *command).await,
        Command::Team(command) => teams::run(&session, command).await,
        Command::Officials(command) => officials::run(&session, command).await,
        Command::Proxy(command) => proxies::run(&session, command).await,
        Command::Words(command) => words::run(&session, command).await,
        Command::Joining(command) => joining::run(&session, command).await,
    };
    session.close().await;
    done
}
