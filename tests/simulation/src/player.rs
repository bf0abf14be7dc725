//! A player in one game: looks, thinks, acts, sends again what was not answered, and goes at last.

use std::{sync::Arc, time::Duration};

use api::game::v1::{Game, GameState, Progress, Stage};
use chassis::testing::as_account;
use tokio::time::Instant;

use crate::{
    action::{Action, Clients, Order, View},
    history::History,
    network::Face,
    requester::Requester,
    table::Table,
    topology::{End, Service},
    world::World,
};

/// How likely a player resigns who goes before the game is over. Who does not leaves it to his flag.
const RESIGNS: f64 = 0.65;
/// The longest thought of a quick player, and of a slow one.
const THOUGHTS: [Duration; 3] = [Duration::from_millis(300), Duration::from_secs(2), Duration::from_secs(9)];

/// A player at a table.
#[derive(Debug)]
pub(crate) struct Player {
    requester: Requester,
    table: Table,
    /// His seat; the side that he plays, unless the colours were corrected.
    seat: usize,
    clients: Clients,
    /// His longest thought.
    thought: Duration,
    /// The last request, to be repeated by mistake.
    last: Option<(Order, String)>,
}

impl Player {
    /// The player of a seat.
    pub(crate) fn new(world: &Arc<World>, history: &Arc<History>, table: &Table, seat: usize) -> Self {
        let transport = world.network.transport(End::Outside, Service::Game, Face::Public);
        let rng = world.rng(&format!("player {seat} of {}", table.id));
        Player {
            table: table.clone(),
            seat,
            clients: Clients::new(&as_account(transport, table.players[seat].clone())),
            thought: *rng.pick(&THOUGHTS),
            requester: Requester {
                world: Arc::clone(world),
                history: Arc::clone(history),
                game: table.id.clone(),
                rng,
            },
            last: None,
        }
    }

    /// Plays until the result is final, or until it is time to go.
    pub(crate) async fn play(mut self, until: Instant) {
        while Instant::now() < until {
            tokio::time::sleep(self.requester.rng.mostly_short(self.thought)).await;
            let Some(game) = self.requester.look(&self.clients).await else { continue };
            if stage(&game) == Stage::Final {
                return;
            }
            if let (Some((order, request)), true) = (self.last.clone(), self.requester.rng.chance(0.03)) {
                self.send(&order, request).await;
            }
            self.act(&game).await;
        }
        self.go().await;
    }

    /// Goes. He resigns where nothing would end the game without him.
    async fn go(&self) {
        let Some(game) = self.requester.look(&self.clients).await else { return };
        let goes_on = stage(&game) == Stage::Playing && !self.table.is_long() && !is_paused(&game);
        if stage(&game) < Stage::Ended && (!goes_on || self.requester.rng.chance(RESIGNS)) {
            let (order, request) = (Order::resignation(), self.request());
            let call = || order.send(&self.clients, &self.table.id, &request);
            self.requester.insist("resign", request.clone(), call).await;
        }
    }

    async fn act(&mut self, game: &Game) {
        let view = View::new(&self.table, self.seat, game);
        let world = &self.requester.world;
        let action = Action::choose(&self.requester.rng, &view);
        let prepared = action.prepare(&self.clients, &view, &self.requester.rng, &world.env).await;
        if let Ok(Some(order)) = prepared {
            let request = self.request();
            self.last = Some((order.clone(), request.clone()));
            self.send(&order, request).await;
        }
    }

    async fn send(&self, order: &Order, request: String) {
        let call = || order.send(&self.clients, &self.table.id, &request);
        self.requester.send(order.action.name(), request.clone(), order, call).await;
    }

    fn request(&self) -> String {
        self.requester.world.env.uuid().to_string()
    }
}

/// How far a game has come.
pub(crate) fn stage(game: &Game) -> Stage {
    stage_of(game.state.as_ref())
}

/// The same of a state.
pub(crate) fn stage_of(state: Option<&GameState>) -> Stage {
    let progress = state.and_then(|state| state.progress.as_ref());
    progress.map_or(Stage::Unspecified, Progress::stage)
}

fn is_paused(game: &Game) -> bool {
    let progress = game.state.as_ref().and_then(|state| state.progress.as_ref());
    progress.is_some_and(|progress| !progress.pauses.is_empty())
}
