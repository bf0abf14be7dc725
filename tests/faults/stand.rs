//! The platforms that faults are made on.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::Context as _;
use api::transport::Transport;
use tests::LIFTED_LIMITS;

use crate::{
    child::{Recipe, Service, run},
    net, proxy,
    spots::Spot,
};

/// Connections over which the players come.
const CONNECTIONS: usize = 8;
/// The disk of a platform in one process, and of the PostgreSQL: small, so that it can be filled.
const DISK: [(&str, &str); 2] = [("data", "64m"), ("postgres", "320m")];
/// Where the platform in one process listens.
const ONE: &str = "127.0.0.1:7400";
/// The one process.
pub(crate) const PLATFORM: &str = "platform";

/// How many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All services in one, on SQLite and memory.
    One,
    /// One a service, two of game and of clock, behind a gateway, on PostgreSQL and Redis.
    Many,
}

impl Shape {
    pub(crate) const ALL: [Shape; 2] = [Shape::One, Shape::Many];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Shape::One => "one",
            Shape::Many => "many",
        }
    }
}

/// A running platform.
#[derive(Debug)]
pub(crate) struct Stand {
    pub shape: Shape,
    folder: PathBuf,
    logs: PathBuf,
    services: BTreeMap<String, Service>,
    ways: Vec<Transport>,
    readers: Vec<Transport>,
    /// Who holds the right to write of the file of games.
    holder: Option<rusqlite::Connection>,
}

