//! `shoutan config`: which settings are in force.

use std::{ffi::OsString, io::Write as _};

use anyhow::Context as _;
use clap::Subcommand;

use crate::{
    cli,
    config::{self, Settings},
};

/// Shows settings.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prints which settings would be in force, as TOML, each with where it comes from: a flag, a variable, a file, or the default.
    /// Secrets are masked.
    Print {
        /// The command line that would start the platform or a service, such as `serve game --listen 127.0.0.1:0`.
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "COMMAND",
            default_value = "up"
        )]
        line: Vec<OsString>,
    },
}

/// Does it.
pub(crate) fn run(Command::Print { line }: &Command) -> anyhow::Result<()> {
    let command = cli::command();
    let args: Vec<OsString> = std::env::args_os().collect();
    let settings = Settings::find(&args, |name| std::env::var_os(name), &command)?;
    let line: Vec<OsString> = std::iter::once("shoutan".into()).chain(line.iter().cloned()).collect();
    let shown = config::show(&command, &settings, &line)?;
    let shown = shown.context("only `up` and `serve` have settings")?;
    std::io::stdout().lock().write_all(shown.as_bytes())?;
    Ok(())
}
