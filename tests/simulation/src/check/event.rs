//! An event is what its log says, its log has everything that was acknowledged and every result, and every board of it has
//! its games and no game is of none.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use api::{
    board::v1::{Reason, Verdict},
    federation::v1::{
        self as pb, EventLogBody, EventLogEntry, event_log_body::Fact,
        event_service_client::EventServiceClient,
    },
    transport::Transport,
};
use chassis::{auth::Role as TokenRole, id::EventId, testing::as_account};
use federation::core::event::{BoardId, BoardState, Event as Fold, Matter, ResultSource, Role, game_id};
use pairing::{Number, ResultCode};
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
struct Row {
    stored: EventLogEntry,
    body: EventLogBody,
    /// When it was committed.
    written: Option<Instant>,
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
    let stored: Vec<EventLogEntry> = rows.iter().map(|row| row.stored.clone()).collect();
    // The chain of hashes, the fold, and every pairing and draw again.
    let verified = match federation::audit::log(&event.id.to_string(), &stored) {
        Ok(verified) => verified,
        Err(error) => return vec![format!("the log of the event is not believed: {error}")],
    };
    let found = verified.findings.iter().map(|it| format!("entry {}: {}", it.sequence, it.detail));
    let mut faults: Vec<String> = found.collect();
    faults.extend(twice(&rows));
    faults.extend(unacknowledged(&rows, &history.commands()));
    let games: Vec<&Log> = logs.iter().filter(|log| is_of(log, event.id)).collect();
    faults.extend(boards(&verified.event, &rows, &games));
    faults.extend(untold(world, &verified.event));
    faults.extend(shown(world, event, &verified.event).await);
    faults
}

fn is_of(log: &Log, event: EventId) -> bool {
    let regulations = log.info().and_then(|info| info.regulations.as_ref());
    regulations.is_some_and(|regulations| regulations.event_id == event.to_string())
}

