//! `shoutan record check`: a record by the rules, without a server.

use anyhow::bail;
use rules::{RuleSet, engine};

use super::{
    file::{Loaded, RecordFile},
    result::stated_line,
};
use crate::commands::terminal::say;

/// Checks a record by the rules, without a server.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: RecordFile,
}

/// Carries the command out.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let name = args.file.name();
    let Loaded { variant, record, placement, text } = args.file.load()?;
    if let Some(placement) = placement {
        say(format_args!("the placement is that of {}", placement.display()))?;
    }
    let report = engine::check(variant, &RuleSet::named(""), text.as_bytes());
    for fault in &report.faults {
        say(fault)?;
    }
    if !report.is_clean() {
        bail!("{name} disagrees with the rules of {} in {} places", variant.name(), report.faults.len());
    }
    let result =
        record.outcome.as_ref().map_or("no result".to_owned(), |outcome| stated_line(outcome, variant));
    say(format_args!("{name}: {}, {} acts, all legal; {result}", variant.name(), record.acts.len()))
}
