//! A platform of one process or of six, on the embedded stores or on real servers.

use std::path::PathBuf;

use anyhow::Context as _;
use api::transport::Transport;
use chassis::{Env, testing::PostgresDatabase};
use tempfile::TempDir;

use crate::{ports::free_ports, process::Process};

/// The services of a platform of several processes, and the port option of each.
const SERVICES: [&str; 6] = ["identity", "game", "clock", "matchmaking", "rating", "federation"];
/// One address makes all the accounts of a test, so the limits that guard against that are lifted.
pub const LIFTED_LIMITS: [&str; 10] = [
    "--calls-per-account",
    "1000000",
    "--calls-per-address",
    "1000000",
    "--open-per-account",
    "1000000",
    "--open-per-address",
    "1000000",
    "--accounts-per-address",
    "1000000",
];

/// How many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All services in one.
    One,
    /// One a service, and a gateway.
    Six,
}

/// Where everything is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// SQLite, and memory as far as it may be used: several processes need a Redis anyway.
    Embedded,
    /// PostgreSQL and Redis.
    Servers,
}

/// What a platform stands on, where a test cares.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Its data folder; a temporary one when absent.
    pub data: Option<PathBuf>,
    /// The database of all services; by kind of store when absent.
    pub database: Option<String>,
    /// Where live state is kept; by kind of store when absent.
    pub live: Option<String>,
    /// What else stands in the environment of its processes.
    pub environment: Vec<(String, String)>,
    /// Settings beside or instead of the usual ones.
    pub settings: Vec<String>,
    /// Whether the platform keeps its own limits on what one address may do.
    pub limited: bool,
    /// The program that its processes run at first, where it is another than the command under test.
    pub program: Option<PathBuf>,
}

/// A running platform. Its processes end and its files vanish with it.
#[derive(Debug)]
pub struct Platform {
    /// Where clients reach it.
    pub url: String,
    processes: Vec<Process>,
    folder: TempDir,
    data: PathBuf,
    live: String,
    prefix: String,
    database: Option<String>,
    _own_database: Option<PostgresDatabase>,
}

/// Every combination that can run here. PostgreSQL and Redis must be there in CI; elsewhere a line says
/// what is left out.
#[expect(clippy::print_stderr, reason = "what is not tested must be seen")]
pub fn shapes() -> Vec<(Shape, Store)> {
    let there = |name: &str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let (postgres, redis) = (there("SHOUTAN_TEST_POSTGRES"), there("SHOUTAN_TEST_REDIS"));
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!in_ci || (postgres && redis), "in CI the tests must run on PostgreSQL and Redis");
    let mut shapes = vec![(Shape::One, Store::Embedded)];
    if redis {
        shapes.push((Shape::Six, Store::Embedded));
    }
    if redis && postgres {
        shapes.push((Shape::One, Store::Servers));
        shapes.push((Shape::Six, Store::Servers));
    } else {
        eprintln!("NOTE: SHOUTAN_TEST_POSTGRES or SHOUTAN_TEST_REDIS is not set: not tested on real servers");
    }
    shapes
}

/// Of those that can run here the two that have neither processes nor store in common: one process with everything in it, and six with
/// servers. Enough for what does not depend on how one goes with the other.
pub fn opposite_shapes() -> Vec<(Shape, Store)> {
    let opposite = [(Shape::One, Store::Embedded), (Shape::Six, Store::Servers)];
    shapes().into_iter().filter(|kind| opposite.contains(kind)).collect()
}

impl Platform {
    /// Starts a platform and waits until all of it is up.
    ///
    /// # Errors
    /// When something does not start; the log is in the message.
    pub async fn start(shape: Shape, store: Store) -> anyhow::Result<Self> {
        Platform::start_on(shape, store, Ground::default()).await
    }

    /// Starts a platform with settings beside or instead of the usual ones, and waits until all of it is up.
    ///
    /// # Errors
    /// When something does not start; the log is in the message.
    pub async fn start_with(shape: Shape, store: Store, settings: &[&str]) -> anyhow::Result<Self> {
        let settings = settings.iter().map(|word| (*word).to_owned()).collect();
        Platform::start_on(shape, store, Ground { settings, ..Ground::default() }).await
    }

