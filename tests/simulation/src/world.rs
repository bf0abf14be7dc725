//! What outlives a replica, and the starting and killing of replicas.

use std::{
    collections::BTreeMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::Context as _;
use api::transport::{Transport, over};
use chassis::{
    Database, Env, Lifecycle, ServiceRoutes,
    auth::{AuthLayer, ClusterKey, Verifier, as_service},
    server::details,
};
use shoutan::{
    args::LimitArgs,
    platform::{self, Peers, Resources},
};
use time::{OffsetDateTime, macros::datetime};
use tokio::time::Instant;
use tonic::service::Routes;
use tower::ServiceBuilder;

use crate::{
    disk::Disk,
    federations,
    live_state::LiveState,
    matchmaking,
    network::{Door, Face, Network},
    rng::Rng,
    topology::{End, LinkQuality, Node, Service, Topology},
    trace::Trace,
};

/// When every run begins.
const START: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);
/// How long a replica waits whose database refused it at the start.
const RESTART: Duration = Duration::from_millis(500);

/// How long what is under way when the trouble ends may still take.
const SETTLING: Duration = Duration::from_secs(10);

/// Who takes part in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deployment {
    /// The services, each after those that it needs to say something sensible.
    pub services: &'static [Service],
    /// Replicas of each.
    pub replicas: usize,
    /// Whether who calls has to show a token. If not, who makes the transport says who calls.
    pub guarded: bool,
}

impl Deployment {
    /// What is held to its promises under trouble: the services that carry games.
    pub(crate) const RANDOM: Deployment = Deployment {
        services: &[Service::Rating, Service::Clock, Service::Game],
        replicas: 2,
        guarded: false,
    };
    /// The same with who holds an event.
    pub(crate) const EVENT: Deployment = Deployment {
        services: &[Service::Identity, Service::Rating, Service::Clock, Service::Game, Service::Federation],
        replicas: 2,
        guarded: false,
    };
    /// The same with who brings players together.
    pub(crate) const QUEUE: Deployment = Deployment {
        services: &[Service::Rating, Service::Clock, Service::Game, Service::Matchmaking],
        replicas: 2,
        guarded: false,
    };
    /// The same with more of them.
    pub(crate) const CROWD: Deployment = Deployment { replicas: 4, ..Deployment::QUEUE };
    /// The whole platform.
    pub(crate) const WHOLE: Deployment = Deployment { services: &Service::ALL, replicas: 1, guarded: true };
}

/// A time in which nobody could act, whatever he tried: half open, in virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Down {
    /// Since when.
    pub from: OffsetDateTime,
    /// Until when; none while it lasts.
    pub until: Option<OffsetDateTime>,
}

/// The world of one run.
#[derive(Debug)]
pub(crate) struct World {
    /// The seed of everything.
    pub seed: u64,
    /// Who takes part.
    pub deployment: Deployment,
    /// By what the services of this world know each other.
    pub cluster: ClusterKey,
    /// Time, ids, and the chance that services use.
    pub env: Env,
    /// What happened.
    pub trace: Trace,
    /// Who reaches whom.
    pub topology: Arc<Topology>,
    /// How they reach each other.
    pub network: Arc<Network>,
    /// The live state.
    pub live: Arc<LiveState>,
    disks: BTreeMap<Service, Arc<Disk>>,
    /// The replicas that are up or starting.
    up: Mutex<BTreeMap<Node, Lifecycle>>,
    downs: Mutex<Vec<Down>>,
    /// Since when there is no trouble any more.
    calm: Mutex<Option<Instant>>,
    chance: Rng,
}

