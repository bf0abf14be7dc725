//! A player in one game: looks, thinks, acts, sends again what was not answered, and goes at last.

use std::{sync::Arc, time::Duration};

use api::{
    client::{ANSWER_BYTES_MAX, Patience, retrying},
    game::v1::{Game, GetGameRequest},
};
use chassis::testing::as_account;
use tokio::time::Instant;

use crate::{
    deed::{Client, Deed, Order},
    dice::Dice,
    ledger::{Answer, Entry, Ledger},
    network::Face,
    sky::{End, Service},
    table::Table,
    world::World,
};

/// The pause before a request is sent again.
const AGAIN: Duration = Duration::from_millis(1500);
/// How often a request is sent at most.
const SENDINGS: usize = 12;
/// How likely a player resigns who goes before the game is over. Who does not leaves it to his flag.
const RESIGNS: f64 = 0.65;
/// The longest thought of a quick player, and of a slow one.
const THOUGHTS: [Duration; 3] = [Duration::from_millis(300), Duration::from_secs(2), Duration::from_secs(9)];

/// A player at a table.
pub struct Player {
    world: Arc<World>,
    ledger: Arc<Ledger>,
    table: Table,
    side: usize,
    client: Client,
    dice: Dice,
    /// His longest thought.
    thought: Duration,
    /// The last request, to be repeated by mistake.
    last: Option<(Order, String)>,
}

impl Player {
    /// The player of a side.
    pub fn new(world: &Arc<World>, ledger: &Arc<Ledger>, table: &Table, side: usize) -> Self {
        let way = world.network.way(End::Outside, Service::Game, Face::Public);
        let client = Client::new(as_account(way, table.players[side].clone()));
        let dice = world.dice(&format!("player {side} of {}", table.id));
        Player {
            world: Arc::clone(world),
            ledger: Arc::clone(ledger),
            table: table.clone(),
            side,
            client: client.max_decoding_message_size(ANSWER_BYTES_MAX),
            thought: *dice.pick(&THOUGHTS),
            dice,
            last: None,
        }
    }

    /// Plays until the game is over, or until it is time to go.
    pub async fn play(mut self, until: Instant) {
        while Instant::now() < until {
            let calm = self.world.is_calm();
            tokio::time::sleep(self.dice.mostly_short(self.thought)).await;
            let Some(game) = self.look().await else {
                if calm {
                    self.world.trace.fault(format!("nothing is wrong, and {} cannot be seen", self.table.id));
                }
                continue;
            };
            if game.state.as_ref().is_none_or(|state| state.outcome.is_some()) {
                return;
            }
            if let (Some((order, request)), true) = (self.last.clone(), self.dice.chance(0.03)) {
                self.send(&order, request).await;
            }
            self.act(&game).await;
        }
        if self.table.is_long() || self.dice.chance(RESIGNS) {
            self.resign().await;
        }
    }

    /// Resigns, however long it takes to be heard.
    async fn resign(&self) {
        let order = Order::resignation();
        let request = self.world.ambient.uuid().to_string();
        loop {
            let answers =
                vec![(Instant::now(), Answer::new(order.send(&self.client, &self.table.id, &request).await))];
            let known = answers.iter().any(|(_, answer)| *answer != Answer::Unknown);
            self.ledger.enter(Entry {
                game: self.table.id.clone(),
                request: request.clone(),
                what: "resign",
                answers,
            });
            if known {
                return;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn look(&self) -> Option<Game> {
        let request = GetGameRequest { game_id: self.table.id.clone() };
        let patience = Patience(Duration::from_secs(20));
        let call = || async { self.client.clone().get_game(request.clone()).await };
        retrying(patience, call).await.ok().and_then(|answer| answer.game)
    }

    async fn act(&mut self, game: &Game) {
        let me = Table::side_pb(self.side);
        let may_act = game.state.as_ref().is_some_and(|state| state.actors().any(|actor| actor == me));
        let deed = Deed::choose(&self.dice, may_act);
        let prepared = deed.prepare(&self.client, &self.table, self.side, game, &self.dice).await;
        if let Ok(Some(order)) = prepared {
            let request = self.world.ambient.uuid().to_string();
            self.last = Some((order.clone(), request.clone()));
            self.send(&order, request).await;
        }
    }

    /// Sends a request until it is answered or the patience is gone, now and then twice at the same time.
    async fn send(&self, order: &Order, request: String) {
        let mut answers = Vec::new();
        for _ in 0..=self.dice.below(SENDINGS) {
            let (sent, calm) = (Instant::now(), self.world.is_calm());
            let again = || order.send(&self.client, &self.table.id, &request);
            if self.dice.chance(0.03) {
                let (one, other) = futures::join!(again(), again());
                answers.extend([one, other].map(|answer| (sent, Answer::new(answer))));
            } else {
                answers.push((sent, Answer::new(again().await)));
            }
            if answers.iter().any(|(at, answer)| *at == sent && *answer != Answer::Unknown) {
                break;
            }
            if calm {
                self.world.trace.fault(format!("nothing is wrong, and {order:?} is not answered"));
            }
            tokio::time::sleep(self.dice.mostly_short(AGAIN)).await;
        }
        let entry = Entry { game: self.table.id.clone(), request, what: name(order.deed), answers };
        let answers: Vec<&Answer> = entry.answers.iter().map(|(_, answer)| answer).collect();
        self.world.trace.note(format!("{} {} {}: {answers:?}", entry.game, entry.request, entry.what));
        self.ledger.enter(entry);
    }
}

const fn name(deed: Deed) -> &'static str {
    match deed {
        Deed::Play => "play",
        Deed::PlayStale => "play in a past position",
        Deed::PlayWrong => "play what is wrong",
        Deed::Resign => "resign",
        Deed::OfferDraw => "offer a draw",
        Deed::AcceptDraw => "accept a draw",
        Deed::DeclineDraw => "decline a draw",
        Deed::Abort => "abort",
        Deed::Wait => "wait",
    }
}
