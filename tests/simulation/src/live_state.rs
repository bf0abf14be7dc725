//! The live state that all replicas share: memory, which may be emptied, and a line to it, which may break.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use live::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState,
};
use uuid::Uuid;

use crate::{
    dice::Dice,
    sky::{End, Node, Sky},
};

/// How long a message takes at most.
const LATENCY: Duration = Duration::from_millis(20);

/// What is kept. Topics are apart: who listens goes on listening when the rest is lost.
#[derive(Debug)]
pub struct LiveState {
    kept: Mutex<Arc<dyn Live>>,
    topics: Arc<dyn Live>,
    /// How many calls of it there were.
    calls: AtomicU64,
}

/// A replica's line to the live state.
#[derive(Debug)]
pub struct LiveLine {
    state: Arc<LiveState>,
    node: Node,
    sky: Arc<Sky>,
    dice: Dice,
}

impl LiveState {
    /// An empty one.
    pub async fn new() -> Self {
        LiveState { kept: Mutex::new(memory().await), topics: memory().await, calls: AtomicU64::default() }
    }

    /// Loses everything.
    pub async fn empty(&self) {
        let fresh = memory().await;
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    /// How many calls there were: each would be a trip to Redis.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// A replica's line to it.
    pub fn line(self: &Arc<Self>, node: Node, sky: Arc<Sky>, dice: Dice) -> LiveLine {
        LiveLine { state: Arc::clone(self), node, sky, dice }
    }
}

impl LiveLine {
    /// The state, if the line holds; answers are lost as often as questions.
    fn reach(&self) -> Result<Arc<dyn Live>, LiveError> {
        self.state.calls.fetch_add(1, Ordering::Relaxed);
        self.check()?;
        Ok(Arc::clone(&self.state.kept.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn check(&self) -> Result<(), LiveError> {
        if self.sky.is_cut(End::Node(self.node), End::Live) || self.dice.chance(self.sky.weather().live) {
            return Err(LiveError::Unavailable("the line is broken".into()));
        }
        Ok(())
    }

    /// What was done, unless the answer is lost.
    fn hear<T>(&self, answer: Result<T, LiveError>) -> Result<T, LiveError> {
        self.check()?;
        answer
    }
}

async fn memory() -> Arc<dyn Live> {
    let config = live::Config::new("memory").expect("memory is a place");
    live::connect(&config).await.expect("memory is always there")
}

#[async_trait]
impl Live for LiveLine {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        self.hear(self.reach()?.open_ticket(ticket, now).await)
    }

    async fn hold_ticket(&self, id: Uuid, held_until: Moment) -> Result<Option<TicketState>, LiveError> {
        self.hear(self.reach()?.hold_ticket(id, held_until).await)
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        self.reach()?.ticket(id).await
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        self.hear(self.reach()?.cancel_ticket(id, owner, now).await)
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        self.reach()?.pools().await
    }

    async fn waiting(&self, pool: &str, max: u32) -> Result<Vec<Ticket>, LiveError> {
        self.reach()?.waiting(pool, max).await
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        self.hear(self.reach()?.expire_tickets(now, max).await)
    }

    async fn take_pairs(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError> {
        self.hear(self.reach()?.take_pairs(pool, pairs, now).await)
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        self.hear(self.reach()?.pending_matches(now, lease_until, max).await)
    }

    async fn settle_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        self.hear(self.reach()?.settle_match(match_id).await)
    }

    async fn dissolve_match(&self, match_id: Uuid, refused: &[Uuid], now: Moment) -> Result<bool, LiveError> {
        self.hear(self.reach()?.dissolve_match(match_id, refused, now).await)
    }

    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        self.hear(self.reach()?.set_deadline(deadline).await)
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        self.reach()?.deadline(queue, key).await
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        self.hear(self.reach()?.take_due(queue, now, lease_until, max).await)
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        self.hear(self.reach()?.clear_deadline(queue, key, revision).await)
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        self.reach()?.next_due(queue).await
    }

    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        self.hear(self.reach()?.lease(name, owner, now, until).await)
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        self.hear(self.reach()?.release(name, owner).await)
    }

    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        // Between the commit of an event and its acknowledgement lies this.
        tokio::time::sleep(self.dice.mostly_short(LATENCY)).await;
        self.reach()?;
        if self.dice.chance(self.sky.weather().unheard) {
            return Ok(());
        }
        self.state.topics.publish(topic, message).await
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        self.reach()?;
        self.state.topics.subscribe(topic).await
    }

    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        self.hear(self.reach()?.count(key, quota, now).await)
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        self.hear(self.reach()?.forgive(key).await)
    }

    async fn attend(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError> {
        self.hear(self.reach()?.attend(place, witness, members, now, until).await)
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        self.hear(self.reach()?.leave(place, witness, member).await)
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        self.reach()?.attendance(place, now).await
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        self.reach()?.attends(place, member, now).await
    }

    async fn prove(&self) -> Result<(), LiveError> {
        self.reach()?.prove().await
    }

    fn shared(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use api::{
        client::{Seen, Watched},
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
        sky::{End, Node, Service},
        stage::runtime,
        world::{Cast, World},
    };

    /// The longest that an event may be on its way to a stream of another replica: the next beats of both, and a look.
    const SEEN_WITHIN: std::time::Duration = std::time::Duration::from_millis(1500);

    #[test]
    fn what_a_replica_cannot_publish_is_soon_seen_through_another() {
        runtime().block_on(async {
            let world = World::new(1, Cast::RANDOM).await;
            for node in world.nodes() {
                world.start(node).await;
            }
            let [cut_off, other] = [0, 1].map(|number| Node { service: Service::Game, number });
            let straight = |node, face| world.network.straight(node, face).expect("it is up");
            let players = ["one", "two"].map(|name| player(&world.ambient, name));
            let seat = |index: usize| {
                let account_id = players[index].id.to_string();
                Some(Seat { account_id, name: players[index].name.clone(), rating: 0 })
            };
            let game_id = world.ambient.uuid().to_string();
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
            let mut watched = Watched::new(straight(other, Face::Public), &game_id);
            assert!(matches!(watched.next().await, Ok(Some(Seen::Snapshot(_)))));

            world.set_cut(End::Node(cut_off), End::Live, true);
            for (ply, act) in (0..).zip(["C3", "D4", "E5", "F6"]) {
                let seated = as_account(straight(cut_off, Face::Public), players[ply as usize % 2].clone());
                let (game_id, request_id) = (game_id.clone(), world.ambient.uuid().to_string());
                let play = PlayRequest { game_id, act: act.to_owned(), ply, request_id, lag_duration: None };
                let answer = GameServiceClient::new(seated).play(play).await.expect("it is taken");
                let (event, since) = (answer.into_inner().event.expect("an event"), Instant::now());
                loop {
                    let Ok(Some(Seen::Event(seen))) = watched.next().await else {
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
