//! `shoutan serve`: one service of a platform of several processes, or the gateway before them.

use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use crate::{
    data::DataArgs,
    edge::{self, Mutual, MutualArgs, Ready, Signals},
    gateway,
    platform::{self, Peers, Resources, Service},
    probe,
    process::ProcessArgs,
};
use anyhow::Context as _;
use api::transport::Transport;
use chassis::{
    Env, Lifecycle, Vault,
    affinity::by_game,
    auth::{
        ClusterKey, Keeping, Verifier, as_certified_service, as_service_over, connect_with, gateway_token,
    },
    server::{self, Answers},
    telemetry, tls,
    trace::carried,
};
use clap::Subcommand;
use secrecy::SecretString;
use tonic::service::Routes;

/// The port of the gateway when nobody says otherwise: the one of the whole platform in one process.
const GATEWAY_PORT: u16 = 7400;

/// Runs one service, for a platform of several processes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    target: ServeTarget,
    /// Where to listen; port 0 picks a free one. By default 127.0.0.1 and a port of the service's own.
    #[arg(long, global = true, env = "SHOUTAN_LISTEN")]
    listen: Option<SocketAddr>,
    /// Lets another process of the same service listen on the same address, so that a new one takes over before
    /// the old one stops. Not with SQLite, whose file belongs to one process. It is for replacing a process, not for
    /// spreading load: a connection stays with the process that took it, and a gateway, like most clients, makes all
    /// its calls over one.
    #[arg(long, global = true, env = "SHOUTAN_SHARE_PORT")]
    share_port: bool,
    #[command(flatten)]
    data: DataArgs,
    /// Where live state is kept: redis://… or rediss://… (over TLS), redis-cluster://host,host,… (a Redis Cluster), or
    /// redis-sentinel://host,host,…/name (the master that sentinels name). Memory cannot be shared between processes.
    #[arg(
        long,
        global = true,
        default_value = "redis://127.0.0.1:6379",
        env = "SHOUTAN_LIVE",
        hide_env_values = true
    )]
    live: String,
    /// The secret by which the services know each other, at least 32 characters.
    #[arg(long, global = true, env = "SHOUTAN_CLUSTER_SECRET", hide_env_values = true)]
    cluster_secret: Option<String>,
    /// Where the identity service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7401",
        env = "SHOUTAN_IDENTITY_URL",
        hide_env_values = true
    )]
    identity_url: String,
    /// Where the game service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7402",
        env = "SHOUTAN_GAME_URL",
        hide_env_values = true
    )]
    game_url: String,
    /// Where the clock service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7403",
        env = "SHOUTAN_CLOCK_URL",
        hide_env_values = true
    )]
    clock_url: String,
    /// Where the matchmaking service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7404",
        env = "SHOUTAN_MATCHMAKING_URL",
        hide_env_values = true
    )]
    matchmaking_url: String,
    /// Where the rating service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7405",
        env = "SHOUTAN_RATING_URL",
        hide_env_values = true
    )]
    rating_url: String,
    /// Where the federation service is.
    #[arg(
        long,
        global = true,
        default_value = "http://127.0.0.1:7406",
        env = "SHOUTAN_FEDERATION_URL",
        hide_env_values = true
    )]
    federation_url: String,
    #[command(flatten)]
    process: ProcessArgs,
    #[command(flatten)]
    mutual: MutualArgs,
}

/// What to run.
#[derive(Clone, Copy, Debug, Subcommand)]
enum ServeTarget {
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
    /// Federations: their clubs, members, teams and events.
    Federation,
    /// One address for clients, which passes calls on to the services.
    Gateway,
}

impl ServeTarget {
    const fn service(self) -> Option<Service> {
        match self {
            ServeTarget::Identity => Some(Service::Identity),
            ServeTarget::Game => Some(Service::Game),
            ServeTarget::Clock => Some(Service::Clock),
            ServeTarget::Matchmaking => Some(Service::Matchmaking),
            ServeTarget::Rating => Some(Service::Rating),
            ServeTarget::Federation => Some(Service::Federation),
            ServeTarget::Gateway => None,
        }
    }
}

