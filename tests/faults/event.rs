//! One game of a federation's event beside the others. Its players call an arbiter and end it while the fault lasts; the
//! event may hear of it late, but it hears.

use std::{panic::AssertUnwindSafe, time::Duration};

use ::tests::{
    Bot, bot, change,
    held::{Federation, Held, Person, events, settings},
};
use anyhow::{Context as _, anyhow};
use api::{
    client::RetryPolicy,
    federation::v1::{
        EventLogBody, ListLogRequest, Pairing,
        event_format::{Format, Match},
        event_log_body::Fact,
    },
    game::v1::petition::{CallArbiter, Confirm, Petition},
};
use futures::FutureExt as _;
use prost::Message as _;
use tonic::{Code, Status};

use crate::stand::Stand;

/// How long an answer is waited for before it is asked again.
const ANSWER: Duration = Duration::from_secs(3);
/// How long to wait before asking again.
const AGAIN: Duration = Duration::from_millis(200);
/// How long after everything is mended an event may not have heard of its game: what is owed rests for half a minute at
/// most.
const HEARS_WITHIN: Duration = Duration::from_secs(45);
/// Entries of a log that are asked for at once: more than such an event has.
const PAGE: u32 = 200;

/// Who holds events, and who plays in them.
pub(crate) struct Hosts {
    federation: Federation,
    chief: Person,
    arbiter: Person,
    players: [Bot; 2],
}

/// The only game of an event.
#[derive(Clone)]
pub(crate) struct EventGame {
    held: Held,
    board: Pairing,
}

impl Hosts {
    /// A federation with two members, and who holds its events.
    pub(crate) async fn new(stand: &Stand) -> anyhow::Result<Self> {
        let transport = stand.transport(0);
        let federation = Federation::new(&transport, "Federation", "").await;
        let (chief, arbiter) = (Person::new(&transport).await, Person::new(&transport).await);
        let players = [bot(&transport).await?, bot(&transport).await?];
        for (number, player) in players.iter().enumerate() {
            federation.enrol(player, &format!("Player {number}"), "").await;
        }
        Ok(Hosts { federation, chief, arbiter, players })
    }

    /// All of them.
    pub(crate) fn accounts(&self) -> impl Iterator<Item = &Bot> {
        [&self.federation.founder, &self.chief, &self.arbiter]
            .into_iter()
            .map(|host| &host.player)
            .chain(&self.players)
    }

    /// Holds an event up to the first move of its only game.
    pub(crate) async fn begin(&self) -> anyhow::Result<EventGame> {
        // What cannot be held panics, as in any script; here that is the failure of one fault.
        let begun = AssertUnwindSafe(self.begun()).catch_unwind().await;
        begun.map_err(|panic| anyhow!("{}", panic.downcast_ref::<String>().map_or("a panic", String::as_str)))
    }

    async fn begun(&self) -> EventGame {
        let format = Format::Match(Match { games: 1, play_all: true });
        let (chief, arbiter) = (self.chief.clone(), self.arbiter.clone());
        let mut held = Held::by(&self.federation, chief, arbiter, settings(format, 2)).await;
        for player in &self.players {
            held.enter(player.clone()).await;
        }
        held.run().await;
        held.pair(1).await;
        let board = held.start(1).await.pairings.remove(0);
        held.begin(&board).await;
        EventGame { held, board }
    }
}

impl EventGame {
    /// The second calls an arbiter, the first resigns, and both confirm; however long that takes.
    pub(crate) async fn end(self) {
        let [first, second] = [self.board.first, self.board.second].map(|number| &self.held.players[&number]);
        let (game, policy) = (&*self.board.game_id, RetryPolicy(ANSWER));
        let call = Petition::CallArbiter(CallArbiter { text: "come".to_owned() });
        insist(|| second.petition(game, call.clone(), policy)).await;
        insist(|| first.resign(game, policy)).await;
        for player in [first, second] {
            insist(|| player.petition(game, Petition::Confirm(Confirm {}), policy)).await;
        }
    }

    /// What the event has not heard of its game, some time after everything is mended.
    pub(crate) async fn unheard(&self) -> Vec<String> {
        let hears = async {
            while !self.missing().await.is_empty() {
                tokio::time::sleep(AGAIN).await;
            }
        };
        match tokio::time::timeout(HEARS_WITHIN, hears).await {
            Ok(()) => Vec::new(),
            Err(_) => self.missing().await,
        }
    }

    async fn missing(&self) -> Vec<String> {
        let what = |what: &str| format!("event {}: {what}", self.held.id);
        let event_id = self.held.id.clone();
        let request = ListLogRequest { event_id, page_size: PAGE, ..Default::default() };
        let asked = tokio::time::timeout(ANSWER, events(&self.held.chief.player).list_log(request)).await;
        let Ok(Ok(answer)) = asked else { return vec![what("its log cannot be read")] };
        let entries = answer.into_inner().entries;
        let facts: Vec<Fact> =
            entries.iter().filter_map(|entry| EventLogBody::decode(&*entry.body).ok()?.fact).collect();
        let count = |is: fn(&Fact) -> bool| facts.iter().filter(|fact| is(fact)).count();
        let mut missing = Vec::new();
        for (name, heard) in [
            ("the call for an arbiter", count(|fact| matches!(fact, Fact::GameNoticed(_)))),
            ("the result", count(|fact| matches!(fact, Fact::ResultEntered(_)))),
        ] {
            if heard != 1 {
                missing.push(what(&format!("{name} of {} is in its log {heard} times", self.board.game_id)));
            }
        }
        missing
    }

    /// Has the event end, so that there are never many.
    pub(crate) async fn cancel(&self) -> anyhow::Result<()> {
        let reason = "it has served".to_owned();
        change!(self.held, self.held.committee, cancel_event(CancelEventRequest { reason }))
            .map(drop)
            .context("cancelling an event")
    }
}

/// Asks until it is answered. A refusal is an answer: what is asked may have been done already, and whether it was is seen
/// at the end. That there is no such game is none: it is made soon.
async fn insist<T, F: Future<Output = Result<T, Status>>>(ask: impl Fn() -> F) {
    loop {
        match tokio::time::timeout(2 * ANSWER, ask()).await {
            Ok(Ok(_)) => return,
            Ok(Err(status)) if status.code() == Code::FailedPrecondition => return,
            Ok(Err(_)) | Err(_) => tokio::time::sleep(AGAIN).await,
        }
    }
}
