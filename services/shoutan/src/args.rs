//! Arguments that several commands have.

use std::{num::NonZeroU32, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context as _;
use chassis::{
    Env, Metrics, database,
    server::{self, RateLimits},
    telemetry::{self, Collector, LogForm},
    trace::Tracing,
};
use clap::Args;
use live::Live;

use crate::{edge::span, live_state};

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
    /// Connects to live state in `place`: `memory` or the URL of a Redis. Commands to a Redis are counted into these
    /// metrics.
    ///
    /// # Errors
    /// When it is not to be reached.
    pub async fn connect(&self, place: &str, metrics: Option<&Metrics>) -> anyhow::Result<Arc<dyn Live>> {
        let mut config = live::Config::new(place)?.with_prefix(&self.live_prefix)?;
        if let Some(path) = &self.live_ca {
            let certificates = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            config = config.with_authority(certificates)?;
        }
        if let Some(metrics) = metrics {
            config = config.with_observer(live_state::observer(metrics));
        }
        live::connect(&config).await.context("reaching the live state")
    }
}

/// How often one caller may call, and may try to sign in.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
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

/// A share of all: 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write it as a number from 0 to 1".to_owned())
}

/// How long players are waited for: as long as games can be made to.
fn arrival(text: &str) -> Result<Duration, String> {
    let most = game::core::LATENESS_MAX;
    span(text).and_then(|span| if span > most { Err("at most 24h".to_owned()) } else { Ok(span) })
}

impl LimitArgs {
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
    pub(crate) const fn settings(self) -> database::Settings {
        let PoolArgs { database_readers: readers, database_writers: writers } = self;
        database::Settings { readers, writers }
    }
}

/// What is logged, and how; and where the time of calls went.
#[derive(Clone, Debug, Args)]
pub struct LogArgs {
    /// Logs as JSON.
    #[arg(long, global = true, env = "SHOUTAN_LOG_JSON")]
    log_json: bool,
    /// What is logged, in the language of `tracing`: `info,game=debug`.
    #[arg(long, global = true, default_value = "", env = "SHOUTAN_LOG", hide_env_values = true)]
    log: String,
    /// How long a call may take before the log says where the time went, such as `1s`.
    #[arg(long, global = true, default_value = "1s", value_parser = span, env = "SHOUTAN_SLOW_CALLS")]
    slow_calls: Duration,
    /// Who collects traces, by OTLP over gRPC, such as `http://127.0.0.1:4317`; nobody when absent. Needs a build with the
    /// feature `otlp`.
    #[arg(long, global = true, value_name = "URL", env = "SHOUTAN_OTLP", hide_env_values = true)]
    otlp: Option<String>,
    /// How many of all traces are collected: 1 is all of them, 0.01 one of a hundred.
    #[arg(long, global = true, value_name = "SHARE", default_value = "0.01", value_parser = share, env = "SHOUTAN_TRACES")]
    traces: f64,
}

impl LogArgs {
    /// Begins to log, and to tell of traces as a process of this name.
    ///
    /// # Errors
    /// When what is to be logged cannot be read, or nobody can be told of traces.
    pub fn start(&self, process: &str) -> anyhow::Result<()> {
        let form = if self.log_json { LogForm::Json } else { LogForm::Text };
        let Some(url) = self.otlp.clone() else {
            return telemetry::start(form, &self.log).map_err(anyhow::Error::from_boxed);
        };
        let collector = Collector { url, service: process.to_owned(), sampled: self.traces };
        telemetry::start_collected(form, &self.log, &collector).map_err(anyhow::Error::from_boxed)
    }

    /// Which calls are collected, and which are slow.
    pub fn tracing(&self, env: &Env) -> Tracing {
        let sampled = if self.otlp.is_some() { self.traces } else { 0.0 };
        Tracing { env: env.clone(), sampled, slow: self.slow_calls }
    }
}
