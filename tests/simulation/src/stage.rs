//! A stage for scenarios: the whole platform on virtual time with nothing going wrong by chance, in one process or
//! in six, as `shoutan up` and `shoutan serve` put it together. Whoever calls shows a token of its identity
//! service.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use api::{
    client::{Credentials, Player},
    reason,
    transport::{Transport, over},
};
use chassis::{
    Lifecycle,
    auth::{Role, RoleGrant, RoleScope, as_service, gateway_token},
};
use futures::future::BoxFuture;
use http::{Request, Response};
use identity::admin::Roles;
use rand::{SeedableRng as _, rngs::StdRng};
use shoutan::{
    gateway,
    platform::{self, Monolith, Resources},
};
use time::OffsetDateTime;
use tokio::runtime::Runtime;
use tonic::{Status, body::Body, service::Routes};
use tower::ServiceExt as _;

use crate::{
    network::{Door, Face},
    topology::{End, Node, Service},
    world::{Deployment, World},
};

/// The one process, where there is one: on the network it stands for all services.
const WHOLE: Node = Node { service: Service::Game, number: 0 };

/// How many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All services in one, which call each other without a network and keep live state in memory.
    One,
    /// One a service, and a gateway; they share live state.
    Six,
}

/// A running platform.
#[derive(Debug)]
pub struct Stage {
    /// In how many processes it runs.
    pub shape: Shape,
    world: Arc<World>,
    up: Mutex<Option<Up>>,
}

/// What dies with the processes.
#[derive(Debug)]
struct Up {
    public: Transport,
    internal: Transport,
    lifecycle: Lifecycle,
}

/// What the platform has asked of its stores so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Statements, beginnings and ends of transactions among them.
    pub statements: u64,
    /// Calls of live state, where processes share it.
    pub live_calls: u64,
}

/// Plays a scenario in one process and in six, each on a runtime of its own with paused time.
///
/// # Panics
/// When no runtime can be made; and with the scenario.
pub fn in_every_shape<F: Future<Output = ()>>(scenario: impl Fn(Arc<Stage>) -> F) {
    chassis::install_crypto();
    for shape in [Shape::One, Shape::Six] {
        runtime().block_on(async {
            let stage = Arc::new(Stage::open(shape).await);
            scenario(Arc::clone(&stage)).await;
            stage.stop();
        });
    }
}

/// A runtime of one thread with paused time.
///
/// # Panics
/// When none can be made.
pub fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime of one thread needs nothing")
}

impl Stage {
    /// Starts a platform.
    pub async fn open(shape: Shape) -> Self {
        let stage = Stage { shape, world: World::new(1, Deployment::WHOLE).await, up: Mutex::default() };
        stage.start().await;
        stage
    }

    /// The time.
    pub fn now(&self) -> OffsetDateTime {
        self.world.env.now()
    }

    /// What the platform has asked of its stores so far.
    pub fn asked(&self) -> Asked {
        Asked { statements: self.world.statements(), live_calls: self.world.live.calls() }
    }

    /// A way to the platform, as clients have it. It leads to whatever process is up.
    pub fn public(self: &Arc<Self>) -> Transport {
        self.transport(|up| up.public.clone())
    }

    /// A way to the game service, as other services have it.
    pub fn internal(self: &Arc<Self>) -> Transport {
        self.transport(|up| up.internal.clone())
    }

    /// A new account of this name, signed in.
    ///
    /// # Panics
    /// When it is not made.
    pub async fn account(self: &Arc<Self>, name: &str) -> Player {
        self.sign_in(Credentials::New { name: name.to_owned(), password: password(name) }).await
    }

    /// A new account with a role in an event or a federation, as the operator grants it, signed in with it.
    ///
    /// # Panics
    /// When it is not made, or the role not granted.
    pub async fn official(self: &Arc<Self>, name: &str, role: Role, scope: RoleScope) -> Player {
        self.account(name).await;
        self.grant(name, RoleGrant { role, scope }).await;
        self.sign_in(Credentials::Existing { name: name.to_owned(), password: password(name) }).await
    }

    /// The operator grants a role.
    ///
    /// # Panics
    /// When it is not granted.
    pub async fn grant(&self, name: &str, grant: RoleGrant) {
        let roles = self.roles().await;
        let account = roles.account(name).await.expect("the account was made");
        roles.grant(account, grant).await.expect("the role is granted");
    }

