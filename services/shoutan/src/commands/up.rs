//! `shoutan up`: the whole platform in one process on one port.

use std::{io::Write as _, net::SocketAddr, path::PathBuf, sync::Arc};

use crate::{
    edge::{self, EdgeArgs, Ready, Signals},
    own_redis::OwnRedis,
    platform::{self, DatabaseArgs, InOne, Limits, LiveArgs, Service, Shared},
    probe,
    vault::KeyArgs,
};
use anyhow::Context as _;
use chassis::{
    Env, Health, Lifecycle,
    auth::{ClusterKey, Verifier},
    server::{self, Answers},
    telemetry::{self, LogForm},
};
use live::Live;
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
    #[arg(long, default_value = "memory", env = "SHOUTAN_LIVE", hide_env_values = true)]
    live: String,
    /// Logs as JSON.
    #[arg(long, env = "SHOUTAN_LOG_JSON")]
    log_json: bool,
    /// What is logged, in the language of `tracing`: `info,game=debug`.
    #[arg(long, default_value = "", env = "SHOUTAN_LOG", hide_env_values = true)]
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
    let (lifecycle, mut signals, mut redis) = (Lifecycle::new(), Signals::listen()?, None);
    let served = match signals.unless_told(Box::pin(start(&args, &lifecycle, &mut redis))).await {
        Some(Ok(ready)) => edge::serve(ready, &lifecycle, signals).await,
        Some(Err(error)) => Err(error),
        None => Ok(()),
    };
    // Also what was started before something failed ends in good order.
    lifecycle.drain(args.edge.stop_within).await;
    if let Some(redis) = redis {
        redis.stop().await?;
    }
    tracing::info!("stopped");
    served
}

/// Starts everything; a Redis that was started for it is left in `redis`, to be stopped last.
async fn start(args: &Args, lifecycle: &Lifecycle, redis: &mut Option<OwnRedis>) -> anyhow::Result<Ready> {
    platform::make_data_folder(&args.data)?;
    let env = &Env::system();
    let vault = args.keys.vault(&args.data, env)?;
    let live = connect_live(args, lifecycle.health(), redis).await?;
    let door = args.edge.door(lifecycle, None)?;
    probe::live_state(lifecycle, &live, &Service::ALL);
    let shared = &Shared { env: env.clone(), lifecycle: lifecycle.clone(), live, vault };
    let open = |service| platform::open(service, &args.data, args.database.as_deref(), args.databases);
    let InOne { public, way } = platform::bind_all(shared, open, &args.limits).await?;
    let names: Vec<_> = Service::ALL.into_iter().flat_map(Service::public).collect();
    let routes = server::with_standard_services(Routes::from(public), &names, lifecycle, env)?;
    let cluster = ClusterKey::random(env);
    let verifier = Arc::new(Verifier::new(way, cluster, env.clone()));
    let (listener, address) =
        server::listen(args.listen, false).with_context(|| format!("listening on {}", args.listen))?;
    announce(address, args.edge.tls_cert.is_some())?;
    let answers = Answers { verifier, rates: args.limits.rates() };
    Ok(Ready { listener, routes: routes.prepare(), answers, door })
}

/// Live state; if a Redis was started for it, it is left in `redis`.
async fn connect_live(
    args: &Args,
    health: &Health,
    redis: &mut Option<OwnRedis>,
) -> anyhow::Result<Arc<dyn Live>> {
    if args.live != "redis" {
        return args.redis.connect(&args.live).await;
    }
    let own = OwnRedis::start(&args.data.join("redis"), health.clone()).await?;
    args.redis.connect(redis.insert(own).url()).await
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
