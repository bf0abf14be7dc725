//! `shoutan pairing`: judges the pairings of a tournament report, and makes reports by chance.

mod check;
mod generate;

use std::process::ExitCode;

/// Judges the pairings of a tournament report, and makes reports by chance.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Judges every round of a report (TRF16, TRF26) by rules H1 to H5, whoever paired it. Ends with 0 where none is broken,
    /// with 1 where one is, and with 2 where the report cannot be read.
    Check(check::Args),
    /// Writes the report of an event by chance, paired by this platform: the same seed, the same event.
    Generate(generate::Args),
}

/// Carries the command out.
///
/// # Errors
/// When standard output cannot be written, or there is no such event.
pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Generate(args) => generate::run(args),
    }
}
