//! `shoutan pack`: logs of games that are over, packed at once.

use std::{process::ExitCode, time::Duration};

use anyhow::{Context as _, ensure};
use chassis::Env;
use serde_json::json;

use super::{
    doctor::progress,
    print::{self, Record},
};
use crate::{data::DataArgs, edge::span, platform::Service};

/// How the logs are packed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long ago the last events of their games were at least.
    #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = span)]
    older_than: Duration,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArgs,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.json
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let database = args.data.open_beside(Service::Game).await?;
    let schema = game::audit::schema(&database).await?;
    ensure!(
        schema.pending.is_empty() && schema.unknown.is_empty(),
        "the games are kept as another version does: start the platform of this one on them first"
    );
    let bar = progress(game::audit::Audit::new(database.clone()).count().await?);
    let mut failed = 0_u64;
    let told = |game, packed: &game::Packed, error: Option<String>| {
        bar.set_position(packed.games);
        if let Some(error) = error {
            failed += 1;
            bar.suspend(|| tracing::warn!(%game, error, "a log was not packed"));
        }
    };
    let packed = game::pack_logs(&Env::system(), &database, args.older_than, told).await;
    bar.finish_and_clear();
    let game::Packed { games, events, bytes_before, bytes_after } =
        packed.context("packing the logs of games")?;
    database.settle().await?;
    database.close().await;
    let each = |bytes: u64| json!(bytes.checked_div(events).unwrap_or_default());
    let record: Record = vec![
        ("games", json!(games)),
        ("events", json!(events)),
        ("bytes_before", json!(bytes_before)),
        ("bytes_after", json!(bytes_after)),
        ("bytes_an_event_before", each(bytes_before)),
        ("bytes_an_event_after", each(bytes_after)),
        ("failed", json!(failed)),
    ];
    print::one(args.json, &record)?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
