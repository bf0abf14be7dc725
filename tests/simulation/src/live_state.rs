//! The live state that all replicas share: memory, which may be emptied, and a line to it, which may break.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chassis::time::from_micros;
use live::{
    Live, LiveError,
    testing::{Call, Hook, Intercept},
};
use parking_lot::Mutex;
use time::OffsetDateTime;

use crate::{
    rng::Rng,
    topology::{End, Node, Topology},
};

/// Where the clock service keeps its flags.
const FLAGS: &str = "clock/flags";
/// From this year on a flag falls that never does: that of a clock without limit.
const NEVER_YEAR: i32 = 2200;
/// How long a message takes at most.
const LATENCY: Duration = Duration::from_millis(20);

/// What is kept. Topics are apart: who listens goes on listening when the rest is lost.
#[derive(Debug)]
pub(crate) struct LiveState {
    kept: Mutex<Arc<dyn Live>>,
    topics: Arc<dyn Live>,
    /// How many calls of it there were.
    calls: AtomicU64,
}

/// A replica's line to the live state.
#[derive(Debug)]
pub(crate) struct LiveLine {
    state: Arc<LiveState>,
    node: Node,
    topology: Arc<Topology>,
    rng: Rng,
}

impl LiveState {
    /// An empty one.
    pub(crate) async fn new() -> Self {
        LiveState { kept: Mutex::new(memory().await), topics: memory().await, calls: AtomicU64::default() }
    }

    /// Loses everything.
    pub(crate) async fn empty(&self) {
        let fresh = memory().await;
        *self.kept.lock() = fresh;
    }

    /// When the next flag falls of a clock that is watched.
    pub(crate) async fn next_flag(&self) -> Option<OffsetDateTime> {
        let kept = Arc::clone(&*self.kept.lock());
        let moment = kept.next_due(FLAGS).await.ok().flatten()?;
        from_micros(moment.as_micros()).filter(|at| at.year() < NEVER_YEAR)
    }

    /// How many calls there were: each would be a trip to Redis.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// A replica's line to it.
    pub(crate) fn line(
        self: &Arc<Self>,
        node: Node,
        topology: Arc<Topology>,
        rng: Rng,
    ) -> Arc<Intercept<LiveLine>> {
        Intercept::new(LiveLine { state: Arc::clone(self), node, topology, rng })
    }
}

impl LiveLine {
    fn check(&self) -> Result<(), LiveError> {
        if self.topology.is_cut(End::Node(self.node), End::Live)
            || self.rng.chance(self.topology.quality().live)
        {
            return Err(LiveError::unavailable("the line is broken"));
        }
        Ok(())
    }
}

async fn memory() -> Arc<dyn Live> {
    let config = live::Config::new("memory").expect("memory is a place");
    live::connect(&config).await.expect("memory is always there")
}

#[async_trait]
impl Hook for LiveLine {
    async fn reach(&self, call: Call) -> Result<Arc<dyn Live>, LiveError> {
        if call == Call::Publish {
            // Between the commit of an event and its acknowledgement lies this.
            tokio::time::sleep(self.rng.mostly_short(LATENCY)).await;
        }
        self.state.calls.fetch_add(1, Ordering::Relaxed);
        self.check()?;
        Ok(match call {
            // Nobody listens there.
            Call::Publish if self.rng.chance(self.topology.quality().unheard) => memory().await,
            Call::Publish | Call::Subscribe => Arc::clone(&self.state.topics),
            _ => Arc::clone(&self.state.kept.lock()),
        })
    }

    /// Of what changes something answers are lost as often as questions.
    fn answered(&self, call: Call) -> Result<(), LiveError> {
        match call {
            Call::Ticket
            | Call::Pools
            | Call::Waiting
            | Call::Deadline
            | Call::NextDue
            | Call::Publish
            | Call::Subscribe
            | Call::CountPresent
            | Call::IsPresent
            | Call::Prove => Ok(()),
            _ => self.check(),
        }
    }
}

#[cfg(test)]
mod tests {
    use api::{
        client::{GameStream, GameUpdate},
        game::v1::{
            CreateGameRequest, PlayRequest, Seat, game_internal_service_client::GameInternalServiceClient,
            game_service_client::GameServiceClient,
        },
    };
    use chassis::{
        auth::as_service,
        testing::{as_account, player},
    };
    use tokio::time::Instant;

    use crate::{
        network::Face,
        stage::runtime,
        topology::{End, Node, Service},
        world::{Deployment, World},
    };

    /// The longest that an event may be on its way to a stream of another replica: the next beats of both, and a look.
    const SEEN_WITHIN: std::time::Duration = std::time::Duration::from_millis(1500);

    #[test]
    fn what_a_replica_cannot_publish_is_soon_seen_through_another() {
        runtime().block_on(async {
            let world = World::new(1, Deployment::RANDOM).await;
            for node in world.nodes() {
                world.start(node).await;
            }
            let [cut_off, other] = [0, 1].map(|number| Node { service: Service::Game, number });
            let straight = |node, face| world.network.straight(node, face).expect("it is up");
            let players = ["one", "two"].map(|name| player(&world.env, name));
            let seat = |index: usize| {
                let account_id = players[index].id.to_string();
                Some(Seat { account_id, name: players[index].name.clone(), rating: 0 })
            };
            let game_id = world.env.uuid().to_string();
            let commission = CreateGameRequest {
                game_id: game_id.clone(),
                variant: "go".to_owned(),
                time_control: Some("1m".parse::<api::time_control::TimeControl>().expect("a control").into()),
                first: seat(0),
                second: seat(1),
                ..CreateGameRequest::default()
            };
            let internal = as_service(straight(other, Face::Internal));
            GameInternalServiceClient::new(internal).create_game(commission).await.expect("it is made");
            let mut watched = GameStream::new(straight(other, Face::Public), &game_id);
            assert!(matches!(watched.next().await, Ok(Some(GameUpdate::Snapshot(_)))));

            world.set_cut(End::Node(cut_off), End::Live, true);
            for (ply, act) in (0..).zip(["C3", "D4", "E5", "F6"]) {
                let seated = as_account(straight(cut_off, Face::Public), players[ply as usize % 2].clone());
                let (game_id, request_id) = (game_id.clone(), world.env.uuid().to_string());
                let play = PlayRequest { game_id, act: act.to_owned(), ply, request_id, lag_duration: None };
                let answer = GameServiceClient::new(seated).play(play).await.expect("it is taken");
                let (event, since) = (answer.into_inner().event.expect("an event"), Instant::now());
                loop {
                    let Ok(Some(GameUpdate::Event(seen))) = watched.next().await else {
                        panic!("the stream broke")
                    };
                    if seen.sequence == event.sequence {
                        break;
                    }
                }
                assert!(since.elapsed() <= SEEN_WITHIN, "{act}: {:?}", since.elapsed());
            }
        });
    }
}
