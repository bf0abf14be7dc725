//! Working an event out again from its log, for whoever has the log.

use api::{DecodeError, federation::v1::EventLogEntry};
use chassis::id::EventId;

use crate::{
    core::event::{
        CorruptLog, LogEntry,
        verify::{Verified, verify},
    },
    wire::event::log::{decode, hash},
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
