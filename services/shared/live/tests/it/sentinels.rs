//! A Redis and its replica that sentinels watch, and what becomes of the live state when the master is killed, and comes back.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result};
use live::{ChildRedis, Config};
use tempfile::TempDir;

use crate::{
    cluster::port,
    failover::{ask, is_replicated, takes_nothing_with_it, until},
    world::{folder, server_installed},
};

/// How many sentinels there are, of which two must agree.
const SENTINELS: usize = 3;
/// What they call the servers.
const NAME: &str = "games";

/// Processes, killed when they are dropped.
struct Watched {
    servers: Vec<(u16, Child)>,
    sentinels: Vec<(u16, Child)>,
    folder: TempDir,
}

impl Watched {
    /// A master with a replica, and the sentinels; `None` if there is no server and none is demanded.
    async fn start() -> Result<Option<Self>> {
        if !server_installed()? {
            return Ok(None);
        }
        let mut all = Watched { servers: Vec::new(), sentinels: Vec::new(), folder: folder()? };
        let (master, replica) = (port()?, port()?);
        let child = all.server(master, None)?;
        all.servers.push((master, child));
        until("the master answers", async || ask(master, "PING").contains("PONG")).await?;
        let child = all.server(replica, Some(master))?;
        all.servers.push((replica, child));
        until("the replica follows", async || ask(master, "INFO replication").contains("state=online"))
            .await?;
        for _ in 0..SENTINELS {
            let port = port()?;
            let child = all.sentinel(port, master)?;
            all.sentinels.push((port, child));
        }
        for (port, _) in &all.sentinels {
            let agreed = async || ask(*port, &format!("SENTINEL CKQUORUM {NAME}")).starts_with("OK 3");
            until("the sentinels know each other", agreed).await?;
            let knows =
                async || ask(*port, &format!("SENTINEL REPLICAS {NAME}")).contains(&replica.to_string());
            until("they know the replica", knows).await?;
        }
        Ok(Some(all))
    }

    fn url(&self) -> String {
        let nodes: Vec<String> = self.sentinels.iter().map(|(port, _)| format!("127.0.0.1:{port}")).collect();
        format!("redis-sentinel://{}/{NAME}", nodes.join(","))
    }

    /// Whom a sentinel takes for the master.
    fn master(&self) -> Option<u16> {
        let (sentinel, _) = self.sentinels.last()?;
        let told = ask(*sentinel, &format!("SENTINEL GET-MASTER-ADDR-BY-NAME {NAME}"));
        told.lines().nth(1)?.trim().parse().ok()
    }

    /// Kills the master, once its replica has what it has, and a sentinel; returns the master's port.
    async fn kill_master(&mut self) -> Result<u16> {
        let master = self.master().context("there is no master")?;
        until("its replica has all", async || is_replicated(&ask(master, "INFO replication"))).await?;
        let place = self.servers.iter().position(|(port, _)| *port == master).context("no such server")?;
        let (_, process) = &mut self.servers[place];
        process.kill()?;
        process.wait()?;
        Ok(master)
    }

    fn server(&self, port: u16, of: Option<u16>) -> Result<Child> {
        let mut command = self.command(port)?;
        command.args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command.args(["--repl-diskless-sync-delay", "0"]);
        if let Some(master) = of {
            command.args(["--replicaof", "127.0.0.1", &master.to_string()]);
        }
        Ok(command.spawn()?)
    }

    fn sentinel(&self, port: u16, master: u16) -> Result<Child> {
        let file = self.folder.path().join(format!("{port}.conf"));
        let lines = [
            format!("port {port}"),
            "bind 127.0.0.1".to_owned(),
            format!("sentinel monitor {NAME} 127.0.0.1 {master} 2"),
            format!("sentinel down-after-milliseconds {NAME} 1000"),
            format!("sentinel failover-timeout {NAME} 4000"),
        ];
        std::fs::write(&file, lines.join("\n"))?;
        let server = ChildRedis::find().context("no server")?;
        let mut command = Command::new(server);
        Ok(command.arg(file).arg("--sentinel").stdout(Stdio::null()).spawn()?)
    }

    /// A server with a folder of its own.
    fn command(&self, port: u16) -> Result<Command> {
        let folder: &Path = &self.folder.path().join(port.to_string());
        std::fs::create_dir_all(folder)?;
        let mut command = Command::new(ChildRedis::find().context("no server")?);
        command.arg("--dir").arg(folder).stdout(Stdio::null());
        Ok(command)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        for (_, process) in self.servers.iter_mut().chain(&mut self.sentinels) {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_master_that_sentinels_name_is_gone_to() -> Result<()> {
    let Some(mut watched) = Watched::start().await? else { return Ok(()) };
    let config = Config::new(&watched.url())?;
    let mut first = 0;
    takes_nothing_with_it(&config, async || {
        first = watched.kill_master().await?;
        Ok(())
    })
    .await?;
    let second = watched.master().context("there is no master")?;
    assert_ne!(first, second);
    // Who was the master comes back as a replica, and takes the place of the other when that is killed.
    let child = watched.server(first, None)?;
    watched.servers.retain(|(port, _)| *port != first);
    watched.servers.push((first, child));
    let is_replica = async || ask(second, "INFO replication").contains(&format!("port={first},state=online"));
    until("the first follows the second", is_replica).await?;
    // The first sentinel is gone with it.
    let (_, mut gone) = watched.sentinels.remove(0);
    gone.kill()?;
    gone.wait()?;
    takes_nothing_with_it(&config, async || {
        assert_eq!(watched.kill_master().await?, second);
        Ok(())
    })
    .await?;
    assert_eq!(watched.master(), Some(first));
    Ok(())
}
