//! Watching as a test needs it: every step, and time that passes for several replicas.

use std::time::Duration;

use api::{
    error::reason,
    game::v1::{
        GameEvent, WatchRequest, WatchResponse, game_event::Event, game_service_client::GameServiceClient,
        watch_response::Step,
    },
    transport::Transport,
};
use chassis::auth::Caller;
use tonic::{Status, Streaming};

use super::fixture::{Fixture, Replica};

/// Nothing that a test waits for takes this long.
const RETRY: Duration = Duration::from_secs(15);

/// A watched game, step by step.
pub(crate) struct Watching(Streaming<WatchResponse>);

impl Watching {
    /// The next step; none at the end.
    pub(crate) async fn step(&mut self) -> Option<Step> {
        let message = tokio::time::timeout(RETRY, self.0.message()).await.expect("the stream goes on");
        message.expect("the stream does not break").map(|message| message.step.expect("a step"))
    }

    /// The next event.
    pub(crate) async fn event(&mut self) -> GameEvent {
        self.find("an event", |step| if let Step::Event(event) = step { Some(event) } else { None }).await
    }

    /// The next event that somebody has left.
    pub(crate) async fn left(&mut self) -> GameEvent {
        self.find("somebody leaves", |step| match step {
            Step::Event(event) if matches!(event.event, Some(Event::Left(_))) => Some(event),
            _ => None,
        })
        .await
    }

    /// Waits until the audience is so large.
    pub(crate) async fn audience(&mut self, wanted: u32) {
        let counted =
            |step| matches!(step, Step::Audience(audience) if audience.count == wanted).then_some(());
        self.find(&format!("an audience of {wanted}"), counted).await;
    }

    /// The next probe.
    pub(crate) async fn probe(&mut self) -> String {
        self.find("a probe", |step| if let Step::Probe(probe) = step { Some(probe.nonce) } else { None })
            .await
    }

    /// Goes on until a step is what is wanted.
    async fn find<T>(&mut self, what: &str, wanted: impl Fn(Step) -> Option<T>) -> T {
        let found = async {
            loop {
                if let Some(found) = wanted(self.step().await.expect("the stream has not ended")) {
                    return found;
                }
            }
        };
        tokio::time::timeout(RETRY, found).await.unwrap_or_else(|_| panic!("waited in vain: {what}"))
    }

    /// Waits until the server has ended the stream.
    pub(crate) async fn broken(mut self) -> String {
        loop {
            match tokio::time::timeout(RETRY, self.0.message()).await.expect("the stream ends") {
                Ok(Some(_)) => {}
                Ok(None) => return String::new(),
                Err(status) => return reason(&status),
            }
        }
    }
}

impl Replica {
    /// The game service as somebody, or nobody, calls it.
    pub(crate) fn games(&self, caller: Option<&Caller>) -> GameServiceClient<Transport> {
        caller.map_or_else(|| self.anybody(), |caller| self.caller(caller))
    }

    /// Watches from after an event on, or from the current state.
    pub(crate) async fn watch(
        &self,
        caller: Option<&Caller>,
        id: &str,
        after_sequence: Option<u64>,
    ) -> Result<Watching, Status> {
        let request = WatchRequest { game_id: id.to_owned(), after_sequence, after_end: false };
        Ok(Watching(self.games(caller).watch(request).await?.into_inner()))
    }

    /// A player's stream, once it is known to be there: it has been probed.
    pub(crate) async fn present(&self, fixture: &Fixture, who: usize, id: &str) -> Watching {
        let mut watching = self.watch(Some(&fixture.players[who]), id, None).await.expect("watched");
        watching.probe().await;
        watching
    }
}

impl Replica {
    /// The whole log so far, in which each state follows from what happened. The clocks of the scene are doubles.
    pub(crate) async fn audited(&self, id: &str) -> Vec<GameEvent> {
        let last = self.look(id).await.state.expect("a state").sequence;
        let mut watching = self.watch(None, id, Some(0)).await.expect("watched");
        let mut log = Vec::new();
        for _ in 0..last {
            log.push(watching.event().await);
        }
        game::history::audit(&log).expect("the log follows from itself");
        log
    }
}

/// Lets at least so much time pass in which all these replicas are up, in steps that nobody takes for an outage.
pub(crate) async fn pass(fixture: &Fixture, replicas: &[&Replica], time: Duration) {
    const STEP: Duration = Duration::from_millis(900);
    const STEPS_EACH: u128 = 4;
    let mut left = time.as_millis().div_ceil(STEP.as_millis());
    for replica in replicas.iter().cycle() {
        let steps = left.min(STEPS_EACH);
        replica.pass_time(fixture, STEP * u32::try_from(steps).expect("few")).await;
        left -= steps;
        if left == 0 {
            return;
        }
    }
}

/// What happened of presence, in order: who left or returned.
pub(crate) fn comings_and_goings(log: &[GameEvent]) -> Vec<(i32, &'static str)> {
    log.iter()
        .filter_map(|event| match event.event {
            Some(Event::Left(_)) => Some((event.author, "left")),
            Some(Event::Returned(_)) => Some((event.author, "returned")),
            _ => None,
        })
        .collect()
}
