//! A Redis Cluster, and what becomes of the live state when one of its masters is killed.

use std::{
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use live::{ChildRedis, Config, LiveError, Received, TicketState, connect};
use tempfile::TempDir;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    examples::{at, deadline, id, ticket},
    fanout::{message, next},
    world::{folder, server_installed},
};

/// After how long without an answer a node counts as gone.
const NODE_TIMEOUT_MS: &str = "1000";
/// How long a test waits for the cluster.
const PATIENCE: Duration = Duration::from_secs(40);
/// The port of the bus between the nodes is so much above that of a node.
const BUS: u16 = 10_000;

/// Nodes, killed when they are dropped.
pub(crate) struct Cluster {
    nodes: Vec<(u16, Child)>,
    folder: TempDir,
}

impl Cluster {
    /// A cluster with so many masters, each with so many replicas; `None` if there is no server and none is demanded.
    pub(crate) async fn start(masters: usize, replicas: usize) -> Result<Option<Self>> {
        if !server_installed()? {
            return Ok(None);
        }
        let mut cluster = Cluster { nodes: Vec::new(), folder: folder()? };
        for _ in 0..masters * (1 + replicas) {
            let port = port()?;
            cluster.nodes.push((port, node(cluster.folder.path(), port)?));
        }
        for (port, _) in &cluster.nodes {
            until("a node takes connections", async || TcpStream::connect(("127.0.0.1", *port)).is_ok())
                .await?;
        }
        let mut create = Command::new("redis-cli");
        create.args(["--cluster", "create"]);
        create.args(cluster.nodes.iter().map(|(port, _)| format!("127.0.0.1:{port}")));
        create.args(["--cluster-replicas", &replicas.to_string(), "--cluster-yes"]);
        let told = create.output().context("redis-cli is not installed")?;
        ensure!(told.status.success(), "no cluster: {}", String::from_utf8_lossy(&told.stdout));
        for (port, _) in &cluster.nodes {
            until("the cluster is whole", async || ask(*port, "CLUSTER INFO").contains("cluster_state:ok"))
                .await?;
        }
        Ok(Some(cluster))
    }

    /// Its URL.
    pub(crate) fn url(&self) -> String {
        let nodes: Vec<String> = self.nodes.iter().map(|(port, _)| format!("127.0.0.1:{port}")).collect();
        format!("redis-cluster://{}", nodes.join(","))
    }

