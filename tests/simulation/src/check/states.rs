//! Every replica shows a game as its log ends, and so does one that has just read the log; and the acts give
//! the same position by the rules alone.

use std::sync::Arc;

use api::{
    client::ANSWER_BYTES_MAX,
    game::v1::{Game, GetGameRequest, game_service_client::GameServiceClient},
    transport::Transport,
};

use super::Log;
use crate::{
    network::Face,
    table::replay,
    topology::{Node, Service},
    world::World,
};

/// Holds what the replicas show to the logs, now and after each was started anew.
pub(crate) async fn check(world: &Arc<World>, logs: &[Log]) -> Vec<String> {
    let mut faults = Vec::new();
    for number in 0..world.deployment.replicas {
        let node = Node { service: Service::Game, number };
        let before = games(world.network.straight(node, Face::Public), logs).await;
        world.kill(node);
        world.start(node).await;
        let after = games(world.network.straight(node, Face::Public), logs).await;
        for (log, (before, after)) in logs.iter().zip(before.into_iter().zip(after)) {
            let id = &log.table.id;
            if before != after {
                faults.push(format!("{node} shows {id} otherwise after a restart: {before:?}, {after:?}"));
            }
            let state = after.as_ref().and_then(|game| game.state.as_ref());
            if state != log.end() {
                faults.push(format!("{node} does not show {id} as its log ends: {state:?}"));
            }
            faults.extend(after.and_then(|game| unruly(&game)));
        }
    }
    faults
}

/// The games as a replica shows them, in the order of their logs.
async fn games(transport: Option<Transport>, logs: &[Log]) -> Vec<Option<Game>> {
    let mut games = Vec::with_capacity(logs.len());
    for log in logs {
        let Some(transport) = transport.clone() else {
            games.push(None);
            continue;
        };
        let mut client = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
        let request = GetGameRequest { game_id: log.table.id.clone() };
        games.push(client.get_game(request).await.ok().and_then(|answer| answer.into_inner().game));
    }
    games
}

/// What is wrong with a game whose acts do not give its position by the rules.
fn unruly(game: &Game) -> Option<String> {
    let position = replay(game)?;
    let state = game.state.as_ref()?;
    let ended = state.outcome.as_ref();
    let same = position.ply() == state.ply
        && position.phase() == state.phase
        && (position.outcome().is_none() || ended.is_some());
    (!same).then(|| format!("the acts do not give the position: {:?}", game.state))
}
