//! The log of a game, as everybody can read it, held to what follows from it.

use api::{DecodeError, game::v1::GameEvent};

use crate::{
    core::{Corrupt, Event, Game},
    store::unpack,
};

/// A log that says something else than what follows from it.
#[derive(Debug, thiserror::Error)]
pub enum BadLog {
    /// A row cannot be read.
    #[error("a row of the log cannot be read")]
    Unreadable,
    /// An event cannot be read.
    #[error(transparent)]
    DecodeError(#[from] DecodeError),
    /// An event does not follow from those before it.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// The events of a stored row, in order: one, or the many that are packed in it.
///
/// # Errors
/// When this service has not written it.
pub fn events_of_row(payload: &[u8]) -> Result<Vec<GameEvent>, BadLog> {
    unpack(payload).map_err(|_| BadLog::Unreadable)
}

/// Replays a whole log and works out anew where the game stands after every event. Logs in which an act is still
/// sealed do not replay.
///
/// # Errors
/// When the log says something else anywhere.
pub fn audit(log: &[GameEvent]) -> Result<Game, BadLog> {
    audit_stored(log.iter().map(|event| (event, None)))
}

/// The same of a log as it is stored: each event with what is kept beside it of an act or a move that is sealed.
///
/// # Errors
/// As those of [`audit`].
pub fn audit_stored<'a>(
    log: impl IntoIterator<Item = (&'a GameEvent, Option<String>)>,
) -> Result<Game, BadLog> {
    let events = log.into_iter().map(Event::try_from);
    let log: Vec<Event> = events.collect::<Result<_, DecodeError>>()?;
    Ok(Game::audit(&log)?)
}