fn read(world: &World, event: EventId) -> Result<Vec<Row>, LogError> {
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
            Some(Fact::ResultEntered(it)) => match it.result.as_ref().and_then(|it| it.source.as_ref()) {
                Some(pb::board_result::Source::Game(game)) => {
                    reports.insert((game.game_id.clone(), game.sequence))
                }
                _ => true,
            },
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

/// Every board of a round that was begun has its games, as many as were to be played; no game is of no board; and what came
/// of the last of them is what came of the board. Nobody takes a round back that was begun here, so that of one that was
/// taken back there is no game.
fn boards(event: &Fold, rows: &[Row], games: &[&Log]) -> Vec<String> {
    let mut faults = Vec::new();
    let taken_back = |round: u16| {
        let is_back = |row: &&Row| matches!(&row.body.fact, Some(Fact::RoundRetracted(it)) if it.round == u32::from(round));
        u32::try_from(rows.iter().filter(is_back).count()).unwrap_or(u32::MAX)
    };
    let mut known: BTreeMap<String, &Log> = games.iter().map(|log| (log.table.id.clone(), *log)).collect();
    for (board, seat, state) in event.rounds.iter().flat_map(federation::core::event::Round::laid) {
        for attempt in taken_back(board.round) + 1..=state.attempt {
            let id = game_id(event.id, board, attempt).to_string();
            match known.remove(&id) {
                None => faults.push(format!("{board:?} has no game {attempt}, which is {id}")),
                Some(log) if attempt == state.attempt => {
                    faults.extend(lost(event, (board, seat.players, state), log));
                }
                Some(_) => {}
            }
        }
    }
    faults.extend(known.into_keys().map(|id| format!("game {id} is of no table of its event")));
    faults
}

/// What is wrong with the result of a board, given the log of its last game.
fn lost(
    event: &Fold,
    (board, players, state): (BoardId, [Number; 2], &BoardState),
    log: &Log,
) -> Option<String> {
    let expected = players.map(|number| code(event, number, log));
    let told = state.result.as_ref().filter(
        |result| matches!(result.source, ResultSource::Game { game, .. } if game.to_string() == log.table.id),
    );
    let is_told = told.is_some_and(|result| result.codes.map(Some) == expected);
    // What a game says after the places stand is noted, and decides nothing.
    let ended = log.rows.last().map_or(0, |row| row.event.sequence);
    let late = |it: &federation::core::event::Notice| {
        it.matter == Matter::LateResult && it.game_sequence <= ended && event.stage.is_over()
    };
    let is_right = is_told || state.notices.iter().any(late);
    (!is_right).then(|| format!("{board:?} has lost its result {expected:?}: {:?}", state.result))
}

/// What a game was to one of its players, by its own log.
fn code(event: &Fold, number: Number, log: &Log) -> Option<ResultCode> {
    let account = event.participant(number)?.entrant.account?.to_string();
    let info = log.info()?;
    let seat = [&info.first, &info.second]
        .into_iter()
        .position(|seat| seat.as_ref().is_some_and(|seat| seat.account_id == account))?;
    let state = log.end()?;
    let arbitration = state.progress.as_ref().and_then(|progress| progress.arbitration.as_ref());
    let swapped = arbitration.is_some_and(|arbitration| arbitration.seats_swapped);
    let outcome = state.outcome.as_ref()?;
    let absent = matches!(outcome.reason(), Reason::Late | Reason::NotAppeared);
    let is_first = (seat == 0) != swapped;
    Some(match (outcome.verdict(), absent) {
        (Verdict::FirstWins, false) if is_first => ResultCode::Win,
        (Verdict::SecondWins, false) if !is_first => ResultCode::Win,
        (Verdict::FirstWins, true) if is_first => ResultCode::ForfeitWin,
        (Verdict::SecondWins, true) if !is_first => ResultCode::ForfeitWin,
        (Verdict::FirstWins | Verdict::SecondWins, true) => ResultCode::ForfeitLoss,
        (Verdict::FirstWins | Verdict::SecondWins | Verdict::BothLose, false) => ResultCode::Loss,
        (Verdict::Draw, _) => ResultCode::Draw,
        (Verdict::BothLose | Verdict::Void, true) => ResultCode::DoubleForfeit,
        (Verdict::Void, false) if outcome.reason() == Reason::Replay => ResultCode::ReplayOrdered,
        (Verdict::Void, false) => ResultCode::Annulled,
        (Verdict::Unspecified, _) => return None,
    })
}

/// Offices of the event of which identity was not told, or of others.
fn untold(world: &World, event: &Fold) -> Option<String> {
    let disk = world.disk(Service::Identity)?;
    let sql = "SELECT account_id, role FROM role_grants WHERE bound_kind = 'event'";
    let Ok(rows) = disk.inspect(sql) else { return Some("the roles of identity cannot be read".to_owned()) };
    let told: BTreeSet<(Vec<u8>, String)> = rows
        .into_iter()
        .filter_map(|cells| match cells.as_slice() {
            [Cell::Blob(account), Cell::Text(role)] => Some((account.clone(), role.clone())),
            _ => None,
        })
        .collect();
    let named = |role: &Role| match role {
        Role::ChiefArbiter => Some(TokenRole::ChiefArbiter),
        Role::Arbiter => Some(TokenRole::Arbiter),
        Role::Committee => Some(TokenRole::Committee),
        _ => None,
    };
    let offices = event.officials.iter().flat_map(|(account, roles)| {
        let account = account.uuid().as_bytes().to_vec();
        roles.iter().filter_map(named).map(move |role| (account.clone(), role.as_str().to_owned()))
    });
    let held: BTreeSet<(Vec<u8>, String)> = offices.collect();
    (told != held).then(|| format!("identity knows of other offices than the event: {told:?}, {held:?}"))
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

#[cfg(test)]
mod tests {
    use api::federation::v1::event_log_body::{ResultEntered, RoundPublished, RoundRetracted, RoundStarted};

    use super::*;

    fn row(sequence: u64, request: &str, fact: Fact) -> Row {
        let time = Some(prost_types::Timestamp { seconds: i64::try_from(sequence).unwrap_or(0), nanos: 0 });
        let request_id = request.to_owned();
        let body = EventLogBody { sequence, time, request_id, fact: Some(fact), ..EventLogBody::default() };
        Row { stored: EventLogEntry::default(), body, written: Some(Instant::now()) }
    }

    fn published() -> Fact {
        let round = Some(pb::Round { number: 1, ..pb::Round::default() });
        Fact::RoundPublished(RoundPublished { round })
    }

    fn retracted() -> Fact {
        Fact::RoundRetracted(RoundRetracted { round: 1, reason: String::new() })
    }

    fn started() -> Fact {
        Fact::RoundStarted(RoundStarted { round: 1 })
    }

    fn ended(sequence: u64) -> Fact {
        let game = pb::board_result::Game { game_id: "a game".to_owned(), sequence };
        let source = Some(pb::board_result::Source::Game(game));
        let result = Some(pb::BoardResult { source, ..pb::BoardResult::default() });
        Fact::ResultEntered(ResultEntered { round: 1, table: 1, result })
    }

    #[test]
    fn what_happens_twice_is_found() {
        let log = |facts: Vec<(&str, Fact)>| -> Vec<Row> {
            (1..).zip(facts).map(|(sequence, (request, fact))| row(sequence, request, fact)).collect()
        };
        let right = [("a", published()), ("b", retracted()), ("c", published()), ("", started())];
        let right = [right.to_vec(), vec![("", ended(8)), ("", ended(9))]].concat();
        assert!(twice(&log(right)).is_empty());
        for wrong in [
            vec![("a", published()), ("b", published())],
            vec![("", started()), ("", started())],
            vec![("", ended(8)), ("", ended(8))],
            vec![("a", published()), ("b", retracted()), ("c", retracted())],
            vec![("a", published()), ("a", started())],
        ] {
            assert_eq!(twice(&log(wrong.clone())).len(), 1, "{wrong:?}");
        }
    }

    #[test]
    fn what_was_acknowledged_and_is_not_there_is_found_and_what_was_refused_and_is() {
        let rows = [row(5, "a", started())];
        let found = |request: &str, answer: Answer<u64>| {
            let answers = vec![(Instant::now() + std::time::Duration::from_secs(1), answer)];
            let command = Command { request: request.to_owned(), what: "start_round", answers };
            unacknowledged(&rows, &[command]).len()
        };
        assert_eq!(found("a", Answer::Event(5)), 0);
        assert_eq!(found("a", Answer::Event(7)), 0, "answered again, when the event had gone on");
        assert_eq!(found("a", Answer::Event(4)), 1);
        assert_eq!(found("b", Answer::Event(5)), 1);
        assert_eq!(found("b", Answer::Unknown), 0);
        assert_eq!(found("b", Answer::Refused(String::new())), 0);
        assert_eq!(found("a", Answer::Refused(String::new())), 1);
    }
}
