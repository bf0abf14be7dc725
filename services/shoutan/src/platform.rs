//! How the services are put together, into one process or five.

use std::{
    num::NonZeroU32,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use api::transport::{Loopback, Transport, over};
use axum::Router;
use chassis::{
    BindError, Database, Env, Lifecycle, ServiceInfo, ServiceRoutes, Vault,
    auth::as_service,
    database,
    server::{self, RateLimits},
};
use clap::{Args, ValueEnum};
use live::Live;
use tonic::service::Routes;

use crate::{edge::span, instance};

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
}

impl Service {
    /// Every service.
    pub const ALL: [Service; 5] =
        [Service::Identity, Service::Game, Service::Clock, Service::Matchmaking, Service::Rating];

    /// What there is to know of it.
    pub const fn info(self) -> &'static ServiceInfo {
        match self {
            Service::Identity => &identity::SERVICE,
            Service::Game => &game::SERVICE,
            Service::Clock => &clock::SERVICE,
            Service::Matchmaking => &matchmaking::SERVICE,
            Service::Rating => &rating::SERVICE,
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

    /// The services without which it can do nothing for players.
    pub fn needs(self) -> impl Iterator<Item = Service> {
        Service::ALL.into_iter().filter(move |service| self.info().needs.contains(&service.name()))
    }
}

/// Where live state is kept.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Live state")]
pub struct LiveArgs {
    /// What the keys of a Redis begin with, so that several platforms can share one.
    #[arg(
        long,
        global = true,
        default_value = "shoutan",
        env = "SHOUTAN_LIVE_PREFIX",
        hide_env_values = true
    )]
    pub live_prefix: String,
    /// The authority that has signed the certificate of a Redis at rediss://… (PEM); those that the system knows when
    /// absent.
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_LIVE_CA")]
    pub live_ca: Option<PathBuf>,
}

impl LiveArgs {
    /// Connects to live state in `place`: `memory` or the URL of a Redis.
    ///
    /// # Errors
    /// When it is not to be reached.
    pub async fn connect(&self, place: &str) -> anyhow::Result<Arc<dyn Live>> {
        let mut config = live::Config::new(place)?.with_prefix(&self.live_prefix)?;
        if let Some(path) = &self.live_ca {
            let certificates = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            config = config.with_authority(certificates)?;
        }
        live::connect(&config).await.context("reaching the live state")
    }
}

/// How often one caller may call, and may try to sign in.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Units of calls a second for each account: an act is one unit, a dear read up to 32.
    #[arg(long, global = true, default_value_t = most(server::ACCOUNT_PER_S), env = "SHOUTAN_CALLS_PER_ACCOUNT")]
    pub calls_per_account: NonZeroU32,
    /// Units of calls a second for each network address without a token.
    #[arg(long, global = true, default_value_t = most(server::ADDRESS_PER_S), env = "SHOUTAN_CALLS_PER_ADDRESS")]
    pub calls_per_address: NonZeroU32,
    /// Calls and streams that each account may have open at once.
    #[arg(long, global = true, default_value_t = most(server::OPEN_PER_ACCOUNT), env = "SHOUTAN_OPEN_PER_ACCOUNT")]
    pub open_per_account: NonZeroU32,
    /// Calls and streams that each network address may have open at once without a token.
    #[arg(long, global = true, default_value_t = most(server::OPEN_PER_ADDRESS), env = "SHOUTAN_OPEN_PER_ADDRESS")]
    pub open_per_address: NonZeroU32,
    /// Accounts that one network address may make in an hour.
    #[arg(long, global = true, default_value = "60", env = "SHOUTAN_ACCOUNTS_PER_ADDRESS")]
    pub accounts_per_address: NonZeroU32,
    /// How long the players of a matched game are waited for, such as `60s`, at most `24h`. Until both have come no
    /// clock runs; if they do not, the game counts for nothing.
    #[arg(long, global = true, default_value = "60s", value_parser = arrival, env = "SHOUTAN_ARRIVAL_WITHIN")]
    pub arrival_within: Duration,
}

/// How long players are waited for: as long as games can be made to.
fn arrival(text: &str) -> Result<Duration, String> {
    let most = game::core::LATENESS_MAX;
    span(text).and_then(|span| if span > most { Err("at most 24h".to_owned()) } else { Ok(span) })
}

impl Limits {
    /// The limits of the server.
    pub const fn rates(&self) -> RateLimits {
        RateLimits {
            account_per_s: self.calls_per_account,
            address_per_s: self.calls_per_address,
            account_open: self.open_per_account,
            address_open: self.open_per_address,
        }
    }
}

/// A limit that has to be one at least.
const fn most(count: u32) -> NonZeroU32 {
    match NonZeroU32::new(count) {
        Some(count) => count,
        None => NonZeroU32::MIN,
    }
}

/// How many connections the services have to their databases.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Databases")]
pub struct PoolArgs {
    /// Connections of each service for reading its database.
    #[arg(long, global = true, default_value_t = database::READERS, env = "SHOUTAN_DATABASE_READERS", value_parser = clap::value_parser!(u32).range(1..))]
    pub database_readers: u32,
    /// Connections of each service for writing to PostgreSQL. The game service has two more of its own.
    #[arg(long, global = true, default_value_t = database::WRITERS, env = "SHOUTAN_DATABASE_WRITERS", value_parser = clap::value_parser!(u32).range(1..))]
    pub database_writers: u32,
}