    /// The operator takes a role back.
    ///
    /// # Panics
    /// When nobody has it.
    pub async fn revoke(&self, name: &str, grant: RoleGrant) {
        let roles = self.roles().await;
        let account = roles.account(name).await.expect("the account was made");
        assert!(roles.revoke(account, grant).await.expect("the database answers"), "{name} has the role");
    }

    /// A new id of something.
    pub fn id<T: From<uuid::Uuid>>(&self) -> T {
        self.world.env.uuid().into()
    }

    /// Chance of this world.
    pub fn rng(&self) -> StdRng {
        StdRng::from_seed(self.world.env.bytes())
    }

    /// Every process dies, and comes back after a time.
    pub async fn crash(&self, down: Duration) {
        self.stop();
        tokio::time::sleep(down).await;
        self.start().await;
    }

    async fn roles(&self) -> Roles {
        let identity = Node { service: Service::Identity, number: 0 };
        let database = self.world.database(identity).expect("it has a database");
        Roles::open(&database, &self.world.env).await.expect("the database answers")
    }

    async fn sign_in(self: &Arc<Self>, credentials: Credentials) -> Player {
        let env = self.world.env.clone();
        let ids = Arc::new(move || env.uuid());
        Player::sign_in(self.public(), credentials, ids).await.expect("accounts are made")
    }

    async fn start(&self) {
        let lifecycle = Lifecycle::new();
        let up = match self.shape {
            Shape::One => self.in_one(lifecycle).await,
            Shape::Six => self.in_six(lifecycle).await,
        };
        *self.up() = Some(up);
    }

    /// Every process dies.
    pub fn stop(&self) {
        let up = self.up().take();
        up.inspect(|up| up.lifecycle.abort());
        self.world.network.close(WHOLE);
        for node in self.world.nodes() {
            self.world.kill(node);
        }
    }

    async fn in_one(&self, lifecycle: Lifecycle) -> Up {
        let World { env, .. } = &*self.world;
        let config = live::Config::new("memory").expect("memory is a place");
        let live = live::connect(&config).await.expect("memory is always there");
        let vault = chassis::Vault::open_to_all();
        let shared = Resources { env: env.clone(), lifecycle: lifecycle.clone(), live, vault };
        let open = |service| std::future::ready(self.world.database(Node { service, number: 0 }));
        let routes = platform::bind_all(&shared, open, &World::limits()).await;
        let Monolith { public, transport } = routes.expect("the platform starts");
        // Clients reach it over a network, on which the death of the process is noticed.
        let guarded = self.world.guarded(Routes::from(public), transport.clone());
        self.world.network.open(WHOLE, Door::new(guarded, transport));
        let reached = |face| self.world.network.transport(End::Outside, WHOLE.service, face);
        Up { public: reached(Face::Public), internal: reached(Face::Internal), lifecycle }
    }

    async fn in_six(&self, lifecycle: Lifecycle) -> Up {
        for node in self.world.nodes() {
            self.world.start(node).await;
        }
        let World { env, network, cluster, .. } = &*self.world;
        let token = gateway_token(cluster.clone(), env.clone());
        let routes =
            gateway::routes(|service| Ok(network.transport(End::Outside, service, Face::Public)), token);
        let Ok::<_, Infallible>(routes) = routes;
        let internal = as_service(network.transport(End::Outside, Service::Game, Face::Internal));
        let report = gateway::report(internal.clone(), lifecycle.stopping());
        lifecycle.spawn("gateway report", report);
        Up { public: over(Routes::from(routes).prepare()), internal, lifecycle }
    }

    fn transport(self: &Arc<Self>, pick: fn(&Up) -> Transport) -> Transport {
        let stage = Arc::clone(self);
        over(tower::service_fn(move |request: Request<Body>| {
            let transport = stage.up().as_ref().map(pick);
            async move { Ok::<_, Status>(pass_on(transport, request).await) }
        }))
    }

    fn up(&self) -> MutexGuard<'_, Option<Up>> {
        self.up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn password(name: &str) -> String {
    format!("the password of {name}")
}

fn pass_on(transport: Option<Transport>, request: Request<Body>) -> BoxFuture<'static, Response<Body>> {
    let down =
        || Status::from(api::Error::unavailable(reason::SERVICE_UNREACHABLE, "no process is up")).into_http();
    Box::pin(async move {
        match transport {
            Some(transport) => transport.oneshot(request).await.unwrap_or_else(|_| down()),
            None => down(),
        }
    })
}
