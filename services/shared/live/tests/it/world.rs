//! Where a test runs: a store, and clients of it.

use std::env;
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once};

use anyhow::{Context as _, Result, bail};
use live::{ChildRedis, Config, Limits, Live};
use tempfile::TempDir;

use crate::cluster::Cluster;

/// Small, so that tests can reach them.
pub(crate) const LIMITS: Limits =
    Limits { pool_tickets: 4, queue_deadlines: 3, presence_entries: 5, changes: 1_000 };

/// A store of its own for one test.
pub(crate) struct World {
    place: String,
    /// Unique, because the server may be shared with other tests.
    name: String,
    platforms: AtomicU32,
    limits: Limits,
    first: Arc<dyn Live>,
    _server: Option<ChildRedis>,
    _cluster: Option<Cluster>,
    _folder: TempDir,
}

impl World {
    pub(crate) async fn memory() -> Result<Self> {
        Self::new("memory".to_owned(), None, None, folder()?).await
    }

    /// `None` if there is no server and none is demanded.
    pub(crate) async fn redis() -> Result<Option<Self>> {
        let folder = folder()?;
        if let Ok(url) = env::var("SHOUTAN_TEST_REDIS") {
            return Self::new(url, None, None, folder).await.map(Some);
        }
        if !server_installed()? {
            return Ok(None);
        }
        let server = ChildRedis::start(folder.path()).await?;
        Self::new(server.url(), Some(server), None, folder).await.map(Some)
    }

    /// The same of three masters.
    pub(crate) async fn cluster() -> Result<Option<Self>> {
        let folder = folder()?;
        if let Ok(url) = env::var("SHOUTAN_TEST_REDIS_CLUSTER") {
            return Self::new(url, None, None, folder).await.map(Some);
        }
        let Some(cluster) = Cluster::start(3, 0).await? else { return Ok(None) };
        Self::new(cluster.url(), None, Some(cluster), folder).await.map(Some)
    }

    async fn new(
        place: String,
        server: Option<ChildRedis>,
        cluster: Option<Cluster>,
        folder: TempDir,
    ) -> Result<Self> {
        let name = folder.path().file_name().context("no name")?.to_string_lossy().replace('.', "");
        let first = connect(&place, &format!("{name}-0"), LIMITS).await?;
        let platforms = AtomicU32::new(1);
        Ok(Self {
            place,
            name,
            platforms,
            limits: LIMITS,
            first,
            _server: server,
            _cluster: cluster,
            _folder: folder,
        })
    }

    /// The client most tests need.
    pub(crate) fn live(&self) -> &dyn Live {
        self.first.as_ref()
    }

    /// Another client of the same store: for Redis one with connections of its own.
    pub(crate) async fn client(&self) -> Result<Arc<dyn Live>> {
        if self.first.shared() {
            connect(&self.place, &format!("{}-0", self.name), self.limits).await
        } else {
            Ok(self.first.clone())
        }
    }

    /// Another platform, which is empty.
    pub(crate) async fn other_platform(&self, limits: Limits) -> Result<Arc<dyn Live>> {
        let number = self.platforms.fetch_add(1, Ordering::Relaxed);
        connect(&self.place, &format!("{}-{number}", self.name), limits).await
    }
}

/// Whether tests that need a server can run; an error if they must and cannot.
pub(crate) fn server_installed() -> Result<bool> {
    static LOUD: Once = Once::new();
    if ChildRedis::find().is_some() {
        return Ok(true);
    }
    let set = |name, value| env::var(name).is_ok_and(|found| found == value);
    if set("CI", "true") || set("LIVE_REDIS", "required") {
        bail!("no redis-server or valkey-server in PATH, and the Redis half must run");
    }
    // Straight to standard error, where the test harness does not swallow it.
    LOUD.call_once(|| {
        let _ =
            writeln!(std::io::stderr(), "\n!!! NO redis-server IN PATH: THE REDIS HALF DID NOT RUN !!!\n");
    });
    Ok(false)
}

/// A folder with a short path, since a socket comes to lie in it.
pub(crate) fn folder() -> Result<TempDir> {
    Ok(tempfile::Builder::new().prefix("live").tempdir()?)
}

async fn connect(place: &str, prefix: &str, limits: Limits) -> Result<Arc<dyn Live>> {
    Ok(live::connect(&Config::new(place)?.with_prefix(prefix)?.with_limits(limits)).await?)
}
