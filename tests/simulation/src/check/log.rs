//! The logs of the games, read from the database itself: what everything else is held to.

use std::collections::BTreeSet;

use api::game::v1::{GameEvent, GameInfo, GameState, Stage, game_event::Event, ruling::Act};
use prost::Message as _;
use rusqlite::types::Value as Cell;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{player::stage_of, table::Table, topology::Service, trace::Trace, world::World};

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
    /// What is kept beside it of an act that is sealed.
    pub sealed: Option<String>,
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
    #[error("nobody has asked for the game {0}")]
    UnknownGame(String),
}

/// The logs of these games. There may be others, to which nobody has come, as long as somebody asked for them.
pub(crate) fn read(
    world: &World,
    tables: &[Table],
    unplayed: &BTreeSet<String>,
) -> Result<Vec<Log>, LogError> {
    let disk = world.disk(Service::Game).ok_or(LogError::NoDatabase)?;
    let rows = disk.inspect(
        "SELECT game_id, sequence, request_id, payload, sealed, rowid FROM events ORDER BY game_id, sequence",
    )?;
    let mut logs: Vec<Log> =
        tables.iter().map(|table| Log { table: table.clone(), rows: Vec::new() }).collect();
    for cells in rows {
        let [
            Cell::Blob(game),
            Cell::Integer(sequence),
            request,
            Cell::Blob(payload),
            sealed,
            Cell::Integer(number),
        ] = cells.as_slice()
        else {
            return Err(LogError::Cells);
        };
        let request = match request {
            Cell::Blob(id) => Some(text(id)?),
            _ => None,
        };
        let sealed = match sealed {
            Cell::Text(sealed) => Some(sealed.clone()),
            _ => None,
        };
        let (written, event) = (disk.date(*number), GameEvent::decode(payload.as_slice())?);
        let row = Row { sequence: *sequence, request, written, event, sealed };
        let game = text(game)?;
        match logs.iter_mut().find(|log| log.table.id == game) {
            Some(log) => log.rows.push(row),
            None if unplayed.contains(&game) => {}
            None => return Err(LogError::UnknownGame(game)),
        }
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
            trace.note(format!("{} {sequence} {request:?} {event:?}", self.table.id));
        }
    }

    /// The numbers have no gap, time does not go back, the progress ends, and each event follows from those before it.
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
        faults.extend(self.check_stages());
        let events = self.rows.iter().map(|row| (&row.event, row.sealed.clone()));
        if let Err(bad) = game::history::audit_stored(events) {
            faults.push(format!("the log of {id} does not follow from itself: {bad:?}"));
        }
        faults
    }

    /// The event that made the result final.
    pub(crate) fn final_row(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.stage() == Stage::Final)
    }

    /// The event by which the final result is what it is: it may be annulled.
    pub(crate) fn last_final_row(&self) -> Option<&Row> {
        self.rows.iter().rfind(|row| row.stage() == Stage::Final)
    }

    /// The game ends; what has ended does not go on, and after a final result there is nothing but its annulment.
    fn check_stages(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let id = &self.table.id;
        let ended = |row: &&Row| row.stage() >= Stage::Ended;
        let over = |row: &Row| row.event.state.as_ref().is_some_and(|state| state.outcome.is_some());
        if self.rows.iter().any(|row| over(row) != ended(&row)) || !self.rows.iter().map(over).is_sorted() {
            faults.push(format!("{id} has ended, and goes on"));
        }
        let annuls = |row: &Row| match &row.event.event {
            Some(Event::Ruled(ruling)) => matches!(ruling.act, Some(Act::Annul(_))),
            _ => false,
        };
        let mut rest = self.rows.iter().skip_while(|row| row.stage() != Stage::Final);
        if rest.next().is_none() {
            faults.push(format!("the result of {id} is not final"));
        }
        let awaited = self.info().and_then(|info| info.regulations.as_ref()?.arrival_duration).is_some();
        if awaited && self.rows.iter().any(|row| row.stage() == Stage::Waiting && row.has_clock()) {
            faults.push(format!("a clock of {id} runs before both players have come"));
        }
        if !rest.all(annuls) {
            faults.push(format!("something happens in {id} after its result is final"));
        }
        faults
    }
}

impl Row {
    /// Whether the clocks have been told anything by then.
    fn has_clock(&self) -> bool {
        let clock = self.event.state.as_ref().and_then(|state| state.clock.as_ref());
        clock.is_some() || !self.event.clock_entries.is_empty()
    }

    /// How far the game has come with it.
    fn stage(&self) -> Stage {
        stage_of(self.event.state.as_ref())
    }
}

fn text(id: &[u8]) -> Result<String, LogError> {
    Uuid::from_slice(id).map(|id| id.to_string()).map_err(|_| LogError::Cells)
}