    /// Starts a platform on this ground and waits until all of it is up.
    ///
    /// # Errors
    /// When something does not start; the log is in the message.
    pub async fn start_on(shape: Shape, store: Store, ground: Ground) -> anyhow::Result<Self> {
        let (settings, limited, program) = (ground.settings, ground.limited, ground.program);
        let folder = tempfile::tempdir()?;
        let data = ground.data.unwrap_or_else(|| folder.path().to_owned());
        let name = format!("test_{}", Env::system().uuid().simple());
        let live = ground.live.map_or_else(|| live_url(shape, store), Ok)?;
        let own_database = match (&ground.database, store) {
            (None, Store::Servers) => Some(new_database().await?),
            (Some(_), _) | (None, Store::Embedded) => None,
        };
        let database = ground.database.or_else(|| Some(own_database.as_ref()?.url().to_owned()));
        let ports = free_ports(SERVICES.len() + 1)?;
        let url = format!("http://127.0.0.1:{}", ports[SERVICES.len()]);
        let common = |port: u16| {
            let mut arguments = vec![
                format!("--listen=127.0.0.1:{port}"),
                format!("--data={}", data.display()),
                format!("--live-prefix={name}"),
            ];
            if !settings.iter().any(|setting| setting.starts_with("--log=")) {
                arguments.push("--log=info".to_owned());
            }
            arguments.extend(database.iter().map(|url| format!("--database={url}")));
            if !settings.iter().any(|setting| setting.starts_with("--live=")) {
                arguments.push(format!("--live={live}"));
            }
            let named = |limit: &str| settings.iter().any(|setting| setting.starts_with(limit));
            let limits = LIFTED_LIMITS.chunks(2).filter(|limit| !limited && !named(limit[0])).flatten();
            arguments.extend(limits.map(|word| (*word).to_owned()));
            arguments.extend(settings.iter().cloned());
            arguments
        };
        let log = |name: &str| folder.path().join(format!("{name}.log"));
        let mut processes = Vec::new();
        match shape {
            Shape::One => {
                let mut arguments = vec!["up".to_owned()];
                arguments.extend(common(ports[SERVICES.len()]));
                let process = Process::new("platform", arguments, ground.environment, log("platform"));
                processes.push(process.running(program));
            }
            Shape::Six => {
                let certified = settings.iter().any(|setting| setting.starts_with("--services-ca"));
                let secret = ("SHOUTAN_CLUSTER_SECRET".to_owned(), format!("secret of the tests {name}"));
                let mut environment = ground.environment;
                environment.extend((!certified).then_some(secret));
                let scheme = if certified { "https" } else { "http" };
                for (service, port) in SERVICES.iter().zip(&ports) {
                    let variable = format!("SHOUTAN_{}_URL", service.to_uppercase());
                    environment.push((variable, format!("{scheme}://127.0.0.1:{port}")));
                }
                for (name, port) in SERVICES.into_iter().chain(["gateway"]).zip(&ports) {
                    let mut arguments = vec!["serve".to_owned(), name.to_owned()];
                    arguments.extend(common(*port));
                    arguments.push("--share-port".to_owned());
                    let process = Process::new(name, arguments, environment.clone(), log(name));
                    processes.push(process.running(program.clone()));
                }
            }
        }
        let mut platform = Platform {
            url,
            processes,
            folder,
            data,
            live,
            prefix: name,
            database,
            _own_database: own_database,
        };
        for process in &mut platform.processes {
            process.start().await?;
        }
        Ok(platform)
    }

    /// Starts one more process of a service, which shares its port with the others.
    ///
    /// # Errors
    /// When there is none of the service, or it does not start.
    pub async fn add(&mut self, name: &str) -> anyhow::Result<()> {
        let mut another = self.process(name)?.another();
        another.start().await?;
        self.processes.push(another);
        Ok(())
    }

    /// Stops the process of a service that was started first, and forgets it; whether it ended well.
    ///
    /// # Errors
    /// When there is none of the service, or it cannot be asked.
    pub async fn retire(&mut self, name: &str) -> anyhow::Result<bool> {
        let first = self.processes.iter().position(|process| process.name() == name);
        let first = first.with_context(|| format!("the platform has no process {name}"))?;
        // In its place is the next, so that services stay in the order in which they are stopped.
        let mut old = self.processes.remove(first);
        if let Some(next) = self.processes.iter().position(|process| process.name() == name) {
            let next = self.processes.remove(next);
            self.processes.insert(first, next);
        }
        old.stop().await
    }

    /// Starts one more process of a service at an address of its own, which is answered.
    ///
    /// # Errors
    /// When there is none of the service, or it does not start.
    pub async fn add_apart(&mut self, name: &str) -> anyhow::Result<String> {
        let address = format!("127.0.0.1:{}", free_ports(1)?[0]);
        let mut another = self.process(name)?.another_at(&address);
        another.start().await?;
        self.processes.push(another);
        Ok(address)
    }

    /// The ids of all processes of a service that run.
    pub fn process_ids_of(&self, name: &str) -> Vec<u32> {
        self.processes.iter().filter(|process| process.name() == name).filter_map(Process::id).collect()
    }

    /// A transport to it, without a token.
    ///
    /// # Panics
    /// Never: the address is well formed.
    pub fn transport(&self) -> Transport {
        api::client::connect(&self.url).expect("the address of the platform is well formed")
    }