impl Args {
    fn url_of(&self, service: Service) -> &str {
        match service {
            Service::Identity => &self.identity_url,
            Service::Game => &self.game_url,
            Service::Clock => &self.clock_url,
            Service::Matchmaking => &self.matchmaking_url,
            Service::Rating => &self.rating_url,
            Service::Federation => &self.federation_url,
        }
    }
}

/// Runs until Ctrl-C.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    args.process.log.start(args.target.service().map_or("gateway", Service::name))?;
    let env = Env::system();
    let (lifecycle, mut signals) = (Lifecycle::new(), Signals::listen()?);
    let served = match signals.unless_told(Box::pin(start(&args, &env, &lifecycle))).await {
        Some(Ok(ready)) => edge::serve(ready, &lifecycle, signals).await,
        Some(Err(error)) => Err(error),
        None => Ok(()),
    };
    // Also what was started before something failed ends in good order.
    lifecycle.drain(args.process.edge.stop_within).await;
    telemetry::finish().await;
    served
}

async fn start(args: &Args, env: &Env, lifecycle: &Lifecycle) -> anyhow::Result<Ready> {
    args.data.make_folder()?;
    let mutual = args.mutual.open(lifecycle)?;
    let door = args.process.edge.door(lifecycle, mutual.as_ref())?;
    args.process.edge.open_metrics(lifecycle)?;
    let tls = door.tls.is_some();
    let network = PeerNetwork { cluster: cluster(args, mutual.as_ref(), env)?, mutual };
    let (routes, names) = match args.target.service() {
        Some(service) => one_service(service, args, env, lifecycle, &network).await?,
        None => the_gateway(args, env, lifecycle, &network)?,
    };
    let routes = server::with_standard_services(routes, &names, lifecycle, env)?;
    let identity = network.connect(args, Service::Identity)?;
    let name = args.target.service().map_or("gateway", Service::name);
    let port = args.target.service().map_or(GATEWAY_PORT, |service| service.info().port);
    let listen = args.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let (listener, address) =
        server::listen(listen, args.share_port).with_context(|| format!("listening on {listen}"))?;
    // Asks for keys at once, and identity asks itself: before it listens it would be refused and wait.
    let verifier = verifier(identity, network.cluster, args, env, lifecycle);
    {
        let mut out = std::io::stdout().lock();
        let scheme = if tls { "https" } else { "http" };
        writeln!(out, "shoutan {name} is up at {scheme}://{address}")?;
        out.flush()?;
    }
    let (rates, tracing) = (args.process.limits.rates(), args.process.log.tracing(env));
    let answers = Answers { verifier, rates, tracing };
    Ok(Ready { listener, routes: routes.prepare(), answers, door })
}

/// What verifies tokens, with keys that outlive a restart.
fn verifier(
    identity: Transport,
    cluster: ClusterKey,
    args: &Args,
    env: &Env,
    lifecycle: &Lifecycle,
) -> Arc<Verifier> {
    let name = args.target.service().map_or("gateway", Service::name);
    let keeping = Keeping {
        file: Some(args.data.folder.join(format!("keys-of-tokens-{name}.json"))),
        health: Some((lifecycle.health().clone(), (name, "keys of tokens"))),
    };
    let verifier = Arc::new(Verifier::keeping(identity, cluster, env.clone(), keeping));
    let (kept, stop) = (Arc::clone(&verifier), lifecycle.stopping());
    lifecycle.supervise(("process", "keys of tokens"), move || Arc::clone(&kept).keep(stop.clone()));
    verifier
}

/// How the services know each other.
struct PeerNetwork {
    cluster: ClusterKey,
    mutual: Option<Mutual>,
}

impl PeerNetwork {
    /// A transport to one of them, on which nothing is said of who is calling.
    fn connect(&self, args: &Args, service: Service) -> anyhow::Result<Transport> {
        let url = args.url_of(service);
        let transport = match &self.mutual {
            Some(Mutual { certificate, authority }) => {
                connect_with(url, tls::client(certificate, authority))?
            }
            None => api::client::connect_peer(url)?,
        };
        // Of the games alone it matters which replica answers.
        let transport = if service == Service::Game { by_game(transport) } else { transport };
        Ok(carried(transport))
    }

