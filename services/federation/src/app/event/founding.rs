//! Events that something else has made: their logs are written whole, in its transaction.

use chassis::{
    database::{StoreError, Transaction},
    outbox::Outbox,
};

use super::obligations::obligations;
use crate::{
    core::event::{Event, LogEntry},
    store::event::{head, log, person},
};

/// Writes the log with which an event begins, and what it owes to others for it.
///
/// # Errors
/// [`StoreError::Contended`] when there is an event of its id.
pub(crate) async fn write_founded(
    on: &Transaction,
    outbox: &Outbox,
    (event, entries): (&Event, Vec<LogEntry>),
) -> Result<(), StoreError> {
    let begun = entries.first().map_or(event.updated, |first| first.at);
    let owed = entries.iter().flat_map(|entry| obligations(event, &entry.fact)).collect();
    let stored = log::sealed(event.id, entries, None);
    log::append(on, event.id, &stored, None).await?;
    head::insert(on, event, begun).await?;
    person::put_all(on, event).await?;
    outbox.insert(on, owed).await?;
    Ok(())
}