    /// The names of its processes.
    pub fn names(&self) -> Vec<&'static str> {
        self.processes.iter().map(Process::name).collect()
    }

    /// Kills a process with SIGKILL.
    ///
    /// # Errors
    /// When there is none of this name.
    pub async fn kill(&mut self, name: &str) -> anyhow::Result<()> {
        self.process(name)?.kill().await
    }

    /// Kills that process of a service with SIGKILL that was started so many-th, counted from zero.
    ///
    /// # Errors
    /// When there is none.
    pub async fn kill_nth(&mut self, name: &str, which: usize) -> anyhow::Result<()> {
        let mut those = self.processes.iter_mut().filter(|process| process.name() == name);
        those.nth(which).with_context(|| format!("there is no {name} {which}"))?.kill().await
    }

    /// Kills all processes of a service with SIGKILL in the same moment.
    ///
    /// # Errors
    /// When one cannot be killed.
    pub async fn kill_every(&mut self, name: &str) -> anyhow::Result<()> {
        let those = self.processes.iter_mut().filter(|process| process.name() == name);
        futures::future::try_join_all(those.map(Process::kill)).await.map(drop)
    }

    /// Starts all killed processes again.
    ///
    /// # Errors
    /// When one does not come up.
    pub async fn restart_killed(&mut self) -> anyhow::Result<()> {
        let killed = self.processes.iter_mut().filter(|process| process.id().is_none());
        futures::future::try_join_all(killed.map(Process::start)).await.map(drop)
    }

    /// Starts a killed process again.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn restart(&mut self, name: &str) -> anyhow::Result<()> {
        self.process(name)?.start().await
    }

    /// Starts a new process beside a running one and lets it take over; answers whether the old one ended well.
    ///
    /// # Errors
    /// When the new one does not come up.
    pub async fn replace(&mut self, name: &str) -> anyhow::Result<bool> {
        self.process(name)?.replace().await
    }

    /// Asks every process to stop, and answers which did not end well.
    ///
    /// # Errors
    /// When one cannot be asked.
    pub async fn stop(&mut self) -> anyhow::Result<Vec<&'static str>> {
        let mut bad = Vec::new();
        for process in self.processes.iter_mut().rev() {
            if !process.stop().await? {
                bad.push(process.name());
            }
        }
        Ok(bad)
    }

    /// Sends a process a signal: `TERM`, `INT`, `STOP`, `CONT`.
    ///
    /// # Errors
    /// When there is none of this name.
    pub async fn signal(&mut self, name: &str, signal: &str) -> anyhow::Result<()> {
        self.process(name)?.signal(signal).await
    }

    /// Waits for a process to end, and answers whether it ended well.
    ///
    /// # Errors
    /// When there is none of this name.
    pub async fn ended(&mut self, name: &str) -> anyhow::Result<bool> {
        self.process(name)?.ended().await
    }

    /// The network address of the process that clients reach.
    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// The network address of one of its processes.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn address_of(&self, name: &str) -> anyhow::Result<&str> {
        let process = self.processes.iter().find(|process| process.name() == name);
        process.and_then(Process::address).with_context(|| format!("the platform has no process {name}"))
    }

    /// Where the metrics of its processes are (host, port and path), of those that tell them.
    pub fn metrics(&self) -> Vec<(&'static str, &str)> {
        self.processes.iter().filter_map(|process| Some((process.name(), process.metrics()?))).collect()
    }

    /// The ids of its processes.
    pub fn process_ids(&self) -> Vec<u32> {
        self.processes.iter().filter_map(Process::id).collect()
    }

    /// The logs of all processes, for the message of a failed test.
    pub fn logs(&self) -> String {
        let mut logs = String::new();
        for process in &self.processes {
            let path = self.folder.path().join(format!("{}.log", process.name()));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            logs.extend(["--- ", process.name(), "\n", &text, "\n"]);
        }
        logs
    }

    /// Where everything is kept, as options of the command.
    pub fn place(&self) -> Vec<String> {
        let live = [format!("--live={}", self.live), format!("--live-prefix={}", self.prefix)];
        [self.kept(), live.into()].concat()
    }

    /// The same of what lasts.
    pub fn kept(&self) -> Vec<String> {
        let data = format!("--data={}", self.data.display());
        let database = self.database.iter().map(|url| format!("--database={url}"));
        [data].into_iter().chain(database).collect()
    }

    /// The database of the game service.
    pub fn game_database(&self) -> String {
        self.database_of("game")
    }

    /// The database of a service.
    pub fn database_of(&self, service: &str) -> String {
        let own = || format!("sqlite://{}", self.data.join(format!("{service}.db")).display());
        self.database.clone().unwrap_or_else(own)
    }

    /// The data folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.data
    }

    fn process(&mut self, name: &str) -> anyhow::Result<&mut Process> {
        self.processes
            .iter_mut()
            .find(|process| process.name() == name)
            .with_context(|| format!("the platform has no process {name}"))
    }
}

fn live_url(shape: Shape, store: Store) -> anyhow::Result<String> {
    if (shape, store) == (Shape::One, Store::Embedded) {
        return Ok("memory".to_owned());
    }
    let redis = std::env::var("SHOUTAN_TEST_REDIS").context("SHOUTAN_TEST_REDIS is not set")?;
    Ok(redis)
}

pub(crate) async fn new_database() -> anyhow::Result<PostgresDatabase> {
    let server = std::env::var("SHOUTAN_TEST_POSTGRES").context("SHOUTAN_TEST_POSTGRES is not set")?;
    Ok(PostgresDatabase::create(&server).await?)
}
