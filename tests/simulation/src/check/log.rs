//! The logs of the games, read from the database itself: what everything else is held to.

use api::game::v1::{GameEvent, GameInfo, GameState, game_event::Event};
use prost::Message as _;
use rusqlite::types::Value as Cell;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{sky::Service, table::Table, trace::Trace, world::World};

/// The log of a game.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    /// The game.
    pub table: Table,
    /// Its events, by their numbers in the database.
    pub rows: Vec<Row>,
}

/// An event of a log.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its number.
    pub sequence: i64,
    /// The request that it was.
    pub request: Option<String>,
    /// When it was committed.
    pub written: Option<Instant>,
    /// The event.
    pub event: GameEvent,
}

/// Why the logs cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    #[error("there is no database of games")]
    NoDatabase,
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    Decode(#[from] prost::DecodeError),
    #[error("a row has other cells than expected")]
    Cells,
}

/// The logs of these games.
pub(crate) fn read(world: &World, tables: &[Table]) -> Result<Vec<Log>, LogError> {
    let disk = world.disk(Service::Game).ok_or(LogError::NoDatabase)?;
    let rows = disk.inspect(
        "SELECT game_id, sequence, request_id, payload, rowid FROM events ORDER BY game_id, sequence",
    )?;
    let mut logs: Vec<Log> =
        tables.iter().map(|table| Log { table: table.clone(), rows: Vec::new() }).collect();
    for cells in rows {
        let [Cell::Blob(game), Cell::Integer(sequence), request, Cell::Blob(payload), Cell::Integer(number)] =
            cells.as_slice()
        else {
            return Err(LogError::Cells);
        };
        let request = match request {
            Cell::Blob(id) => Some(text(id)?),
            _ => None,
        };
        let written = disk.date(*number);
        let row =
            Row { sequence: *sequence, request, written, event: GameEvent::decode(payload.as_slice())? };
        let game = text(game)?;
        let log = logs.iter_mut().find(|log| log.table.id == game).ok_or(LogError::Cells)?;
        log.rows.push(row);
    }
    Ok(logs)
}

impl Log {
    /// What does not change about the game.
    pub(crate) fn info(&self) -> Option<&GameInfo> {
        match self.rows.first()?.event.event.as_ref()? {
            Event::Created(created) => created.info.as_ref(),
            _ => None,
        }
    }

    /// Where the game stands at the end.
    pub(crate) fn end(&self) -> Option<&GameState> {
        self.rows.last()?.event.state.as_ref()
    }

    /// Writes the log down.
    pub(crate) fn trace(&self, trace: &Trace) {
        for Row { sequence, request, event, .. } in &self.rows {
            let mut event = event.clone();
            let mut options = Vec::new();
            // A map of a message has no order of its own.
            if let Some(Event::Created(created)) = &mut event.event
                && let Some(info) = &mut created.info
            {
                options.extend(info.options.drain());
                options.sort();
            }
            trace.note(format!("{} {sequence} {request:?} {options:?} {event:?}", self.table.id));
        }
    }

    /// The numbers have no gap, time does not go back, and the last event ends the game.
    pub(crate) fn check(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let id = &self.table.id;
        if self.info().is_none() {
            faults.push(format!("the log of {id} does not begin with its creation"));
        }
        for (expected, row) in (1..).zip(&self.rows) {
            let told = row.event.state.as_ref().map(|state| state.sequence);
            let number = u64::try_from(row.sequence).ok();
            if row.sequence != expected || number != Some(row.event.sequence) || told != number {
                faults.push(format!("event {expected} of {id} has the number {}", row.sequence));
            }
        }
        let times: Vec<_> = self.rows.iter().filter_map(|row| row.event.time.as_ref()).collect();
        if times.len() != self.rows.len() || !times.is_sorted_by_key(|time| (time.seconds, time.nanos)) {
            faults.push(format!("the times of {id} go back"));
        }
        let over = |row: &Row| row.event.state.as_ref().is_some_and(|state| state.outcome.is_some());
        if self.rows.iter().position(over) != self.rows.len().checked_sub(1) {
            faults.push(format!("{id} does not end with its last event"));
        }
        faults
    }
}

fn text(id: &[u8]) -> Result<String, LogError> {
    Uuid::from_slice(id).map(|id| id.to_string()).map_err(|_| LogError::Cells)
}