impl Stand {
    /// Starts it on empty disks.
    pub(crate) async fn start(shape: Shape) -> anyhow::Result<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let path = |variable: &str| {
            std::env::var_os(variable).map(PathBuf::from).context("tests/soak/faults starts this")
        };
        let (folder, logs) = (path("FAULTS_FOLDER")?, path("FAULTS_LOGS")?);
        let logs = logs.join(NUMBER.fetch_add(1, Ordering::SeqCst).to_string());
        std::fs::create_dir_all(&logs)?;
        for (name, size) in DISK {
            let disk = folder.join(name);
            let disk = disk.to_str().context("a plain path")?;
            std::fs::create_dir_all(disk)?;
            // Not there the first time.
            let _was_not_there = run(&["umount", "-l", disk]).await;
            run(&["mount", "-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs", disk]).await?;
        }
        let (ways, readers) = ways(shape)?;
        let mut stand = Stand { shape, folder, logs, services: BTreeMap::new(), ways, readers, holder: None };
        match shape {
            Shape::One => stand.start_one().await?,
            Shape::Many => stand.start_many().await?,
        }
        Ok(stand)
    }

    /// A way for a player, as players come.
    pub(crate) fn transport(&self, index: usize) -> Transport {
        self.ways[index % self.ways.len()].clone()
    }

    /// A way for a reader: some come to the second replica of game itself.
    pub(crate) fn reader(&self, index: usize) -> Transport {
        self.readers[index % self.readers.len()].clone()
    }

    /// A process of it.
    pub(crate) fn service(&mut self, name: &str) -> anyhow::Result<&mut Service> {
        self.services.get_mut(name).with_context(|| format!("there is no process {name}"))
    }

    /// The proxy before a server.
    pub(crate) fn proxy(&mut self, spot: Spot) -> anyhow::Result<&mut Service> {
        self.service(&format!("{}-proxy", spot.name()))
    }

    /// Keeps a connection to a file open, or closes the one that was kept.
    pub(crate) fn hold(&mut self, holder: Option<rusqlite::Connection>) {
        self.holder = holder;
    }

    /// Where a disk is.
    pub(crate) fn disk(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Kills what has games in memory, so that what is read afterwards is what is kept.
    pub(crate) async fn crash_games(&mut self) -> anyhow::Result<()> {
        let names: &[&str] = match self.shape {
            Shape::One => &[PLATFORM],
            Shape::Many => &[Spot::Game0.name(), Spot::Game1.name()],
        };
        for name in names {
            self.service(name)?.kill().await?;
        }
        for name in names {
            self.service(name)?.spawn().await?;
        }
        Ok(())
    }

    /// Says where the logs are.
    pub(crate) fn keep_logs(&self) -> anyhow::Result<String> {
        Ok(self.logs.to_str().context("a plain path")?.to_owned())
    }

    async fn start_one(&mut self) -> anyhow::Result<()> {
        // Nothing but the loopback is needed.
        run(&["ip", "link", "set", "lo", "up"]).await?;
        let data = format!("--data={}", self.disk("data").display());
        let mut command = vec![binary()?, "up".to_owned(), format!("--listen={ONE}"), data];
        command.extend(LIFTED_LIMITS.map(str::to_owned));
        self.add(Recipe { name: PLATFORM.to_owned(), command, environment: Vec::new(), sign: " is up at " })
            .await
    }

    async fn start_many(&mut self) -> anyhow::Result<()> {
        if Path::new("/run/netns").join(Spot::Gateway.name()).exists() {
            net::unmake().await?;
        }
        net::make().await?;
        self.name_hosts().await?;
        self.start_postgres().await?;
        self.start_redis().await?;
        for spot in Spot::SERVICES {
            self.start_service(spot).await?;
        }
        Ok(())
    }

    /// Both replicas of a service have its name, as in any cluster.
    async fn name_hosts(&self) -> anyhow::Result<()> {
        let line = |spot: Spot| format!("{} {} {}\n", spot.address(), spot.service(), spot.name());
        let hosts: String =
            std::iter::once("127.0.0.1 localhost\n".to_owned()).chain(Spot::ALL.map(line)).collect();
        let file = self.folder.join("hosts");
        std::fs::write(&file, hosts)?;
        let file = file.to_str().context("a plain path")?;
        run(&["mount", "--bind", file, "/etc/hosts"]).await?;
        Ok(())
    }

    async fn start_postgres(&mut self) -> anyhow::Result<()> {
        let folder = self.disk("postgres");
        let text = folder.to_str().context("a plain path")?.to_owned();
        let bin = std::env::var("FAULTS_POSTGRES_BIN").context("FAULTS_POSTGRES_BIN is not set")?;
        run(&["chown", "postgres:postgres", &text]).await?;
        let data = format!("{text}/data");
        let initdb = format!("{bin}/initdb");
        let options = ["-D", &data, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C", "-EUTF8"];
        run(&[AS_POSTGRES.as_slice(), &[&initdb], &options].concat()).await?;
        let server = format!("{bin}/postgres");
        // The machine does not crash here, so nothing has to reach a disk; the rest is as it comes.
        let options = "-c listen_addresses=127.0.0.1 -c port=5432 -c fsync=off -c min_wal_size=32MB \
                       -c max_wal_size=64MB";
        let mut command = in_net(Spot::Postgres);
        command.extend(
            AS_POSTGRES.iter().chain(&[server.as_str(), "-D", &data, "-k", &text]).map(|s| (*s).to_owned()),
        );
        command.extend(options.split_whitespace().map(str::to_owned));
        let sign = "database system is ready to accept connections";
        self.add(Recipe { name: Spot::Postgres.name().to_owned(), command, environment: Vec::new(), sign })
            .await?;
        self.start_proxy(Spot::Postgres, 5432).await?;
        self.sql("CREATE DATABASE shoutan").await
    }

    async fn start_redis(&mut self) -> anyhow::Result<()> {
        let mut command = in_net(Spot::Redis);
        let options = format!("redis-server --port 6379 --bind 127.0.0.1 --dir {}", self.folder.display());
        command.extend(options.split_whitespace().map(str::to_owned));
        command.extend(["--save".to_owned(), String::new()]);
        let sign = "eady to accept connections";
        self.add(Recipe { name: Spot::Redis.name().to_owned(), command, environment: Vec::new(), sign })
            .await?;
        self.start_proxy(Spot::Redis, 6379).await
    }

    async fn start_proxy(&mut self, spot: Spot, port: u16) -> anyhow::Result<()> {
        let mut command = in_net(spot);
        let own = std::env::current_exe()?;
        let listen = format!("{}:{}", spot.address(), spot.port());
        command.extend([own.to_str().context("a plain path")?.to_owned(), "--proxy".to_owned(), listen]);
        command.extend(["--to".to_owned(), format!("127.0.0.1:{port}")]);
        let name = format!("{}-proxy", spot.name());
        self.add(Recipe { name, command, environment: Vec::new(), sign: proxy::SIGN }).await
    }

    async fn start_service(&mut self, spot: Spot) -> anyhow::Result<()> {
        let mut command = in_net(spot);
        let (database, live) = (Spot::Postgres, Spot::Redis);
        command.extend([binary()?, "serve".to_owned(), spot.service().to_owned()]);
        command.extend([
            format!("--listen={}:{}", spot.address(), spot.port()),
            format!("--data={}", self.disk("data").display()),
            format!("--database=postgres://postgres@{}:{}/shoutan", database.address(), database.port()),
            format!("--live=redis://{}:{}", live.address(), live.port()),
        ]);
        command.extend(LIFTED_LIMITS.map(str::to_owned));
        let mut environment =
            vec![("SHOUTAN_CLUSTER_SECRET".to_owned(), "a secret that only these processes know".to_owned())];
        for peer in Spot::SERVICES {
            let variable = format!("SHOUTAN_{}_URL", peer.service().to_uppercase());
            environment.push((variable, format!("http://{}:{}", peer.service(), peer.port())));
        }
        self.add(Recipe { name: spot.name().to_owned(), command, environment, sign: " is up at " }).await
    }

    async fn add(&mut self, recipe: Recipe) -> anyhow::Result<()> {
        let service = Service::start(recipe, &self.logs).await?;
        self.services.insert(service.name().to_owned(), service);
        Ok(())
    }
}

/// Who PostgreSQL runs as: it refuses to be root.
pub(crate) const AS_POSTGRES: [&str; 4] =
    ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"];

/// What a command begins with that is to run in the network of a spot.
pub(crate) fn in_net(spot: Spot) -> Vec<String> {
    ["ip", "netns", "exec", spot.name()].map(str::to_owned).to_vec()
}

fn ways(shape: Shape) -> anyhow::Result<(Vec<Transport>, Vec<Transport>)> {
    let url = match shape {
        Shape::One => format!("http://{ONE}"),
        Shape::Many => Spot::Gateway.url(),
    };
    let connect = |url: &str| anyhow::Ok(api::client::connect(url)?);
    let ways = (0..CONNECTIONS).map(|_| connect(&url)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut readers = (0..3).map(|_| connect(&url)).collect::<anyhow::Result<Vec<_>>>()?;
    if shape == Shape::Many {
        readers.push(connect(&Spot::Game1.url())?);
    }
    Ok((ways, readers))
}

fn binary() -> anyhow::Result<String> {
    std::env::var("SHOUTAN_BIN").context("SHOUTAN_BIN is not set")
}
