//! A spectator: watches a game through whatever breaks, and writes down what he saw.

use std::{sync::Arc, time::Duration};

use api::client::{GameStream, GameUpdate};

use crate::{
    history::{History, Sighting},
    network::Face,
    rng::Rng,
    topology::{End, Service},
    world::World,
};

/// How long he stays away at most when he goes.
const AWAY: Duration = Duration::from_secs(10);

/// Watches a game to its end, from its beginning or from where it stands.
pub(crate) async fn watch(world: Arc<World>, history: Arc<History>, game: String, number: usize) {
    let rng: Rng = world.rng(&format!("spectator {number} of {game}"));
    tokio::time::sleep(rng.mostly_short(AWAY)).await;
    let transport = || world.network.transport(End::Outside, Service::Game, Face::Public);
    let from_the_start = rng.chance(0.5);
    let mut sighting = Sighting { game: game.clone(), from: 0, events: Vec::new() };
    let mut cursor = from_the_start.then_some(0);
    let mut watched = start(transport(), &game, cursor);
    loop {
        match watched.next().await {
            Ok(None) => break,
            Ok(Some(GameUpdate::Snapshot(snapshot))) => {
                sighting.from = snapshot.state.map_or(0, |state| state.sequence);
                cursor = Some(sighting.from);
            }
            Ok(Some(GameUpdate::Maintenance(_))) => {}
            Ok(Some(GameUpdate::Event(event))) => {
                cursor = Some(event.sequence);
                sighting.events.push(*event);
                // At the end he stays: a spectator who goes away is not kept waiting.
                if !world.is_calm() && rng.chance(0.05) {
                    tokio::time::sleep(rng.mostly_short(AWAY)).await;
                    watched = start(transport(), &game, cursor);
                }
            }
            Err(status) => {
                world.trace.note(format!("a spectator of {game} is turned away: {}", status.message()));
                tokio::time::sleep(rng.mostly_short(AWAY)).await;
                watched = start(transport(), &game, cursor);
            }
        }
    }
    history.sight(sighting);
}

fn start(transport: api::transport::Transport, game: &str, cursor: Option<u64>) -> GameStream {
    let watched = GameStream::new(transport, game);
    match cursor {
        None => watched,
        Some(sequence) => watched.after(sequence),
    }
}
