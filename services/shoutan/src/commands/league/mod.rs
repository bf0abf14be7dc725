//! `shoutan league`: leagues of federations, from the terminal.

mod example;
mod file;
mod leagues;
#[cfg(test)]
mod methods;
mod seasons;
mod shown;
mod squads;
mod tables;

use clap::Subcommand;

use super::{
    event, print,
    session::{self, Session, Who},
};

/// Runs leagues of federations.
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
    Leagues(leagues::Command),
    /// Seasons: made, shown, listed, changed.
    #[command(subcommand)]
    Season(seasons::Command),
    #[command(flatten)]
    Steps(seasons::Step),
    #[command(flatten)]
    Squads(squads::Command),
    #[command(flatten)]
    Tables(tables::Command),
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    if let Command::Leagues(leagues::Command::Rules { example: true, .. }) = args.command {
        return super::terminal::say(example::TEXT.trim_end());
    }
    let session = Session::open(&args.who).await?;
    let done = match args.command {
        Command::Leagues(command) => leagues::run(&session, command).await,
        Command::Season(command) => seasons::run(&session, command).await,
        Command::Steps(step) => seasons::step(&session, step).await,
        Command::Squads(command) => squads::run(&session, command).await,
        Command::Tables(command) => tables::run(&session, command).await,
    };
    session.close().await;
    done
}
