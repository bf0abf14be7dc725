//! Those who hand in tickets.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use api::{
    board::v1::Side,
    client::is_retryable,
    matchmaking::v1::{
        EnqueueRequest, GameSettings, enqueue_response::State,
        matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::{Transport, with_bearer},
};
use chassis::Env;
use tests::{Platform, game_settings, guest_token};
use tokio::task::JoinSet;
use tonic::Status;
use uuid::Uuid;

/// How many wait at once: each comes when another has been matched.
const AT_ONCE: usize = 2_000;
/// Connections over which they come, which the system spreads over the processes that share a port.
const CONNECTIONS: usize = 64;
/// Settings of a ticket. Of twelve pools any two tickets have four in common at least.
const CHOICES: usize = 8;
/// How soon who was cut off comes again.
const AGAIN: Duration = Duration::from_millis(200);

/// What somebody was told of his ticket.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Which ticket.
    pub ticket: Uuid,
    /// Which game.
    pub game: Uuid,
    /// His side in it.
    pub side: Side,
}

/// Guests with a ticket each.
pub(crate) struct Crowd {
    matched: Arc<AtomicUsize>,
    waiting: JoinSet<anyhow::Result<Vec<Told>>>,
    told: Vec<Told>,
}

impl Crowd {
    /// Has so many tickets handed in.
    pub(crate) fn start(platform: &Platform, tickets: usize) -> anyhow::Result<Self> {
        let address = format!("http://{}", platform.address_of("matchmaking")?);
        let ways: Vec<Transport> =
            (0..CONNECTIONS).map(|_| api::client::connect(&address)).collect::<Result<_, _>>()?;
        let (pools, platform) = (Arc::new(pools()), platform.transport());
        let (next, matched) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut waiting = JoinSet::new();
        for at in 0..AT_ONCE.min(tickets) {
            let (way, platform) = (ways[at % ways.len()].clone(), platform.clone());
            let (pools, next, matched) = (Arc::clone(&pools), Arc::clone(&next), Arc::clone(&matched));
            waiting.spawn(async move {
                let mut told = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= tickets {
                        return Ok(told);
                    }
                    let token = guest_token(&platform).await?;
                    let settings = choices(&pools, number);
                    told.push(wait(with_bearer(way.clone(), move || Some(token.clone())), settings).await?);
                    matched.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        Ok(Crowd { matched, waiting, told: Vec::with_capacity(tickets) })
    }

    /// How many have been told of their game.
    pub(crate) fn matched(&self) -> usize {
        self.matched.load(Ordering::Relaxed)
    }

    /// Whether all have been after a while.
    ///
    /// # Errors
    /// When somebody's ticket was refused.
    pub(crate) async fn is_done_after(&mut self, pause: Duration) -> anyhow::Result<bool> {
        tokio::time::sleep(pause).await;
        while let Some(told) = self.waiting.try_join_next() {
            self.told.extend(told??);
        }
        Ok(self.waiting.is_empty())
    }

    /// What they were told.
    pub(crate) fn told(&self) -> &[Told] {
        &self.told
    }
}

/// Twelve pools of the variants that are played so fast.
fn pools() -> Vec<GameSettings> {
    let go = |size| [("5m", size), ("10m", size)];
    let plain = |variant| [(variant, "10m"), (variant, "20m")];
    let go = ["9", "13", "19"]
        .into_iter()
        .flat_map(go)
        .map(|(time, size)| game_settings("go", &[("size", size)], time, false));
    let others = ["jiu", "tianyi", "jpd"].into_iter().flat_map(plain);
    go.chain(others.map(|(variant, time)| game_settings(variant, &[], time, false))).collect()
}

/// The settings of the ticket of a number, in its order of preference.
fn choices(pools: &[GameSettings], number: usize) -> Vec<GameSettings> {
    (0..CHOICES).map(|place| pools[(number * 5 + place) % pools.len()].clone()).collect()
}

/// Waits with a ticket until it is matched, and comes again with it whenever the platform is not there.
async fn wait(way: Transport, settings: Vec<GameSettings>) -> anyhow::Result<Told> {
    let mut queue = MatchmakingServiceClient::new(way);
    let ticket = Env::system().uuid();
    let mut settings = settings.into_iter();
    let request = EnqueueRequest {
        ticket_id: ticket.to_string(),
        settings: settings.next(),
        alternatives: settings.collect(),
        max_rating_difference: 3_000,
        ..EnqueueRequest::default()
    };
    loop {
        match look(&mut queue, &request).await {
            Ok(Some(State::Matched(matched))) => {
                return Ok(Told { ticket, game: matched.game_id.parse()?, side: matched.side() });
            }
            Ok(Some(state)) => anyhow::bail!("a ticket ended as {state:?}"),
            Ok(None) => {}
            Err(status) if is_retryable(&status) => {}
            Err(status) => return Err(status).context("a ticket was refused"),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// How a ticket ends; `None` when its stream does.
async fn look(
    queue: &mut MatchmakingServiceClient<Transport>,
    request: &EnqueueRequest,
) -> Result<Option<State>, Status> {
    let mut stream = queue.enqueue(request.clone()).await?.into_inner();
    while let Some(answer) = stream.message().await? {
        if let Some(state @ (State::Matched(_) | State::Cancelled(_) | State::Expired(_))) = answer.state {
            return Ok(Some(state));
        }
    }
    Ok(None)
}
