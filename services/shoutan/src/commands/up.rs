//! `shoutan up`: the whole platform in one process on one port.

use std::{io::Write as _, net::SocketAddr, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chassis::{
    Ambient, Health, Lifecycle,
    auth::{ClusterKey, Verifier},
    server::{self, Answers},
    telemetry::{self, LogForm},
};
use live::Live;
use shoutan::{
    edge::{self, EdgeArgs, Signals},
    own_redis::OwnRedis,
    platform::{self, DatabaseArgs, InOne, Limits, LiveArgs, Service, Shared},
    probe,
    vault::KeyArgs,
};
use tonic::service::Routes;

/// Runs the whole platform in one process on one port.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to listen; port 0 picks a free one.
    #[arg(long, default_value = "127.0.0.1:7400", env = "SHOUTAN_LISTEN")]
    listen: SocketAddr,
    /// The folder for databases and everything else that is kept.
    #[arg(long, default_value = ".shoutan", env = "SHOUTAN_DATA")]
    data: PathBuf,
    /// The database of all services, postgres://… (over TLS: …?sslmode=verify-full&sslrootcert=FILE); a SQLite file
    /// for each in the data folder when absent.
    #[arg(long, env = "SHOUTAN_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Where live state is kept: `memory`, `redis` (a Redis of its own), redis://… or rediss://… (over TLS).
    #[arg(long, default_value = "memory", env = "SHOUTAN_LIVE")]
    live: String,
    /// Logs as JSON.
    #[arg(long, env = "SHOUTAN_LOG_JSON")]
    log_json: bool,
    /// What is logged, in the language of `tracing`: `info,game=debug`.
    #[arg(long, default_value = "", env = "SHOUTAN_LOG")]
    log: String,
    #[command(flatten)]
    databases: DatabaseArgs,
    #[command(flatten)]
    redis: LiveArgs,
    #[command(flatten)]
    keys: KeyArgs,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    edge: EdgeArgs,
}

/// Runs until Ctrl-C.
pub async fn run(args: Args) -> anyhow::Result<()> {
    let form = if args.log_json { LogForm::Json } else { LogForm::Text };
    telemetry::start(form, &args.log).map_err(anyhow::Error::from_boxed)?;
    platform::make_data_folder(&args.data)?;
    let (ambient, lifecycle) = (Ambient::system(), Lifecycle::new());
    let vault = args.keys.vault(&args.data, &ambient)?;
    let (live, redis) = connect_live(&args, lifecycle.health()).await?;
    let shared = Shared { ambient, lifecycle, live, vault };
    let served = serve(&args, &shared).await;
    // Also what was started before something failed ends in good order.
    shared.lifecycle.drain(server::STOP_WITHIN).await;
    if let Some(redis) = redis {
        redis.stop().await?;
    }
    tracing::info!("stopped");
    served
}

async fn serve(args: &Args, shared: &Shared) -> anyhow::Result<()> {
    let Shared { ambient, lifecycle, live, .. } = shared;
    let (signals, door) = (Signals::listen()?, args.edge.door(lifecycle, None)?);
    probe::live_state(lifecycle, live, &Service::ALL);
    let open = |service| platform::open(service, &args.data, args.database.as_deref(), args.databases);
    let InOne { public, way } = platform::bind_all(shared, open, &args.limits).await?;
    let names: Vec<_> = Service::ALL
        .into_iter()
        .flat_map(|service| service.public().iter().map(move |name| (*name, service.name())))
        .collect();
    let routes = server::with_standard_services(Routes::from(public), &names, lifecycle, ambient)?;
    let cluster = ClusterKey::random(ambient);
    let verifier = Arc::new(Verifier::new(way, cluster, ambient.clone()));
    let (listener, address) =
        server::listen(args.listen, false).with_context(|| format!("listening on {}", args.listen))?;
    announce(address, args.edge.tls_cert.is_some())?;
    let answers = Answers { verifier, rates: args.limits.rates() };
    edge::serve(listener, routes.prepare(), answers, door, (lifecycle, signals)).await
}

/// Live state, and the Redis that was started for it.
async fn connect_live(args: &Args, health: &Health) -> anyhow::Result<(Arc<dyn Live>, Option<OwnRedis>)> {
    if args.live == "redis" {
        let redis = OwnRedis::start(&args.data.join("redis"), health.clone()).await?;
        let live = args.redis.connect(redis.url()).await?;
        return Ok((live, Some(redis)));
    }
    Ok((args.redis.connect(&args.live).await?, None))
}

/// Says where the platform is and what to try; on standard output, because scripts read the address.
fn announce(address: SocketAddr, tls: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let scheme = if tls { "https" } else { "http" };
    writeln!(out, "Shoutan is up at {scheme}://{address}")?;
    let command = std::env::args().next().unwrap_or_else(|| "shoutan".to_owned());
    writeln!(out, "Try:  {command} play --server {scheme}://{address}")?;
    out.flush()?;
    Ok(())
}