    /// Kills the master that keeps a key, as `kill -9` would, once its replica has what it has.
    async fn kill_master_of(&mut self, key: &str) -> Result<()> {
        let slot = ask(self.nodes[0].0, &format!("CLUSTER KEYSLOT {key}"));
        let slot: u16 = slot.trim().parse().context(slot)?;
        let nodes = ask(self.nodes[0].0, "CLUSTER NODES");
        let has = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let [first, last] = [first, last].map(|it| it.parse::<u16>().unwrap_or(u16::MAX));
            (first..=last).contains(&slot)
        };
        let master = nodes.lines().find(|line| line.split(' ').skip(8).any(has)).context(nodes.clone())?;
        let port = master.split(' ').nth(1).and_then(|it| it.split('@').next()?.rsplit(':').next());
        let port: u16 = port.context("no port")?.parse()?;
        until("its replica has all", async || is_replicated(&ask(port, "INFO replication"))).await?;
        let (_, process) = self.nodes.iter_mut().find(|(it, _)| *it == port).context("no such node")?;
        process.kill()?;
        process.wait()?;
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for (_, process) in &mut self.nodes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn node(folder: &Path, port: u16) -> Result<Child> {
    let server = ChildRedis::find().context("no server")?;
    let folder = folder.join(port.to_string());
    std::fs::create_dir(&folder)?;
    let mut command = Command::new(server);
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.args(["--cluster-enabled", "yes", "--cluster-node-timeout", NODE_TIMEOUT_MS]);
    Ok(command.arg("--dir").arg(folder).stdout(Stdio::null()).spawn()?)
}

/// A port that is free, as is that of its bus.
fn port() -> Result<u16> {
    for _ in 0..1000 {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let bus = port.checked_add(BUS);
        if bus.is_some_and(|bus| TcpListener::bind(("127.0.0.1", bus)).is_ok()) {
            return Ok(port);
        }
    }
    bail!("no two ports are free")
}

fn ask(port: u16, command: &str) -> String {
    let mut asked = Command::new("redis-cli");
    asked.args(["-p", &port.to_string()]).args(command.split(' '));
    asked.output().map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default()
}

/// Whether the replica of a master has all that was written there.
fn is_replicated(replication: &str) -> bool {
    let written = replication.lines().find_map(|line| line.strip_prefix("master_repl_offset:"));
    let replica = replication.lines().find(|line| line.starts_with("slave0:"));
    let has = replica.and_then(|line| line.split(',').find_map(|part| part.strip_prefix("offset=")));
    written.is_some() && written.map(str::trim) == has
}

async fn until(what: &str, is_so: impl AsyncFn() -> bool) -> Result<()> {
    let begun = Instant::now();
    while !is_so().await {
        ensure!(begun.elapsed() < PATIENCE, "it is never so that {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// What a call says once the store answers, which it may not while a replica takes the place of its master.
async fn answered<T>(call: impl AsyncFn() -> Result<T, LiveError>) -> Result<T> {
    let begun = Instant::now();
    loop {
        match call().await {
            Err(error @ LiveError::Unavailable(_)) => {
                ensure!(begun.elapsed() < PATIENCE, "{error} ({:?})", std::error::Error::source(&error));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            answer => return Ok(answer?),
        }
    }
}

/// Whatever lies on the master that dies is there again when its replica has taken its place, and what lies elsewhere all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_master_takes_nothing_with_it() -> Result<()> {
    let Some(mut cluster) = Cluster::start(3, 1).await? else { return Ok(()) };
    let config = Config::new(&cluster.url())?;
    let (live, elsewhere) = (connect(&config).await?, connect(&config).await?);
    live.open_ticket(ticket(1, "go"), at(0)).await?;
    // Queues of their own lie on nodes of their own.
    let queues: Vec<String> = (0..12).map(|number| format!("queue-{number}")).collect();
    for queue in &queues {
        live.set_deadline(deadline(queue, 1, 7, 10)).await?;
    }
    let mut listeners = [live.subscribe("game:1").await?, elsewhere.subscribe("game:1").await?];

    cluster.kill_master_of("{shoutan:tickets:3}:body").await?;
    let found = answered(async || live.ticket(id(1)).await).await?;
    assert!(matches!(found, Some(TicketState::Waiting(_))), "{found:?}");
    answered(async || live.prove().await).await?;
    for queue in &queues {
        let found = answered(async || live.deadline(queue, id(1)).await).await?;
        assert_eq!(found, Some(deadline(queue, 1, 7, 10)), "{queue}");
    }
    // Both hear again; who listened through the node that died was told that something may be missing.
    let last = message(77);
    let publisher = answered(async || connect(&config).await).await?;
    for listener in &mut listeners {
        let heard = async {
            loop {
                answered(async || publisher.publish("game:1", last.clone()).await).await?;
                match tokio::time::timeout(Duration::from_millis(200), next(listener)).await {
                    Ok(Ok(Received::Message(heard))) => {
                        assert_eq!(heard, last);
                        return anyhow::Ok(());
                    }
                    Ok(Ok(Received::Unfollowed | Received::Lagged(0))) | Err(_) => {}
                    Ok(other) => bail!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, heard).await.context("nothing is heard")??;
    }
    // And a cluster that has lost a node is joined by who comes now.
    let late = connect(&config).await?;
    assert!(matches!(late.ticket(id(1)).await?, Some(TicketState::Waiting(_))));
    assert_eq!(late.ticket_of(Uuid::nil()).await?, None);
    Ok(())
}