impl PoolArgs {
    /// Connections that all services of a platform have to PostgreSQL together.
    pub fn in_all(self) -> u32 {
        let services = Service::ALL.into_iter().filter(|service| service.info().has_database);
        let each = self.database_readers.saturating_add(self.database_writers);
        services
            .map(|service| each.saturating_add(service.info().own_connections))
            .fold(0, u32::saturating_add)
    }
}

/// The databases of the services.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Databases")]
pub struct DatabaseArgs {
    #[command(flatten)]
    pools: PoolArgs,
    /// Takes databases that the data folder does not know: new ones, or others than before.
    #[arg(long, global = true)]
    pub new_database: bool,
}

impl DatabaseArgs {
    const fn settings(self) -> database::Settings {
        let PoolArgs { database_readers: readers, database_writers: writers } = self.pools;
        database::Settings { readers, writers }
    }
}

/// What every service of a process shares.
pub struct Shared {
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
}

/// All services in one process.
pub struct InOne {
    /// What everybody may call.
    pub public: Router,
    /// The way to every service, as one of them.
    pub way: Transport,
}

/// Puts all services together, so that they call each other without a network. `open` opens a service's database.
///
/// # Errors
/// When a database cannot be reached or brought up to date.
pub async fn bind_all<F: Future<Output = anyhow::Result<Database>>>(
    shared: &Shared,
    open: impl Fn(Service) -> F,
    limits: &Limits,
) -> anyhow::Result<InOne> {
    let loopback = Loopback::new();
    let way = as_service(loopback.transport());
    let peers = Peers { game: way.clone(), clock: way.clone(), rating: way.clone() };
    let (mut public, mut internal) = (Router::new(), Router::new());
    for service in Service::ALL {
        let routes = bind(service, shared, &open, &peers, limits).await?;
        public = public.merge(routes.public.into_axum_router().reset_fallback());
        internal = internal.merge(routes.internal.into_axum_router().reset_fallback());
    }
    loopback.bind(over(Routes::from(public.clone().merge(internal)).prepare()));
    Ok(InOne { public, way })
}

/// Puts one service together. `open` opens its database, if it has one.
///
/// # Errors
/// When its database cannot be reached or brought up to date.
pub async fn bind<F: Future<Output = anyhow::Result<Database>>>(
    service: Service,
    shared: &Shared,
    open: impl Fn(Service) -> F,
    peers: &Peers,
    limits: &Limits,
) -> anyhow::Result<ServiceRoutes> {
    let Shared { env, lifecycle, live, vault } = shared;
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
            let database = open(service).await?;
            game::bind(game::Deps { env, database, vault, live, lifecycle, clock, rating }).await
        }
        Service::Clock => Ok(clock::bind(clock::Deps { env, live, lifecycle, game: peers.game.clone() })),
        Service::Matchmaking => {
            let (game, rating, arrival) = (peers.game.clone(), peers.rating.clone(), limits.arrival_within);
            let database = open(service).await?;
            let deps = matchmaking::Deps { env, database, live, lifecycle, game, rating, arrival };
            matchmaking::bind(deps).await
        }
        Service::Rating => {
            let database = open(service).await?;
            rating::bind(rating::Deps { env, database, lifecycle }).await
        }
    };
    routes.with_context(|| format!("putting {} together", service.name()))
}

/// Opens the database of a service to serve from it; where it is, [`database_url`] says.
///
/// # Errors
/// When it cannot be reached, when another process serves from the same file, or when it is not the one that the data
/// folder knows.
pub async fn open(
    service: Service,
    data: &Path,
    named: Option<&str>,
    databases: DatabaseArgs,
) -> anyhow::Result<Database> {
    let url = database_url(service, data, named);
    let opening = || format!("opening the database of {}", service.name());
    let database = Database::open_to_serve(&url, databases.settings()).await.with_context(opening)?;
    instance::recognise(&database, service.name(), data, databases.new_database)
        .await
        .with_context(opening)?;
    Ok(database)
}

/// Opens the database of a service beside whoever serves from it, for the commands of operators.
///
/// # Errors
/// When it cannot be reached.
pub async fn open_beside(service: Service, data: &Path, named: Option<&str>) -> anyhow::Result<Database> {
    let url = database_url(service, data, named);
    Database::open(&url).await.with_context(|| format!("opening the database of {}", service.name()))
}

/// Makes the data folder, which nobody but its owner may enter.
///
/// # Errors
/// When it cannot be made.
pub fn make_data_folder(data: &Path) -> anyhow::Result<()> {
    let making = || format!("making {}", data.display());
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(data).with_context(making)?;
    let mode = std::fs::metadata(data).with_context(making)?.permissions().mode();
    if mode & 0o077 != 0 {
        tracing::warn!("others may enter {}: `chmod 700` keeps them out", data.display());
    }
    Ok(())
}

/// The database of a service: its own file in the data folder, or the one that was named for all.
pub fn database_url(service: Service, data: &Path, named: Option<&str>) -> String {
    match named {
        Some(url) => url.to_owned(),
        None => format!("sqlite://{}", data.join(format!("{}.db", service.name())).display()),
    }
}
