//! `shoutan rules VARIANT check FILE`.

use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use rules::{RuleSet, Variant, engine::check};

use super::host::FileHost;
use crate::commands::terminal::say;

/// Checks the records in a file by the rules; fails if there is any fault.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file: records in the variant's printed notation or SGF, each behind the position it begins with unless
    /// that is the start of a game.
    file: String,
    /// The rule set of records that state none.
    #[arg(long, default_value = "")]
    rules: String,
    /// An option of that rule set.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

/// Carries the command out: 1 if there was a fault.
///
/// # Errors
/// When the file cannot be read, or the rule set is none.
pub(super) fn run(variant: &'static Variant, args: &Args) -> anyhow::Result<ExitCode> {
    let mut rule_set = RuleSet::named(&args.rules);
    for option in &args.options {
        let (name, value) =
            option.split_once('=').with_context(|| format!("{option} is not of the form NAME=VALUE"))?;
        rule_set = rule_set.with(name, value);
    }
    let bytes = FileHost::bytes(&args.file).map_err(|error| anyhow!(error))?;
    let report = check(variant, &rule_set, &bytes);
    // A reader who goes away has seen enough; what was found still decides.
    let told = say(&report);
    match told.as_ref().err().and_then(|error| error.downcast_ref::<std::io::Error>()) {
        Some(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        _ => told?,
    }
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
