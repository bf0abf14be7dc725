//! How the services are put together, into one process or six.

use std::sync::Arc;

use anyhow::Context as _;
use api::transport::{Loopback, Transport, over};
use axum::Router;
use chassis::{
    BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes, Vault, auth::as_service, schema::Schema,
};
use clap::ValueEnum;
use live::Live;
use sea_orm::DbErr;
use tonic::service::Routes;

use crate::args::{LimitArgs, PoolArgs};

/// One of the services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Service {
    /// Accounts and tokens.
    Identity,
    /// Games.
    Game,
    /// Clocks.
    Clock,
    /// Finding opponents.
    Matchmaking,
    /// Ratings.
    Rating,
    /// Federations and their events.
    Federation,
}

impl Service {
    /// Every service.
    pub const ALL: [Service; 6] = [
        Service::Identity,
        Service::Game,
        Service::Clock,
        Service::Matchmaking,
        Service::Rating,
        Service::Federation,
    ];

    /// What there is to know of it.
    pub const fn info(self) -> &'static ServiceInfo {
        match self {
            Service::Identity => &identity::SERVICE,
            Service::Game => &game::SERVICE,
            Service::Clock => &clock::SERVICE,
            Service::Matchmaking => &matchmaking::SERVICE,
            Service::Rating => &rating::SERVICE,
            Service::Federation => &federation::SERVICE,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Its public gRPC services, each with its own name.
    pub fn public(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.info().public.iter().map(move |name| (*name, self.name()))
    }

    /// All its gRPC services, each with its own name: those for which health is answered.
    pub fn answered(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.public().chain(self.info().internal.iter().map(move |name| (*name, self.name())))
    }

    /// Those that keep anything in a database.
    pub fn keeping() -> impl Iterator<Item = Service> {
        Service::ALL.into_iter().filter(|service| service.info().has_database)
    }

    /// How the schema of its database stands.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn schema(self, database: &Database) -> Result<Schema, DbErr> {
        match self {
            Service::Identity => identity::schema(database).await,
            Service::Game => game::audit::schema(database).await,
            Service::Matchmaking => matchmaking::schema(database).await,
            Service::Rating => rating::schema(database).await,
            Service::Federation => federation::schema(database).await,
            Service::Clock => Ok(Schema::default()),
        }
    }

    /// Takes the first steps of the schema of its database, these and no other.
    ///
    /// # Errors
    /// When this build does not know them, or the database refuses.
    pub async fn build(self, database: &Database, steps: &[String]) -> Result<(), DbErr> {
        match self {
            Service::Identity => identity::build(database, steps).await,
            Service::Game => game::audit::build(database, steps).await,
            Service::Matchmaking => matchmaking::build(database, steps).await,
            Service::Rating => rating::build(database, steps).await,
            Service::Federation => federation::build(database, steps).await,
            Service::Clock => Ok(()),
        }
    }

    /// The services without which it can do nothing for players.
    pub fn needs(self) -> impl Iterator<Item = Service> {
        Service::ALL.into_iter().filter(move |service| self.info().needs.contains(&service.name()))
    }
}

impl PoolArgs {
    /// Connections that all services of a platform have to PostgreSQL together.
    pub fn in_all(self) -> u32 {
        let each = self.database_readers.saturating_add(self.database_writers);
        Service::keeping()
            .map(|service| each.saturating_add(service.info().own_connections))
            .fold(0, u32::saturating_add)
    }
}

/// What every service of a process shares.
pub struct Resources {
    /// Time and chance.
    pub env: Env,
    /// The tasks of the process.
    pub lifecycle: Lifecycle,
    /// Live state.
    pub live: Arc<dyn Live>,
    /// What seals secrets in the databases.
    pub vault: Vault,
}

/// The ways to the other services.
pub struct Peers {
    /// The game service.
    pub game: Transport,
    /// The clock service.
    pub clock: Transport,
    /// The rating service.
    pub rating: Transport,
    /// The federation service.
    pub federation: Transport,
    /// The identity service.
    pub identity: Transport,
    /// The matchmaking service.
    pub matchmaking: Transport,
}

