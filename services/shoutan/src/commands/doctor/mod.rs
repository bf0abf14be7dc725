//! `shoutan doctor`: whether a platform has what it needs, and whether what it has stored is right.

mod audit;
mod checks;
mod events;
mod finding;
mod ratings;

use std::process::ExitCode;

use crate::{
    args::{LiveArgs, PoolArgs},
    data::DataArgs,
    edge::{EdgeArgs, MutualArgs},
    vault::KeyArgs,
};

pub(super) use self::audit::progress;
use super::{server::ServerArg, terminal::say};
use finding::{Finding, Verdict};

/// Looks at what a platform needs: its configuration with the files of keys and certificates, its databases and their
/// schemas, live state, disk, time, limits, and a running platform if there is one. Says what to do. Exits with 1 if something is wrong. Changes nothing; the
/// platform may run meanwhile.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    data: DataArgs,
    /// Where live state is kept: `memory`, `redis` (a Redis of the platform's own), redis://…,
    /// redis-cluster://host,host,… (a Redis Cluster), or redis-sentinel://host,host,…/name (the master that sentinels name).
    #[arg(long, default_value = "memory", env = "SHOUTAN_LIVE", hide_env_values = true)]
    live: String,
    /// The secret by which the services know each other, if there are several processes.
    #[arg(long, env = "SHOUTAN_CLUSTER_SECRET", hide_env_values = true)]
    cluster_secret: Option<String>,
    /// Replays every game instead, computes clocks and results anew, holds the ratings to the results, works every event
    /// out again from its log, and says where what is stored differs.
    #[arg(long)]
    audit: bool,
    #[command(flatten)]
    pools: PoolArgs,
    #[command(flatten)]
    redis: LiveArgs,
    #[command(flatten)]
    keys: KeyArgs,
    #[command(flatten)]
    edge: EdgeArgs,
    #[command(flatten)]
    mutual: MutualArgs,
    #[command(flatten)]
    server: ServerArg,
}

/// Carries the command out.
pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.audit {
        return audit::run(&args).await;
    }
    let mut worst = Verdict::Good;
    for finding in checks::all(&args).await {
        worst = worst.max(finding.verdict);
        say(&finding)?;
    }
    say(match worst {
        Verdict::Good | Verdict::Note => "Everything that could be looked at is well.",
        Verdict::Warning => "It runs, but look after what is marked.",
        Verdict::Bad => "Something is wrong: see what is marked BAD.",
    })?;
    Ok(if worst == Verdict::Bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