impl World {
    /// A world in which nothing is up yet. Must be called on a runtime with paused time.
    pub(crate) async fn new(seed: u64, deployment: Deployment) -> Arc<Self> {
        let (trace, topology) = (Trace::new(), Arc::new(Topology::default()));
        let rng = Rng::new(seed, "network");
        let network = Network::new(Arc::clone(&topology), rng, trace.clone(), deployment.replicas);
        let disk = |service: &Service| {
            let dated = match service {
                Service::Game => Some("events"),
                Service::Federation => Some("event_log"),
                _ => None,
            };
            (*service, Arc::new(Disk::new(trace.clone(), dated)))
        };
        let disks =
            deployment.services.iter().filter(|service| service.info().has_database).map(disk).collect();
        let env = Env::simulated(START, seed);
        let down = Down { from: env.now(), until: None };
        Arc::new(World {
            seed,
            deployment,
            cluster: ClusterKey::random(&env),
            env,
            trace: trace.clone(),
            topology,
            network: Arc::new(network),
            live: Arc::new(LiveState::new().await),
            disks,
            up: Mutex::default(),
            downs: Mutex::new(vec![down]),
            calm: Mutex::default(),
            chance: Rng::new(seed, "stores"),
        })
    }

    /// A stream of throws for one purpose.
    pub(crate) fn rng(&self, purpose: &str) -> Rng {
        Rng::new(self.seed, purpose)
    }

