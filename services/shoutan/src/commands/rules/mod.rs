//! `shoutan rules`: the engine protocol on standard input and output, and the check of records in files.

mod check;
mod host;
mod json;
mod run;

use std::process::ExitCode;

use rules::engine::Gtp;

use self::host::FileHost;
use super::variants;

/// Speaks the engine protocol over standard input and output, or checks a record.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[arg(help = variants::help("The game"))]
    variant: String,
    /// Takes and answers JSON objects, one a line.
    #[arg(long, conflicts_with = "gtp")]
    json: bool,
    /// Speaks version 2 of the Go Text Protocol.
    #[arg(long)]
    gtp: bool,
    /// The seed of what is left to chance, the moves of genmove.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// After how many seconds a perft count is given up.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    perft_seconds: u64,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Checks the records in a file by the rules; fails if there is any fault.
    Check(check::Args),
}

/// Carries the command out.
///
/// # Errors
/// When there is no such variant, or a file or standard input cannot be read.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let variant = variants::named(&args.variant)?;
    if let Some(Command::Check(check)) = &args.command {
        return check::run(variant, check);
    }
    let mut host = FileHost::new(args.seed, args.perft_seconds);
    if args.json {
        run::json(json::Talk::new(variant)?, &mut host)?;
    } else if args.gtp {
        run::text(rules::engine::Session::gtp(Gtp::new(variant)?), &mut host)?;
    } else {
        run::text(rules::engine::Session::new(variant), &mut host)?;
    }
    Ok(ExitCode::SUCCESS)
}
