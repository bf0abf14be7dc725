//! The live state in Redis (or Valkey): for any number of processes, survives theirs.
//!
//! Each method is one Lua script or one command, so one round trip. Commands share one connection that comes
//! back by itself; pub/sub has its own (see [`link`]). In a Redis Cluster the keys of one script lie on one node, as their hash
//! tags have it; commands go to the node that has them, wherever it is after a failover, and messages through any node to all.
//! What a master that died had not given to its replica is lost, as anything here may be. A cluster must take nothing
//! when some of its keys have no master (`cluster-require-full-coverage yes`, its default): [`prove`](Live::prove) asks one node for
//! all.
//! Redis must not evict keys (`maxmemory-policy noeviction`, its default): a key that is missing among others would make tickets unreadable.

mod codec;
mod connection;
mod deadlines;
mod keys;
mod leases;
mod link;
mod presence;
mod pubsub;
mod scripts;
mod speaker;
mod throttles;
mod tickets;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::RwLock;
use redis::{ErrorKind, RedisError, ServerErrorKind};
use tokio::task::JoinHandle;

pub(crate) use self::connection::Servers;
use self::{connection::Connection, speaker::Speaker};
use crate::fanout::{FanOut, Topics};
use crate::{Limits, Live, LiveError, Observer};

/// How long a command may take before the store counts as not answering; the slowest takes some milliseconds.
const RESPONSE_MAX: Duration = Duration::from_secs(3);
/// How long one attempt to connect may take. The system's second try comes after a second.
const CONNECT_MAX: Duration = Duration::from_secs(2);
/// The longest pause between two attempts to connect.
const RETRY_MAX: Duration = Duration::from_secs(1);
/// Attempts to connect before commands that wait for them fail. The next command starts over.
const RETRIES: usize = 5;

/// How long Redis keeps what means nothing any more. It only collects garbage: the moments inside decide, and
/// the caller's clock may run differently from that of Redis, as in tests.
const KEEP_AFTER: Duration = Duration::from_hours(1);
/// The queue in which nothing is ever due: it holds a deadline only while it is tried whether any is taken.
const PROOF: &str = "proof";

/// The live state in Redis.
pub(crate) struct Remote {
    limits: Limits,
    servers: Servers,
    connection: RwLock<Connection>,
    keys: Arc<keys::Keys>,
    scripts: scripts::Scripts,
    topics: Arc<Topics>,
    /// As whom this process publishes.
    speaker: Speaker,
    /// Whether what was last published was not taken in time.
    unheard: AtomicBool,
    link: JoinHandle<()>,
}

impl Remote {
    /// Connects; fails if the server does not answer within some seconds.
    pub(crate) async fn connect(
        servers: Servers,
        prefix: &str,
        limits: Limits,
        observer: Option<Observer>,
    ) -> Result<Self, LiveError> {
        let connection = Connection::open(&servers, observer).await?;
        let keys = Arc::new(keys::Keys::new(prefix));
        let topics = Topics::linked();
        let speaker = Speaker::new();
        let mut nodes = servers.each()?;
        // Not all processes through the same.
        let first = speaker.among(nodes.len());
        nodes.rotate_left(first);
        let link = tokio::spawn(link::run(nodes, keys.clone(), topics.clone(), speaker));
        Ok(Self {
            limits,
            servers,
            connection: RwLock::new(connection),
            keys,
            scripts: scripts::Scripts::new(limits.changes),
            topics,
            speaker,
            unheard: AtomicBool::default(),
            link,
        })
    }
}

impl Remote {
    /// The connection of all commands.
    fn connection(&self) -> Connection {
        self.connection.read().clone()
    }

    /// Gives the connection up. The next command makes another.
    fn connect_anew(&self) {
        let anew = self.connection().anew(&self.servers);
        match anew {
            Ok(connection) => *self.connection.write() = connection,
            Err(error) => tracing::warn!(%error, "a silent connection to the live state is kept"),
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.link.abort();
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("keys", &self.keys).finish_non_exhaustive()
    }
}

#[async_trait]
impl Live for Remote {
    async fn prove(&self) -> Result<(), LiveError> {
        let keys = self.keys.deadlines(PROOF);
        let proof = self.scripts.prove.key(&keys).invoke_async(&mut self.connection()).await;
        // After a failover the one that answers here may have become a replica for good.
        let demoted = ErrorKind::Server(ServerErrorKind::ReadOnly);
        if proof.as_ref().is_err_and(|error: &RedisError| error.is_timeout() || error.kind() == demoted) {
            self.connect_anew();
        }
        Ok(proof?)
    }

    fn shared(&self) -> bool {
        true
    }

    fn fan_out(&self) -> FanOut {
        self.topics.fan_out()
    }
}

/// After how many milliseconds Redis may forget what matters for `span`.
fn keep_ms(span: Duration) -> u64 {
    u64::try_from(span.saturating_add(KEEP_AFTER).as_millis()).unwrap_or(u64::MAX)
}