/// All services in one process.
pub struct Monolith {
    /// What everybody may call.
    pub public: Router,
    /// The way to every service, as one of them.
    pub transport: Transport,
}

/// Puts all services together, so that they call each other without a network. `open` opens a service's database.
///
/// # Errors
/// When a database cannot be reached or brought up to date.
pub async fn bind_all<F: Future<Output = anyhow::Result<Database>>>(
    shared: &Resources,
    open: impl Fn(Service) -> F,
    limits: &LimitArgs,
) -> anyhow::Result<Monolith> {
    let loopback = Loopback::new();
    let transport = as_service(loopback.transport());
    let peers = Peers {
        game: transport.clone(),
        clock: transport.clone(),
        rating: transport.clone(),
        federation: transport.clone(),
        identity: transport.clone(),
        matchmaking: transport.clone(),
    };
    let (mut public, mut internal) = (Router::new(), Router::new());
    for service in Service::ALL {
        let routes = bind(service, shared, &open, &peers, limits).await?;
        public = public.merge(routes.public.into_axum_router().reset_fallback());
        internal = internal.merge(routes.internal.into_axum_router().reset_fallback());
    }
    loopback.bind(over(Routes::from(public.clone().merge(internal)).prepare()));
    Ok(Monolith { public, transport })
}

/// Puts one service together. `open` opens its database, if it has one.
///
/// # Errors
/// When its database cannot be reached or brought up to date.
pub async fn bind<F: Future<Output = anyhow::Result<Database>>>(
    service: Service,
    shared: &Resources,
    open: impl Fn(Service) -> F,
    peers: &Peers,
    limits: &LimitArgs,
) -> anyhow::Result<ServiceRoutes> {
    let Resources { env, lifecycle, live, vault } = shared;
    let open = async |service: Service| -> anyhow::Result<Database> {
        let database = open(service).await?;
        database.keep(lifecycle, (service.name(), "database"));
        Ok(database)
    };
    let (env, lifecycle, live) = (env.clone(), lifecycle.clone(), Arc::clone(live));
    let vault = vault.clone();
    let routes: Result<ServiceRoutes, BindError> = match service {
        Service::Identity => {
            let database = open(service).await?;
            let limits = identity::Limits::with_accounts_per_address(limits.accounts_per_address);
            let hash_cost = identity::HashCost::default();
            let deps = identity::Deps { env, database, vault, live, lifecycle, hash_cost, limits };
            identity::bind(deps).await
        }
        Service::Game => {
            let (clock, rating) = (peers.clock.clone(), peers.rating.clone());
            let (federation, matchmaking) = (peers.federation.clone(), peers.matchmaking.clone());
            let database = open(service).await?;
            let deps =
                game::Deps { env, database, vault, live, lifecycle, clock, rating, federation, matchmaking };
            game::bind(deps).await
        }
        Service::Clock => Ok(clock::bind(clock::Deps { env, live, lifecycle, game: peers.game.clone() })),
        Service::Matchmaking => {
            let (game, rating, identity) = (peers.game.clone(), peers.rating.clone(), peers.identity.clone());
            let federation = peers.federation.clone();
            let (database, arrival) = (open(service).await?, limits.arrival_within);
            let deps = matchmaking::Deps {
                env,
                database,
                live,
                lifecycle,
                game,
                rating,
                identity,
                federation,
                arrival,
            };
            matchmaking::bind(deps).await
        }
        Service::Rating => {
            let database = open(service).await?;
            let federation = peers.federation.clone();
            rating::bind(rating::Deps { env, database, lifecycle, federation }).await
        }
        Service::Federation => {
            let (game, identity) = (peers.game.clone(), peers.identity.clone());
            let database = open(service).await?;
            let deps = federation::Deps { env, database, vault, live, lifecycle, game, identity };
            federation::bind(deps).await
        }
    };
    routes.with_context(|| format!("putting {} together", service.name()))
}
