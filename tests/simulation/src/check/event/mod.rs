//! An event is what its log says, its log has everything that was acknowledged and every result, and every board of it has
//! its games and no game is of none.

mod boards;
mod entries;
mod line_ups;
mod offices;
mod rulings;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use api::{
    federation::v1::{
        self as pb, EventLogBody, EventLogEntry, event_log_body::Fact,
        event_service_client::EventServiceClient,
    },
    transport::Transport,
};
use chassis::{id::EventId, testing::as_account};
use federation::core::event::{Event as Fold, game_id};
use prost::Message as _;
use rusqlite::types::Value as Cell;
use tokio::time::Instant;
use tonic::Status;

use super::{Log, log::LogError};
use crate::{
    event::Event,
    history::{Answer, Command, History},
    network::Face,
    topology::{Node, Service},
    world::World,
};

/// An entry of an event's log.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// As it is stored.
    pub stored: EventLogEntry,
    /// What it says.
    pub body: EventLogBody,
    /// When it was committed.
    pub written: Option<Instant>,
}

/// What a replica shows of an event.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    event: Option<pb::Event>,
    rounds: Vec<Option<pb::Round>>,
    standings: pb::GetStandingsResponse,
}

/// Holds an event to what was promised, given the logs of all games.
pub(super) async fn check(world: &Arc<World>, history: &History, event: &Event, logs: &[Log]) -> Vec<String> {
    let rows = match read(world, event.id) {
        Ok(rows) => rows,
        Err(error) => return vec![format!("the log of the event cannot be read: {error}")],
    };
    for Row { body, .. } in &rows {
        world.trace.note(format!("event {} {:?} {:?}", body.sequence, body.request_id, body.fact));
    }
    // What needs no event is checked of a log that is not believed, too.
    let mut faults = twice(&rows);
    faults.extend(unacknowledged(&rows, &history.commands()));
    faults.extend(entries::check(&rows));
    faults.extend(rulings::check(&rows));
    faults.extend(line_ups::check(&rows, &history.peeks()));
    let stored: Vec<EventLogEntry> = rows.iter().map(|row| row.stored.clone()).collect();
    // The chain of hashes, the fold, and every pairing and draw again.
    let verified = match federation::audit::log(&event.id.to_string(), &stored) {
        Ok(verified) => verified,
        Err(error) => {
            faults.push(format!("the log of the event is not believed: {error}"));
            return faults;
        }
    };
    faults.extend(verified.findings.iter().map(|it| format!("entry {}: {}", it.sequence, it.detail)));
    let games: Vec<&Log> = logs.iter().filter(|log| is_of(log, event.id)).collect();
    faults.extend(boards::check(&verified.event, &rows, &games));
    faults.extend(offices::check(world, &verified.event));
    faults.extend(shown(world, event, &verified.event).await);
    faults
}

fn is_of(log: &Log, event: EventId) -> bool {
    let regulations = log.info().and_then(|info| info.regulations.as_ref());
    regulations.is_some_and(|regulations| regulations.event_id == event.to_string())
}

/// The log of an event, from the database itself.
pub(crate) fn read(world: &World, event: EventId) -> Result<Vec<Row>, LogError> {
    let disk = world.disk(Service::Federation).ok_or(LogError::NoDatabase)?;
    let found =
        disk.inspect("SELECT event_id, sequence, body, hash, rowid FROM event_log ORDER BY sequence")?;
    let mut rows = Vec::with_capacity(found.len());
    for cells in found {
        let [
            Cell::Blob(id),
            Cell::Integer(sequence),
            Cell::Blob(body),
            Cell::Blob(hash),
            Cell::Integer(number),
        ] = cells.as_slice()
        else {
            return Err(LogError::Cells);
        };
        if id != event.uuid().as_bytes() {
            continue;
        }
        let (sequence, hash) = (sequence.cast_unsigned(), hash.clone());
        let stored = EventLogEntry { sequence, body: body.clone(), hash };
        let body = EventLogBody::decode(body.as_slice())?;
        rows.push(Row { stored, body, written: disk.date(*number) });
    }
    Ok(rows)
}

/// What happens once: a round is made public once more only after it was taken back, and begins once; a report of a game is
/// taken once; a request is carried out once.
fn twice(rows: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut public, mut begun, mut reports) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut requests: BTreeMap<&str, &prost_types::Timestamp> = BTreeMap::new();
    for Row { body, .. } in rows {
        let is_new = match &body.fact {
            Some(Fact::RoundPublished(it)) => {
                public.insert(it.round.as_ref().map_or(0, |round| round.number))
            }
            Some(Fact::RoundRetracted(it)) => public.remove(&it.round),
            Some(Fact::RoundStarted(it)) => begun.insert(it.round),
            // What an appeal puts back is there once more.
            Some(Fact::ResultEntered(it)) if body.request_id.is_empty() => {
                match it.result.as_ref().and_then(|it| it.source.as_ref()) {
                    Some(pb::board_result::Source::Game(game)) => {
                        reports.insert((game.game_id.clone(), game.sequence))
                    }
                    _ => true,
                }
            }
            _ => true,
        };
        if !is_new {
            faults.push(format!("entry {} of the event happens twice: {:?}", body.sequence, body.fact));
        }
        let (Some(time), false) = (&body.time, body.request_id.is_empty()) else { continue };
        // The entries of one request are written at once.
        if *requests.entry(&body.request_id).or_insert(time) != time {
            faults.push(format!("request {} is in the log of the event twice", body.request_id));
        }
    }
    faults
}

