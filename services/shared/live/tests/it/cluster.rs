//! A Redis Cluster, and what becomes of the live state when one of its masters is killed.

use std::{
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};
use live::{ChildRedis, Config};
use tempfile::TempDir;

use crate::{
    failover::{ask, is_replicated, takes_nothing_with_it, until},
    world::{folder, server_installed},
};

/// After how long without an answer a node counts as gone.
const NODE_TIMEOUT_MS: &str = "1000";
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
pub(crate) fn port() -> Result<u16> {
    for _ in 0..1000 {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let bus = port.checked_add(BUS);
        if bus.is_some_and(|bus| TcpListener::bind(("127.0.0.1", bus)).is_ok()) {
            return Ok(port);
        }
    }
    bail!("no two ports are free")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_master_takes_nothing_with_it() -> Result<()> {
    let Some(mut cluster) = Cluster::start(3, 1).await? else { return Ok(()) };
    let config = Config::new(&cluster.url())?;
    takes_nothing_with_it(&config, async || cluster.kill_master_of("{shoutan:tickets:3}:body").await).await
}
