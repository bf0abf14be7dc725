//! The live state in Redis (or Valkey): for any number of processes, survives theirs.
//!
//! Each method is one Lua script or one command, so one round trip. Commands share one connection that comes
//! back by itself; pub/sub has its own (see [`link`]). In a Redis Cluster the keys of one script lie on one node, as their hash
//! tags have it; commands go to the node that has them, wherever it is after a failover, and messages through any node to all.
//! What a master that died had not given to its replica is lost, as anything here may be; so it is where sentinels make a replica the
//! master, which is gone to then (see [`sentinels`]). A cluster must take nothing
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
mod sentinels;
mod speaker;
mod throttles;
mod tickets;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use async_trait::async_trait;
use redis::sentinel::SentinelClient;
use redis::{Client, ErrorKind, RedisError, ServerErrorKind};
use tokio::task::JoinHandle;

pub(crate) use self::{connection::Servers, sentinels::Sentinels};
use self::{
    connection::{Connection, Current, Master, Nodes},
    speaker::Speaker,
};
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
    current: Arc<Current>,
    keys: Arc<keys::Keys>,
    scripts: scripts::Scripts,
    topics: Arc<Topics>,
    /// As whom this process publishes.
    speaker: Speaker,
    /// Whether what was last published was not taken in time.
    unheard: AtomicBool,
    /// What runs beside: the link, and who asks sentinels.
    tasks: Vec<JoinHandle<()>>,
}

impl Remote {
    /// Connects; fails if the server does not answer within some seconds.
    pub(crate) async fn connect(
        servers: Servers,
        prefix: &str,
        limits: Limits,
        observer: Option<Observer>,
    ) -> Result<Self, LiveError> {
        let (nodes, asked) = find(servers).await?;
        let current = Arc::new(Current::open(nodes.clone(), observer).await?);
        let keys = Arc::new(keys::Keys::new(prefix));
        let topics = Topics::linked();
        let speaker = Speaker::new();
        let mut tasks = vec![tokio::spawn(link::run(nodes, keys.clone(), topics.clone(), speaker))];
        if let Some((sentinels, master)) = asked {
            tasks.push(tokio::spawn(sentinels::follow(sentinels, current.clone(), master)));
        }
        Ok(Self {
            limits,
            current,
            keys,
            scripts: scripts::Scripts::new(limits.changes),
            topics,
            speaker,
            unheard: AtomicBool::default(),
            tasks,
        })
    }
}

impl Remote {
    /// The connection of all commands.
    fn connection(&self) -> Connection {
        self.current.get()
    }
}

/// Who asks sentinels, and whom he tells which server is the master.
type Asked = (SentinelClient, Arc<Master>);

/// The servers as they are reached now.
async fn find(servers: Servers) -> Result<(Nodes, Option<Asked>), LiveError> {
    Ok(match servers {
        Servers::One(info) => (Nodes::One(Master::new(Client::open(*info)?)), None),
        Servers::Cluster(nodes, tls) => (Nodes::cluster(&nodes, tls)?, None),
        Servers::Sentinels(sentinels, tls) => {
            let mut sentinels = sentinels.client(tls.as_ref())?;
            let master = Master::new(sentinels::master(&mut sentinels).await?);
            (Nodes::One(Arc::clone(&master)), Some((sentinels, master)))
        }
    })
}

impl Drop for Remote {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
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
            self.current.renew();
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
