//! What is done to databases and to Redis so that they refuse.

use std::{fs::File, io::Write as _, path::Path, time::Duration};

use crate::{
    child::run,
    spots::Spot,
    stand::{AS_POSTGRES, Stand, in_net},
};

/// The file that fills a disk.
const BALLAST: &str = "ballast";
/// A password that nobody has.
const PASSWORD: &str = "nobody-knows-it";

/// How a Redis refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It has no memory for writing (OOM).
    Memory,
    /// It is a replica (READONLY).
    ReadOnly,
    /// It cannot save, and stops taking writes (MISCONF).
    Unsaved,
    /// It asks for a password (NOAUTH).
    Password,
}

impl Stand {
    /// Has the PostgreSQL do something.
    pub(crate) async fn sql(&self, statement: &str) -> anyhow::Result<()> {
        let folder = self.disk("postgres").display().to_string();
        let psql = ["psql", "-qX", "-h", &folder, "-d", "postgres", "-c", statement];
        run(&[AS_POSTGRES.as_slice(), &psql].concat()).await?;
        Ok(())
    }

    /// Makes every transaction of new connections a reading one, as of a server that has lost its office. They stay
    /// so when it is over.
    pub(crate) async fn read_only(&self, on: bool) -> anyhow::Result<()> {
        let how =
            if on { "SET default_transaction_read_only = on" } else { "RESET default_transaction_read_only" };
        self.sql(&format!("ALTER DATABASE shoutan {how}")).await?;
        if on { self.end_connections().await } else { Ok(()) }
    }

    /// Refuses every connection, and ends those that are open.
    pub(crate) async fn refuse_connections(&self, on: bool) -> anyhow::Result<()> {
        let allowed = if on { "false" } else { "true" };
        self.sql(&format!("ALTER DATABASE shoutan ALLOW_CONNECTIONS {allowed}")).await?;
        if on { self.end_connections().await } else { Ok(()) }
    }

    async fn end_connections(&self) -> anyhow::Result<()> {
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shoutan'").await
    }

    /// Has the Redis answer, but refuse.
    pub(crate) async fn redis(&self, refusal: Refusal, on: bool) -> anyhow::Result<()> {
        let how: &[&str] = match (refusal, on) {
            (Refusal::Memory, true) => &["CONFIG SET maxmemory 1"],
            (Refusal::Memory, false) => &["CONFIG SET maxmemory 0"],
            (Refusal::ReadOnly, true) => &["REPLICAOF 127.0.0.1 1"],
            (Refusal::ReadOnly, false) => &["REPLICAOF NO ONE"],
            // A file cannot be written where there is no folder any more.
            (Refusal::Unsaved, true) => &["CONFIG SET dir /proc", "CONFIG SET save 1000000:1", "BGSAVE"],
            (Refusal::Unsaved, false) => &["CONFIG SET save ", "CONFIG SET dir /tmp"],
            (Refusal::Password, true) => {
                &["CONFIG SET requirepass nobody-knows-it", "CLIENT KILL TYPE normal"]
            }
            (Refusal::Password, false) => &["CONFIG SET requirepass "],
        };
        for command in how {
            let mut words = in_net(Spot::Redis);
            words.extend(["redis-cli", "-p", "6379"].map(str::to_owned));
            if refusal == Refusal::Password {
                words.extend(["--no-auth-warning", "-a", PASSWORD].map(str::to_owned));
            }
            words.extend(command.split(' ').map(str::to_owned));
            run(&words).await?;
        }
        Ok(())
    }

    /// Holds the right to write of the file of games, or lets it go.
    pub(crate) fn lock_games(&mut self, on: bool) -> anyhow::Result<()> {
        let holder = if on {
            let connection = rusqlite::Connection::open(self.disk("data").join("game.db"))?;
            connection.busy_timeout(Duration::from_secs(2))?;
            connection.execute_batch("BEGIN IMMEDIATE")?;
            Some(connection)
        } else {
            None
        };
        self.hold(holder);
        Ok(())
    }

    /// Starts a server that may have given up, and does nothing to one that has not.
    pub(crate) async fn revive(&mut self, name: &str) -> anyhow::Result<()> {
        if !self.service(name)?.runs()? {
            let _was_not_there = std::fs::remove_file(self.disk("postgres").join("data/postmaster.pid"));
            self.service(name)?.kill().await?;
            self.service(name)?.spawn().await?;
        }
        Ok(())
    }

    /// Fills a disk to the last byte, or frees it.
    pub(crate) fn fill(&self, disk: &str, full: bool) -> anyhow::Result<()> {
        let ballast = self.disk(disk).join(BALLAST);
        if full {
            fill(&ballast)?;
        } else {
            std::fs::remove_file(ballast)?;
        }
        Ok(())
    }
}

fn fill(ballast: &Path) -> std::io::Result<()> {
    let mut file = File::create(ballast)?;
    for size in [1024 * 1024, 4096] {
        let bytes = vec![0; size];
        while file.write_all(&bytes).is_ok() {}
    }
    Ok(())
}