    /// A transport to one of them, on which every request says that `caller` is calling.
    fn connect_as(
        &self,
        args: &Args,
        service: Service,
        caller: &'static str,
        env: &Env,
    ) -> anyhow::Result<Transport> {
        let transport = self.connect(args, service)?;
        Ok(match &self.mutual {
            Some(_) => as_certified_service(transport, caller),
            None => as_service_over(transport, self.cluster.clone(), caller, env.clone()),
        })
    }
}

/// The key of the shared secret; where services know each other by certificates nobody else has the key.
fn cluster(args: &Args, mutual: Option<&Mutual>, env: &Env) -> anyhow::Result<ClusterKey> {
    match (&args.cluster_secret, mutual) {
        (None, Some(_)) => Ok(ClusterKey::random(env)),
        (Some(secret), None) => Ok(ClusterKey::from_secret(&SecretString::from(secret.clone()))?),
        (None, None) => anyhow::bail!(
            "services of several processes share a secret: set SHOUTAN_CLUSTER_SECRET, or show each other \
             certificates: --services-ca, --services-cert, --services-key"
        ),
        (Some(_), Some(_)) => {
            anyhow::bail!("services know each other by a secret or by certificates, not by both")
        }
    }
}

async fn one_service(
    service: Service,
    args: &Args,
    env: &Env,
    lifecycle: &Lifecycle,
    network: &PeerNetwork,
) -> anyhow::Result<(Routes, Vec<(&'static str, &'static str)>)> {
    let live = args.process.redis.connect(&args.live, Some(lifecycle.metrics())).await?;
    anyhow::ensure!(
        live.shared(),
        "memory cannot be shared between processes: name a Redis with --live redis://…"
    );
    let transport = |peer: Service| network.connect_as(args, peer, service.name(), env);
    let peers = Peers {
        game: transport(Service::Game)?,
        clock: transport(Service::Clock)?,
        rating: transport(Service::Rating)?,
        identity: transport(Service::Identity)?,
        federation: transport(Service::Federation)?,
        matchmaking: transport(Service::Matchmaking)?,
    };
    probe::live_state(lifecycle, &live, &[service]);
    for needed in service.needs() {
        let transport = network.connect(args, needed)?;
        probe::service(lifecycle, (service.name(), needed.name()), transport, false);
    }
    // Who has no secrets to seal need not be trusted with the key.
    let has_secrets = service.info().has_secrets;
    let vault =
        if has_secrets { args.process.keys.vault(&args.data.folder, env)? } else { Vault::nobodys(env) };
    let shared = Resources { env: env.clone(), lifecycle: lifecycle.clone(), live, vault };
    let open = |service| args.data.open_to_serve(service, args.process.databases);
    let routes = platform::bind(service, &shared, open, &peers, &args.process.limits).await?;
    let public = routes.public.into_axum_router().reset_fallback();
    let served = public.merge(routes.internal.into_axum_router().reset_fallback());
    Ok((Routes::from(served), service.answered().collect()))
}

fn the_gateway(
    args: &Args,
    env: &Env,
    lifecycle: &Lifecycle,
    network: &PeerNetwork,
) -> anyhow::Result<(Routes, Vec<(&'static str, &'static str)>)> {
    let game = network.connect_as(args, Service::Game, "gateway", env)?;
    let stop = lifecycle.stopping();
    lifecycle.supervise(("gateway", "report"), move || gateway::report(game.clone(), stop.clone()));
    for service in Service::ALL {
        let transport = network.connect(args, service)?;
        probe::service(lifecycle, (service.name(), "behind the gateway"), transport, true);
    }
    let token = gateway_token(network.cluster.clone(), env.clone());
    let served = gateway::routes(|service| network.connect(args, service), token)?;
    let names = Service::ALL.into_iter().flat_map(Service::public).collect();
    Ok((Routes::from(served), names))
}