/// What was acknowledged is in the log by the entry that it was answered with; what was in it already is not refused.
fn unacknowledged(rows: &[Row], commands: &[Command]) -> Vec<String> {
    let mut faults = Vec::new();
    for command in commands {
        let row = rows.iter().find(|row| match command.what {
            // It has no request but the event's own id.
            "create_event" => row.body.event_id == command.request,
            _ => row.body.request_id == command.request,
        });
        for (sent, answer) in &command.answers {
            match (answer, row) {
                (Answer::Event(sequence), Some(row)) if row.body.sequence <= *sequence => {}
                (Answer::Event(_), _) => {
                    faults.push(format!("acknowledged, but not in the log of the event: {command:?}"));
                }
                (Answer::Refused(_), Some(row)) if row.written.is_none_or(|written| written < *sent) => {
                    faults.push(format!("refused, but in the log of the event already: {command:?}"));
                }
                (Answer::Refused(_) | Answer::Unknown, _) => {}
            }
        }
    }
    faults
}

/// Every replica shows the event as its log says, and so does one that has just read the log.
async fn shown(world: &Arc<World>, event: &Event, fold: &Fold) -> Vec<String> {
    let mut faults = Vec::new();
    for number in 0..world.deployment.replicas {
        let node = Node { service: Service::Federation, number };
        let before = look(world, node, event, fold).await;
        world.kill(node);
        world.start(node).await;
        let after = look(world, node, event, fold).await;
        match (before, after) {
            (Ok(before), Ok(after)) if before == after => faults.extend(other(node, &after, fold)),
            (before, after) => {
                faults
                    .push(format!("{node} shows the event otherwise after a restart: {before:?}, {after:?}"));
            }
        }
    }
    faults
}

/// What a replica shows otherwise than the fold of the log has it.
fn other(node: Node, shown: &Shown, fold: &Fold) -> Option<String> {
    let rounds = shown.rounds.iter().zip(&fold.rounds).all(|(shown, round)| {
        let Some(shown) = shown else { return false };
        let boards = shown.pairings.iter().zip(round.laid()).all(|(pairing, (board, seat, state))| {
            let numbers = [pairing.first, pairing.second];
            (pairing.table, pairing.attempt) == (board.table, state.attempt)
                && numbers == seat.players.map(|number| number.0)
                && pairing.game_id == game_id(fold.id, board, state.attempt).to_string()
                && pairing.result == state.result.as_ref().map(Into::into)
        });
        boards && shown.pairings.len() == round.boards.len()
    });
    let table = fold.table(fold.next_round() - 1);
    let lines = shown.standings.lines.iter().map(|line| (line.number, line.place, line.points));
    let same_table = lines.eq(table.lines.iter().map(|it| (it.number.0, it.place.unwrap_or(0), it.points)));
    let same_event = shown.event.as_ref() == Some(&pb::Event::from(fold));
    let is_right = rounds && shown.rounds.len() == fold.rounds.len() && same_table && same_event;
    (!is_right).then(|| format!("{node} does not show the event as its log says: {shown:?}, {fold:?}"))
}

async fn look(world: &World, node: Node, event: &Event, fold: &Fold) -> Result<Shown, Status> {
    let transport = world.network.straight(node, Face::Public);
    let transport = transport.ok_or_else(|| Status::unavailable("it is not up at the end"))?;
    let mut events: EventServiceClient<Transport> =
        EventServiceClient::new(as_account(transport, event.chief.clone()));
    let event_id = event.id.to_string();
    let request = pb::GetEventRequest { event_id: event_id.clone(), ..pb::GetEventRequest::default() };
    let told = events.get_event(request).await?.into_inner().event;
    let mut rounds = Vec::with_capacity(fold.rounds.len());
    for round in 1..fold.next_round() {
        let event_id = event_id.clone();
        let request = pb::GetRoundRequest { event_id, round: round.into(), as_of_sequence: 0 };
        rounds.push(events.get_round(request).await?.into_inner().round);
    }
    let request = pb::GetStandingsRequest { event_id, ..pb::GetStandingsRequest::default() };
    let standings = events.get_standings(request).await?.into_inner();
    Ok(Shown { event: told, rounds, standings })
}
