//! Whether every event of a federation is what its log says.

use anyhow::Context as _;
use chassis::Database;
use federation::audit;

use super::Args;
use crate::{commands::terminal::say, platform::Service};

/// Works all events out again, and answers whether all are right. Where there is no database of them there are none.
pub(super) async fn run(args: &Args) -> anyhow::Result<bool> {
    let url = args.data.url(Service::Federation);
    if Database::file(&url)?.is_some_and(|file| !file.exists()) {
        return Ok(true);
    }
    let database = args.data.open_beside(Service::Federation).await?;
    let schema = federation::schema(&database).await?;
    anyhow::ensure!(
        schema.pending.is_empty() && schema.unknown.is_empty(),
        "the database of federation is of another version: `shoutan doctor` says more"
    );
    let (mut events, mut entries, mut differing, mut last) = (0, 0, 0, None);
    loop {
        let page = audit::events_after(&database, last).await.context("reading the events")?;
        let Some(newest) = page.last() else { break };
        last = Some(*newest);
        for event in page {
            let audited = audit::stored(&database, event).await.context("reading an event")?;
            events += 1;
            entries += audited.entries;
            differing += usize::from(!audited.differences.is_empty());
            for difference in &audited.differences {
                say(format_args!("event {event}: {difference}"))?;
            }
        }
    }
    database.close().await;
    say(format_args!("{events} events, {entries} entries worked out anew: {differing} events differ"))?;
    Ok(differing == 0)
}
