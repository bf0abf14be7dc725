//! Commands to an event, sent until they are answered, with what became of them written down.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use api::{
    federation::v1::{self as pb, event_service_client::EventServiceClient},
    transport::Transport,
};
use chassis::{auth::Caller, testing::as_account};
use tokio::time::Instant;
use tonic::Status;

use super::{Event, reached};
use crate::{
    history::{Answer, Command, History},
    rng::Rng,
    topology::Service,
    world::World,
};

/// The longest pause before a command is sent again.
const AGAIN: Duration = Duration::from_millis(1500);
/// The longest time between two commands.
const THOUGHT: Duration = Duration::from_secs(2);

/// Whoever gives commands to an event.
#[derive(Debug)]
pub(super) struct Commander {
    /// The world.
    pub world: Arc<World>,
    /// Where it is written down.
    pub history: Arc<History>,
    /// The event.
    pub event: Event,
    /// Chance.
    pub rng: Rng,
    /// When nothing is waited for any more.
    pub longest: Instant,
    /// The last game of each board that was played here, by round and table.
    pub played: Mutex<BTreeMap<(u32, u32), u32>>,
}

/// Why a command was not carried out: a reason of the platform, or that nobody has answered in the longest time.
pub(super) type Refused = String;

/// Gives a command in somebody's name, with what all of them have.
macro_rules! command {
    ($commander:expr, $who:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let (client, request_id) = ($commander.client($who), $commander.new_id());
        let request = api::federation::v1::$request {
            event_id: $commander.event.id.to_string(),
            request_id: request_id.clone(),
            $($field $(: $value)?,)*
            ..Default::default()
        };
        let call = || async { Ok(client.clone().$method(request.clone()).await?.into_inner().event) };
        $commander.send(stringify!($method), request_id, call).await
    }};
}
pub(super) use command;

impl Commander {
    /// The events as somebody has them before him.
    pub(super) fn client(&self, who: &Caller) -> EventServiceClient<Transport> {
        EventServiceClient::new(as_account(reached(&self.world, Service::Federation), who.clone()))
    }

    /// The id of a new request.
    pub(super) fn new_id(&self) -> String {
        self.world.env.uuid().to_string()
    }

    /// Sends a command until it is answered, now and then twice at the same time.
    ///
    /// # Errors
    /// Why it was refused.
    pub(super) async fn send<F>(
        &self,
        what: &'static str,
        request: String,
        call: impl Fn() -> F + Send + Sync,
    ) -> Result<pb::Event, Refused>
    where
        F: Future<Output = Result<Option<pb::Event>, Status>> + Send,
    {
        tokio::time::sleep(self.rng.mostly_short(THOUGHT)).await;
        let mut answers = Vec::new();
        let mut known = Err("nobody has answered".to_owned());
        while Instant::now() < self.longest {
            let (sent, is_calm) = (Instant::now(), self.world.is_calm());
            let told = if self.rng.chance(0.05) {
                let (one, other) = futures::join!(call(), call());
                vec![one, other]
            } else {
                vec![call().await]
            };
            for answer in told.into_iter().map(Answer::of) {
                match &answer {
                    Answer::Event(event) => known = Ok(event.clone()),
                    Answer::Refused(reason) if known.is_err() => known = Err(reason.clone()),
                    Answer::Refused(_) | Answer::Unknown => {}
                }
                answers.push((sent, shortened(answer)));
            }
            if answers.iter().any(|(at, answer)| *at == sent && *answer != Answer::Unknown) {
                break;
            }
            if is_calm {
                self.world.trace.fault(format!("nothing is wrong, and {what} is not answered"));
            }
            tokio::time::sleep(self.rng.mostly_short(AGAIN)).await;
        }
        let told: Vec<&Answer<u64>> = answers.iter().map(|(_, answer)| answer).collect();
        self.world.trace.note(format!("event {request} {what}: {told:?}"));
        self.history.command(Command { request, what, answers });
        known
    }
}

fn shortened(answer: Answer<pb::Event>) -> Answer<u64> {
    match answer {
        Answer::Event(event) => Answer::Event(event.sequence),
        Answer::Refused(reason) => Answer::Refused(reason),
        Answer::Unknown => Answer::Unknown,
    }
}
