//! `shoutan maintenance`: when the platform is worked on.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use chassis::Env;
use game::core::{Maintenance, MaintenanceChange};
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    event::moment,
    print::{self, Record},
};
use crate::{data::DataArgs, edge::span, platform::Service};

/// What is planned.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// When it begins: `now`, or a moment as 2026-11-21T09:00:00+08:00.
    #[arg(long, value_name = "TIME", value_parser = begin, requires = "ends")]
    at: Option<Begin>,
    /// When it ends; alone it moves the end of what is planned.
    #[arg(long, value_name = "TIME", value_parser = moment, group = "ends")]
    until: Option<OffsetDateTime>,
    /// How long it takes.
    #[arg(long = "for", value_name = "SPAN", value_parser = span, group = "ends", requires = "at")]
    takes: Option<Duration>,
    /// Why, for all to read; 200 characters at most.
    #[arg(long, value_name = "TEXT", requires = "at")]
    reason: Option<String>,
    /// Calls it off, or ends it now.
    #[arg(long, conflicts_with_all = ["at", "until", "takes", "reason"])]
    cancel: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArgs,
}

/// When a maintenance begins.
#[derive(Clone, Copy, Debug)]
enum Begin {
    Now,
    At(OffsetDateTime),
}

fn begin(text: &str) -> Result<Begin, String> {
    if text == "now" { Ok(Begin::Now) } else { moment(text).map(Begin::At) }
}

impl Args {
    /// Whether a script reads what is printed.
    pub(crate) const fn prints_json(&self) -> bool {
        self.json
    }

    /// What is to change, if anything.
    fn change(&self, now: OffsetDateTime) -> Option<MaintenanceChange> {
        if self.cancel {
            return Some(MaintenanceChange::Cancel);
        }
        let Some(at) = self.at else { return self.until.map(MaintenanceChange::MoveEnd) };
        let begin = match at {
            Begin::Now => now,
            Begin::At(begin) => begin,
        };
        // However long it is to take; what is too long is refused.
        let takes = self.takes.unwrap_or_default().try_into().unwrap_or(time::Duration::MAX);
        let end = self.until.unwrap_or(begin.saturating_add(takes));
        let reason = self.reason.clone().unwrap_or_default();
        Some(MaintenanceChange::Plan(Maintenance { begin, end, reason }))
    }
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let database = args.data.open_beside(Service::Game).await?;
    let schema = game::audit::schema(&database).await?;
    ensure!(
        schema.pending.is_empty() && schema.unknown.is_empty(),
        "the games are kept as another version does: start the platform of this one on them first"
    );
    let env = Env::system();
    let now = env.now();
    let planned = match args.change(now) {
        Some(change) => game::maintenance::change(now, &database, change).await,
        None => game::maintenance::planned(&database).await,
    };
    let planned = planned.context("the maintenance")?;
    database.settle().await?;
    database.close().await;
    print::one(args.json, &record(planned.filter(|planned| now < planned.end).as_ref(), now))
}

fn record(planned: Option<&Maintenance>, now: OffsetDateTime) -> Record {
    let time = |time: OffsetDateTime| json!(time.format(&Rfc3339).unwrap_or_default());
    let state = match planned {
        None => "none",
        Some(planned) if planned.holds(now) => "under way",
        Some(_) => "planned",
    };
    vec![
        ("maintenance", json!(state)),
        ("begin", planned.map_or(Value::Null, |planned| time(planned.begin))),
        ("end", planned.map_or(Value::Null, |planned| time(planned.end))),
        ("reason", planned.map_or(Value::Null, |planned| json!(planned.reason))),
    ]
}
