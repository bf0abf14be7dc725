//! No ticket is in two games, none is lost, no pair is without a game, no game without its players knowing of it; and nobody is
//! left in a pool.

use std::{collections::BTreeMap, sync::Arc};

use api::{
    client::ANSWER_BYTES_MAX,
    game::v1::{GetGameRequest, game_service_client::GameServiceClient},
    matchmaking::v1::{ListPoolsRequest, matchmaking_service_client::MatchmakingServiceClient},
};
use rusqlite::types::Value as Cell;
use uuid::Uuid;

use super::{
    Queue, check_asked,
    fate::{Fate, Told},
};
use crate::{
    network::Face,
    table::Table,
    topology::{Node, Service},
};

/// The state of a match whose game exists.
const CREATED: i64 = 1;

/// A match as it was written down.
#[derive(Debug)]
pub(super) struct Row {
    /// The game.
    pub game: String,
    /// Who plays it, first side first.
    pub accounts: [String; 2],
    /// Their tickets.
    pub tickets: [String; 2],
    state: i64,
    /// The challenge of which it came, if the queue has not made it.
    pub challenge: Option<String>,
}

/// Holds what is written down to what the players were told.
pub(crate) async fn check(queue: &Arc<Queue>) -> Vec<String> {
    let told = queue.fates.all();
    let rows = match rows(queue) {
        Ok(rows) => rows,
        Err(error) => return vec![format!("the matches cannot be read: {error}")],
    };
    let mut faults = Vec::new();
    let mut of_tickets: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in &rows {
        if row.state != CREATED {
            faults.push(format!("there is no game of match {}, which is in state {}", row.game, row.state));
        }
    }
    for row in rows.iter().filter(|row| row.challenge.is_none()) {
        for (ticket, account) in row.tickets.iter().zip(&row.accounts) {
            if let Some(before) = of_tickets.insert(ticket, row) {
                faults.push(format!("ticket {ticket} is in games {} and {}", before.game, row.game));
            }
            if told.get(ticket).is_none_or(|told| told.owner != *account) {
                faults.push(format!("ticket {ticket} of game {} is not {account}'s", row.game));
            }
        }
    }
    for (ticket, told) in &told {
        faults.extend(of_ticket(ticket, told, of_tickets.get(&**ticket).copied()));
    }
    faults.extend(check_asked::check(queue, &rows).await);
    faults.extend(seats(queue, &rows).await);
    faults.extend(pools(queue).await);
    faults
}

/// What is wrong with what the owner of a ticket was told.
fn of_ticket(ticket: &str, told: &Told, row: Option<&Row>) -> Option<String> {
    let wrong = match (&told.fate, row) {
        (Fate::Matched { game, side }, Some(row)) => {
            let own = row.tickets.iter().position(|own| own == ticket).map(Table::side_pb);
            (row.game != *game || own != Some(*side))
                .then(|| format!("its owner was told of game {game} and {side:?}"))
        }
        (Fate::Matched { game, .. }, None) => Some(format!("its owner was told of game {game}")),
        (Fate::Over, Some(_)) => Some("its owner was told that there will be no game".to_owned()),
        (Fate::Open, Some(_)) if told.held => Some("its owner was told of no game".to_owned()),
        (Fate::Open, None) if told.held => Some("its owner was told nothing".to_owned()),
        (Fate::Open | Fate::Over, None) | (Fate::Open, Some(_)) => None,
    };
    wrong.map(|wrong| format!("of ticket {ticket} {wrong}, but {row:?} was written down"))
}

/// Whether the games are what was written down of them.
async fn seats(queue: &Queue, rows: &[Row]) -> Vec<String> {
    let node = Node { service: Service::Game, number: 0 };
    let Some(transport) = queue.world.network.straight(node, Face::Public) else {
        return vec!["no game service is up at the end".to_owned()];
    };
    let client = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    let mut faults = Vec::new();
    for row in rows.iter().filter(|row| row.state == CREATED) {
        let request = GetGameRequest { game_id: row.game.clone() };
        let game = client.clone().get_game(request).await.ok().and_then(|answer| answer.into_inner().game);
        let info = game.and_then(|game| game.info);
        let seated =
            info.map(|info| [info.first, info.second].map(|seat| seat.unwrap_or_default().account_id));
        if seated.as_ref() != Some(&row.accounts) {
            faults.push(format!("{seated:?} play game {}, not {:?}", row.game, row.accounts));
        }
    }
    faults
}

/// Whether anybody is left in a pool.
async fn pools(queue: &Queue) -> Vec<String> {
    let node = Node { service: Service::Matchmaking, number: 0 };
    let Some(transport) = queue.world.network.straight(node, Face::Public) else {
        return vec!["no matchmaking is up at the end".to_owned()];
    };
    match MatchmakingServiceClient::new(transport).list_pools(ListPoolsRequest {}).await {
        Ok(answer) => {
            let pools = answer.into_inner().pools;
            pools
                .iter()
                .map(|pool| format!("{} wait for nobody in {:?}", pool.waiting, pool.settings))
                .collect()
        }
        Err(status) => vec![format!("the pools cannot be read: {status}")],
    }
}

/// Every match that was written down.
pub(super) fn rows(queue: &Queue) -> anyhow::Result<Vec<Row>> {
    let disk = queue.world.disk(Service::Matchmaking).ok_or_else(|| anyhow::anyhow!("there is no disk"))?;
    let rows = disk.inspect(
        "SELECT game_id, first_id, second_id, first_ticket, second_ticket, challenge_id, state FROM matches ORDER BY game_id",
    )?;
    rows.into_iter().map(row).collect()
}

fn row(cells: Vec<Cell>) -> anyhow::Result<Row> {
    let (ids, state) = ids_and_state(cells)?;
    let Ok([Some(game), Some(first), Some(second), Some(of_first), Some(of_second), challenge]) =
        <[Option<String>; 6]>::try_from(ids)
    else {
        anyhow::bail!("a match without its ids");
    };
    Ok(Row { game, accounts: [first, second], tickets: [of_first, of_second], state, challenge })
}

/// The ids of a row, those that it lacks among them, and the number that is its state.
pub(super) fn ids_and_state(cells: Vec<Cell>) -> anyhow::Result<(Vec<Option<String>>, i64)> {
    let mut ids = Vec::new();
    let mut state = None;
    for cell in cells {
        match cell {
            Cell::Blob(bytes) => ids.push(Some(Uuid::from_slice(&bytes)?.to_string())),
            Cell::Null => ids.push(None),
            Cell::Integer(number) => state = Some(number),
            cell => anyhow::bail!("{cell:?} in a row of ids"),
        }
    }
    let state = state.ok_or_else(|| anyhow::anyhow!("a row without its state"))?;
    Ok((ids, state))
}
