//! `shoutan up`: the whole platform in one process on one port.

use std::{io::Write as _, net::SocketAddr, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chassis::{
    Ambient, Lifecycle,
    auth::{ClusterKey, Verifier},
    server,
    telemetry::{self, LogForm},
};
use live::{ChildRedis, Live};
use shoutan::platform::{self, DRAIN, InOne, Limits, LiveArgs, Service, Shared};
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
    /// The database of all services, postgres://…; a SQLite file for each in the data folder when absent.
    #[arg(long, env = "SHOUTAN_DATABASE")]
    database: Option<String>,
    /// Where live state is kept: `memory`, `redis` (a Redis of its own) or redis://….
    #[arg(long, default_value = "memory", env = "SHOUTAN_LIVE")]
    live: String,
    /// Logs as JSON.
    #[arg(long, env = "SHOUTAN_LOG_JSON")]
    log_json: bool,
    /// What is logged, in the language of `tracing`: `info,game=debug`.
    #[arg(long, default_value = "", env = "SHOUTAN_LOG")]
    log: String,
    #[command(flatten)]
    redis: LiveArgs,
    #[command(flatten)]
    limits: Limits,
}

/// Runs until Ctrl-C.
pub async fn run(args: Args) -> anyhow::Result<()> {
    let form = if args.log_json { LogForm::Json } else { LogForm::Text };
    telemetry::start(form, &args.log).map_err(anyhow::Error::from_boxed)?;
    std::fs::create_dir_all(&args.data).with_context(|| format!("making {}", args.data.display()))?;
    let (live, redis) = connect_live(&args).await?;
    let shared = Shared { ambient: Ambient::system(), lifecycle: Lifecycle::new(), live };

    let open = |service| platform::open(service, &args.data, args.database.as_deref());
    let InOne { public, way } = platform::bind_all(&shared, open, &args.limits).await?;
    let names = Service::ALL.map(Service::public).concat();
    let routes = server::with_standard_services(Routes::from(public), &names).await?;
    let cluster = ClusterKey::random(&shared.ambient);
    let verifier = Arc::new(Verifier::new(way, cluster, shared.ambient.clone()));
    let (listener, address) =
        server::listen(args.listen, false).with_context(|| format!("listening on {}", args.listen))?;
    announce(address)?;
    let soft = shared.lifecycle.soft();
    tokio::spawn(async move {
        platform::stop_signal().await;
        tracing::info!("stopping: no new work is taken, what is under way is finished");
        soft.cancel();
    });
    let stop = shared.lifecycle.soft().cancelled_owned();
    server::serve(listener, routes.prepare(), verifier, args.limits.rates(), stop).await?;
    shared.lifecycle.drain(DRAIN).await;
    if let Some(redis) = redis {
        redis.stop().await?;
    }
    tracing::info!("stopped");
    Ok(())
}

/// Live state, and the Redis that was started for it.
async fn connect_live(args: &Args) -> anyhow::Result<(Arc<dyn Live>, Option<ChildRedis>)> {
    if args.live == "redis" {
        let redis = ChildRedis::start(&args.data.join("redis")).await.context("starting a Redis")?;
        let live = args.redis.connect(&redis.url()).await?;
        return Ok((live, Some(redis)));
    }
    Ok((args.redis.connect(&args.live).await?, None))
}

/// Says where the platform is and what to try; on standard output, because scripts read the address.
fn announce(address: SocketAddr) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Shoutan is up at http://{address}")?;
    let command = std::env::args().next().unwrap_or_else(|| "shoutan".to_owned());
    writeln!(out, "Try:  {command} play --server http://{address}")?;
    out.flush()?;
    Ok(())
}
