//! Working an event out again from its log: for whoever has the log, and for whoever has the database.

use api::{
    DecodeError,
    federation::v1::{EventLogEntry, GetStandingsResponse},
};
use chassis::{Database, database::StoreError, id::EventId};

use crate::{
    core::event::{
        CorruptLog, Event, LogEntry,
        verify::{Verified, verify},
    },
    store::event::{head, log as rows},
    wire::event::{
        log::{decode, hash},
        view,
    },
};

/// Why a log is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// It is not of an event.
    #[error("not the id of an event")]
    Id,
    /// An entry is not what it should be.
    #[error("entry {0}: {1}")]
    Entry(u64, DecodeError),
    /// The chain of hashes breaks at an entry.
    #[error("entry {0} is not what was hashed, or does not follow the one before")]
    Chain(u64),
    /// What it says makes no sense.
    #[error(transparent)]
    Corrupt(#[from] CorruptLog),
}

/// Checks the chain of a whole log, folds it, and works out anew what can be.
///
/// # Errors
/// When the log cannot be believed from some entry on.
pub fn log(event: &str, entries: &[EventLogEntry]) -> Result<Verified, LogError> {
    let id = EventId::parse(event, "event_id").map_err(|_| LogError::Id)?;
    let mut previous = None;
    let mut log: Vec<LogEntry> = Vec::with_capacity(entries.len());
    for stored in entries {
        let (entry, before) =
            decode(id, &stored.body).map_err(|error| LogError::Entry(stored.sequence, error))?;
        let digest = hash(&stored.body);
        if before != previous || stored.hash != digest || entry.sequence != stored.sequence {
            return Err(LogError::Chain(stored.sequence));
        }
        previous = Some(digest);
        log.push(entry);
    }
    Ok(verify(id, &log)?)
}

/// The table after a round of an event as its log says, worked out anew, as a server should tell it.
pub fn table(event: &Event, round: u16) -> GetStandingsResponse {
    view::table(&event.table(round), event.sequence, false)
}

/// Events that are looked at in a row.
const EVENTS_AT_ONCE: u64 = 100;
/// Entries that are read at once.
const ENTRIES_AT_ONCE: u64 = 500;

/// What a database has of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// Which.
    pub event: EventId,
    /// Entries of its log.
    pub entries: usize,
    /// What is not as it must be.
    pub differences: Vec<String>,
}

/// The next events after one, in the order of their ids; none when there are no more.
///
/// # Errors
/// When the database does not answer.
pub async fn events_after(database: &Database, last: Option<EventId>) -> Result<Vec<EventId>, AuditError> {
    Ok(head::ids_after(database.read(), last, EVENTS_AT_ONCE).await?)
}

/// Works an event out again from what is stored of it, and holds the list of events to that. The service may run meanwhile.
///
/// # Errors
/// When the database does not answer.
pub async fn stored(database: &Database, event: EventId) -> Result<Audited, AuditError> {
    let on = database.read();
    let Some((sequence, is_in)) = head::of(on, event).await? else {
        return Ok(Audited { event, entries: 0, differences: Vec::new() });
    };
    let mut entries: Vec<EventLogEntry> = Vec::new();
    loop {
        let after = entries.last().map_or(0, |last| last.sequence);
        let page = rows::between(on, event, (after, sequence), ENTRIES_AT_ONCE).await?;
        if page.is_empty() {
            break;
        }
        entries.extend(page);
    }
    let differences = match log(&event.to_string(), &entries) {
        Err(error) => vec![error.to_string()],
        Ok(Verified { event: found, findings, .. }) => {
            let findings = findings.into_iter().map(|it| format!("entry {}: {}", it.sequence, it.detail));
            let listed = found.sequence == sequence && is_in(found.stage);
            let listed =
                (!listed).then(|| format!("it is listed otherwise than at entry {}", found.sequence));
            findings.chain(listed).collect()
        }
    };
    Ok(Audited { event, entries: entries.len(), differences })
}

/// Why a database could not be audited.
#[derive(Debug, thiserror::Error)]
#[error("the events could not be read")]
pub struct AuditError(#[from] StoreError);
