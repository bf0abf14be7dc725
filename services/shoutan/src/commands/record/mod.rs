//! `shoutan record`: plays records through a server, exports, imports and checks them.

mod check;
mod export;
mod file;
mod import;
mod replay;
mod result;

/// Plays records through a server, exports, imports and checks them.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Lets two new accounts play a record through a server, act by act, and compares what came of it.
    Replay(replay::Args),
    /// Writes the record of a game on a server.
    Export(export::Args),
    /// Gives a record to a server, which keeps it as a finished, unrated game.
    Import(import::Args),
    /// Checks a record by the rules, without a server.
    Check(check::Args),
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Replay(args) => replay::run(args).await,
        Command::Export(args) => export::run(args).await,
        Command::Import(args) => import::run(args).await,
        Command::Check(args) => check::run(&args),
    }
}