    /// Every replica, up or not.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        let replicas = |service: &Service| {
            let service = *service;
            (0..self.deployment.replicas).map(move |number| Node { service, number })
        };
        self.deployment.services.iter().flat_map(replicas).collect()
    }

    /// The database of a service that has one.
    pub(crate) fn disk(&self, service: Service) -> Option<&Arc<Disk>> {
        self.disks.get(&service)
    }

    /// How many statements all databases were asked so far.
    pub(crate) fn statements(&self) -> u64 {
        self.disks.values().map(|disk| disk.statements()).sum()
    }

    /// Starts a replica that is not up, and goes on trying while its database refuses it.
    pub(crate) async fn start(self: &Arc<Self>, node: Node) {
        let lifecycle = Lifecycle::new();
        if locked(&self.up).insert(node, lifecycle.clone()).is_some() {
            self.trace.fault(format!("{node} was started twice"));
        }
        self.trace.note(format!("start {node}"));
        self.look();
        loop {
            match self.bind(node, lifecycle.clone()).await {
                Ok(ServiceRoutes { public, internal }) => {
                    let transport = self.network.transport(End::Node(node), Service::Identity, Face::Public);
                    let all = merged(public.clone(), internal);
                    let door = Door::new(self.guarded(public, transport), over(all.prepare()));
                    self.network.open(node, door);
                    return;
                }
                Err(error) => {
                    self.trace.note(format!("{node} does not start: {error}"));
                    tokio::time::sleep(RESTART).await;
                }
            }
        }
    }

    /// Kills a replica, wherever it is.
    pub(crate) fn kill(&self, node: Node) {
        let lifecycle = locked(&self.up).remove(&node);
        if let Some(lifecycle) = lifecycle {
            self.trace.note(format!("kill {node}"));
            lifecycle.abort();
            self.network.close(node);
            self.look();
        }
    }

    /// Cuts a line or mends it.
    pub(crate) fn set_cut(&self, a: End, b: End, cut: bool) {
        self.trace.note(format!("{} {a} - {b}", if cut { "cut" } else { "mend" }));
        self.topology.set_cut(a, b, cut);
        self.look();
    }

    /// From now on there is no trouble.
    pub(crate) fn calm_down(&self) {
        self.topology.set_weather(LinkQuality::CALM);
        *locked(&self.calm) = Some(Instant::now());
        self.trace.note("the trouble is over");
    }

    /// Whether a call that begins now must be answered: all is up, and what the trouble left is settled.
    pub(crate) fn is_calm(&self) -> bool {
        locked(&self.calm).is_some_and(|calm| calm.elapsed() > SETTLING)
    }

    /// When nobody could act, so far.
    pub(crate) fn downs(&self) -> Vec<Down> {
        locked(&self.downs).clone()
    }

    /// Looks whether anybody can act now, and writes down when that changes: some game replica must be up,
    /// reach the database, and reach some clock replica that reaches the live state.
    fn look(&self) {
        let up: Vec<Node> = locked(&self.up).keys().copied().collect();
        let joined = |node: Node, end: End| !self.topology.is_cut(End::Node(node), end);
        let of = |service| up.iter().copied().filter(move |node| node.service == service);
        let can_act = of(Service::Game).any(|game| {
            joined(game, End::Database)
                && of(Service::Clock).any(|clock| joined(game, End::Node(clock)) && joined(clock, End::Live))
        });
        let now = self.env.now();
        let mut downs = locked(&self.downs);
        match downs.last_mut().filter(|down| down.until.is_none()) {
            Some(down) if can_act => {
                down.until = Some(now);
                self.trace.note("players can act");
            }
            None if !can_act => {
                downs.push(Down { from: now, until: None });
                self.trace.note("players cannot act");
            }
            _ => {}
        }
    }

    /// The limits of this world: there are none.
    pub(crate) const fn limits() -> LimitArgs {
        LimitArgs {
            calls_per_account: NonZeroU32::MAX,
            calls_per_address: NonZeroU32::MAX,
            open_per_account: NonZeroU32::MAX,
            open_per_address: NonZeroU32::MAX,
            accounts_per_address: NonZeroU32::MAX,
            arrival_within: Duration::from_mins(1),
        }
    }

    /// What everybody may call, as everybody calls it; who has the keys is asked on the way to `identity`.
    pub(crate) fn guarded(&self, public: Routes, identity: Transport) -> Transport {
        if !self.deployment.guarded {
            return over(public.prepare());
        }
        let verifier = Verifier::new(identity, self.cluster.clone(), self.env.clone());
        let layers = ServiceBuilder::new().layer(details()).layer(AuthLayer::new(Arc::new(verifier)));
        over(layers.service(public.prepare()))
    }

    /// The connection of a replica to its database.
    ///
    /// # Errors
    /// When it has none.
    pub(crate) fn database(&self, node: Node) -> anyhow::Result<Database> {
        let disk = self.disks.get(&node.service).with_context(|| format!("{node} has no database"))?;
        let connection = disk.connect(node, Arc::clone(&self.topology), self.chance.clone());
        Ok(Database::over(connection))
    }

    /// The way to the federations, where there are any.
    fn federation(&self, served: Transport) -> Transport {
        if self.deployment.services.contains(&Service::Federation) {
            served
        } else {
            federations::transport()
        }
    }

    /// The way to matchmaking, where there is any.
    fn matchmaking(&self, served: Transport) -> Transport {
        if self.deployment.services.contains(&Service::Matchmaking) {
            served
        } else {
            matchmaking::transport()
        }
    }

    async fn bind(&self, node: Node, lifecycle: Lifecycle) -> anyhow::Result<ServiceRoutes> {
        let transport = |to| as_service(self.network.transport(End::Node(node), to, Face::Internal));
        let live = self.live.line(node, Arc::clone(&self.topology), self.chance.clone());
        let vault = chassis::Vault::open_to_all();
        let shared = Resources { env: self.env.clone(), lifecycle, live, vault };
        let peers = Peers {
            game: transport(Service::Game),
            clock: transport(Service::Clock),
            rating: transport(Service::Rating),
            identity: transport(Service::Identity),
            federation: self.federation(transport(Service::Federation)),
            matchmaking: self.matchmaking(transport(Service::Matchmaking)),
        };
        let open = |_| std::future::ready(self.database(node));
        platform::bind(node.service, &shared, open, &peers, &World::limits()).await
    }
}

/// What a process of one service answers to the others.
fn merged(public: Routes, internal: Routes) -> Routes {
    let public = public.into_axum_router().reset_fallback();
    Routes::from(public.merge(internal.into_axum_router().reset_fallback()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
