//! `shoutan up`: the whole platform in one process on one port.

use std::{io::Write as _, net::SocketAddr, sync::Arc};

use crate::{
    data::DataArgs,
    edge::{self, Ready, Signals},
    own_redis::OwnRedis,
    platform::{self, Monolith, Resources, Service},
    probe,
    process::ProcessArgs,
};
use anyhow::Context as _;
use chassis::{
    Env, Lifecycle,
    auth::{ClusterKey, Verifier},
    server::{self, Answers},
    telemetry,
};
use live::Live;
use tonic::service::Routes;

/// Runs the whole platform in one process on one port.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to listen; port 0 picks a free one.
    #[arg(long, default_value = "127.0.0.1:7400", env = "SHOUTAN_LISTEN")]
    listen: SocketAddr,
    #[command(flatten)]
    data: DataArgs,
    /// Where live state is kept: `memory`, `redis` (a Redis of its own), redis://… or rediss://… (over TLS),
    /// redis-cluster://host,host,… (a Redis Cluster), or redis-sentinel://host,host,…/name (the master that sentinels name).
    #[arg(long, default_value = "memory", env = "SHOUTAN_LIVE", hide_env_values = true)]
    live: String,
    #[command(flatten)]
    process: ProcessArgs,
}

/// Runs until Ctrl-C.
pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    args.process.log.start("shoutan")?;
    let (lifecycle, mut signals, mut redis) = (Lifecycle::new(), Signals::listen()?, None);
    let served = match signals.unless_told(Box::pin(start(&args, &lifecycle, &mut redis))).await {
        Some(Ok(ready)) => edge::serve(ready, &lifecycle, signals).await,
        Some(Err(error)) => Err(error),
        None => Ok(()),
    };
    // Also what was started before something failed ends in good order.
    lifecycle.drain(args.process.edge.stop_within).await;
    if let Some(redis) = redis {
        redis.stop().await?;
    }
    telemetry::finish().await;
    tracing::info!("stopped");
    served
}

/// Starts everything; a Redis that was started for it is left in `redis`, to be stopped last.
async fn start(args: &Args, lifecycle: &Lifecycle, redis: &mut Option<OwnRedis>) -> anyhow::Result<Ready> {
    args.data.make_folder()?;
    let env = &Env::system();
    let vault = args.process.keys.vault(&args.data.folder, env)?;
    let live = connect_live(args, lifecycle, redis).await?;
    let door = args.process.edge.door(lifecycle, None)?;
    args.process.edge.open_metrics(lifecycle)?;
    probe::live_state(lifecycle, &live, &Service::ALL);
    let shared = &Resources { env: env.clone(), lifecycle: lifecycle.clone(), live, vault };
    let open = |service| args.data.open_to_serve(service, args.process.databases);
    let Monolith { public, transport } = platform::bind_all(shared, open, &args.process.limits).await?;
    let names: Vec<_> = Service::ALL.into_iter().flat_map(Service::public).collect();
    let routes = server::with_standard_services(Routes::from(public), &names, lifecycle, env)?;
    let cluster = ClusterKey::random(env);
    let verifier = Arc::new(Verifier::new(transport, cluster, env.clone()));
    let (listener, address) =
        server::listen(args.listen, false).with_context(|| format!("listening on {}", args.listen))?;
    announce(address, args.process.edge.tls_cert.is_some())?;
    let (rates, tracing) = (args.process.limits.rates(), args.process.log.tracing(env));
    let answers = Answers { verifier, rates, tracing };
    Ok(Ready { listener, routes: routes.prepare(), answers, door })
}

/// Live state; if a Redis was started for it, it is left in `redis`.
async fn connect_live(
    args: &Args,
    lifecycle: &Lifecycle,
    redis: &mut Option<OwnRedis>,
) -> anyhow::Result<Arc<dyn Live>> {
    let metrics = Some(lifecycle.metrics());
    if args.live != "redis" {
        return args.process.redis.connect(&args.live, metrics).await;
    }
    let own = OwnRedis::start(&args.data.folder.join("redis"), lifecycle.health().clone()).await?;
    args.process.redis.connect(redis.insert(own).url(), metrics).await
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
