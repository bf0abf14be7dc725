//! `shoutan demo`: shows on a running platform what it can do.

/// Shows what a running platform can do, with players that are made for it.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Holds an event: a federation, its members, a Swiss from the draft to the final table with the working of every number.
    ///
    /// Players make some moves, then one of two resigns or both agree on a draw; everything else the platform does. Each run has
    /// new names. It makes an account for each player and two officials, and a network address can make 60 in an hour unless
    /// the platform has other limits.
    Event(super::event::demo::Args),
}

/// Carries the command out.
pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Event(args) => super::event::demo::run(args).await,
    }
}
