//! The connection of all commands: to one server, which may be one that sentinels name, or to the nodes of a cluster.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{Client, Cmd, ConnectionInfo, Pipeline, RedisFuture, RedisResult, TlsCertificates, Value};

use tokio::sync::Notify;

use super::sentinels::Sentinels;
use super::{CONNECT_MAX, RESPONSE_MAX, RETRIES, RETRY_MAX, Speaker};
use crate::Observer;

/// The first pause between two attempts.
const RETRY_MIN: Duration = Duration::from_millis(20);

/// Where Redis is.
#[derive(Clone)]
pub(crate) enum Servers {
    /// One server.
    One(Box<ConnectionInfo>),
    /// Nodes of a cluster, at least one; the others are learned from them.
    Cluster(Vec<ConnectionInfo>, Option<TlsCertificates>),
    /// Sentinels, which say where the server is.
    Sentinels(Box<Sentinels>, Option<TlsCertificates>),
}

impl Servers {
    /// How those that are named are reached.
    pub(crate) fn infos(&self) -> &[ConnectionInfo] {
        match self {
            Servers::One(info) => std::slice::from_ref(info),
            Servers::Cluster(nodes, _) => nodes,
            Servers::Sentinels(sentinels, _) => &sentinels.nodes,
        }
    }
}

/// The server to go to, which becomes another where sentinels say so.
pub(super) struct Master {
    client: RwLock<Client>,
    moved: Notify,
}

impl Master {
    /// This one, for now.
    pub(super) fn new(client: Client) -> Arc<Self> {
        Arc::new(Master { client: RwLock::new(client), moved: Notify::new() })
    }

    /// As it is now.
    pub(super) fn get(&self) -> Client {
        self.client.read().clone()
    }

    /// Makes it another.
    pub(super) fn becomes(&self, client: Client) {
        *self.client.write() = client;
        // The link alone waits for it.
        self.moved.notify_one();
    }
}

/// Servers as they are reached now. Clones share what is learned.
#[derive(Clone)]
pub(super) enum Nodes {
    /// The one to go to.
    One(Arc<Master>),
    /// Nodes of a cluster, each by itself, and what knows all of them.
    Cluster(Vec<Client>, Box<ClusterClient>),
}

impl Nodes {
    /// Nodes of a cluster.
    pub(super) fn cluster(nodes: &[ConnectionInfo], tls: Option<TlsCertificates>) -> RedisResult<Self> {
        let open = |node: &ConnectionInfo| match &tls {
            None => Client::open(node.clone()),
            Some(tls) => Client::build_with_tls(node.clone(), tls.clone()),
        };
        let each = nodes.iter().map(open).collect::<RedisResult<_>>()?;
        let milliseconds = |pause: Duration| u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        let mut builder = ClusterClient::builder(nodes.iter().cloned())
            .connection_timeout(CONNECT_MAX)
            .response_timeout(RESPONSE_MAX)
            .overall_response_timeout(Some(RESPONSE_MAX))
            .retries(u32::try_from(RETRIES).unwrap_or(u32::MAX))
            .min_retry_wait(milliseconds(RETRY_MIN))
            .max_retry_wait(milliseconds(RETRY_MAX))
            .tcp_settings(crate::config::tcp_settings());
        if let Some(tls) = tls {
            builder = builder.certs(tls);
        }
        Ok(Nodes::Cluster(each, Box::new(builder.build()?)))
    }

    /// Which to listen through: the one there is, or of a cluster one after the other, this process beginning with its own.
    pub(super) fn listened(&self, own: Speaker, attempt: usize) -> Option<Client> {
        match self {
            Nodes::One(master) => Some(master.get()),
            Nodes::Cluster(each, _) => {
                let turn = own.among(each.len()).wrapping_add(attempt) % each.len().max(1);
                each.get(turn).cloned()
            }
        }
    }

    /// Ends when there is another server to go to than the one that was listened through.
    pub(super) async fn moved(&self) {
        match self {
            Nodes::One(master) => master.moved.notified().await,
            Nodes::Cluster(..) => std::future::pending().await,
        }
    }
}

/// A connection that comes back by itself.
#[derive(Clone)]
pub(super) struct Connection {
    way: Way,
    observer: Option<Observer>,
}

/// Where commands go.
#[derive(Clone)]
enum Way {
    /// To a server.
    One(ConnectionManager),
    /// To whichever node has the key; it follows keys to other nodes, as after a failover.
    Cluster(ClusterConnection),
}

impl Connection {
    /// Connects, or fails after some seconds.
    pub(super) async fn open(nodes: &Nodes, observer: Option<Observer>) -> RedisResult<Self> {
        let way = match nodes {
            Nodes::One(master) => {
                let client = master.get();
                Way::One(ConnectionManager::new_with_config(client, managing()).await?)
            }
            Nodes::Cluster(_, client) => Way::Cluster(client.get_async_connection().await?),
        };
        Ok(Connection { way, observer })
    }

    /// Another connection to a server, made by its first command: the manager by itself makes one only when the system tells it that
    /// the old one has ended, which of one that died without a word it does not. A cluster's looks after its own.
    fn anew(&self, nodes: &Nodes) -> RedisResult<Self> {
        let way = match nodes {
            Nodes::One(master) => {
                let client = master.get();
                Way::One(ConnectionManager::new_lazy_with_config(client, managing())?)
            }
            Nodes::Cluster(..) => self.way.clone(),
        };
        Ok(Connection { way, observer: self.observer.clone() })
    }

    /// What is answered, with whoever is to hear of it.
    fn observed<'a, T: 'a>(observer: Option<Observer>, answer: RedisFuture<'a, T>) -> RedisFuture<'a, T> {
        match observer {
            Some(observer) => Box::pin(observer.watch(answer)),
            None => answer,
        }
    }
}

/// The connection of all commands, as it is now.
pub(super) struct Current {
    nodes: Nodes,
    connection: RwLock<Connection>,
}

impl Current {
    /// Connects, or fails after some seconds.
    pub(super) async fn open(nodes: Nodes, observer: Option<Observer>) -> RedisResult<Self> {
        let connection = RwLock::new(Connection::open(&nodes, observer).await?);
        Ok(Current { nodes, connection })
    }

    /// The connection.
    pub(super) fn get(&self) -> Connection {
        self.connection.read().clone()
    }

    /// Gives the connection up. The next command makes another, to the server that is to be gone to now.
    pub(super) fn renew(&self) {
        let anew = self.get().anew(&self.nodes);
        match anew {
            Ok(connection) => *self.connection.write() = connection,
            Err(error) => tracing::warn!(%error, "a silent connection to the live state is kept"),
        }
    }
}

/// How connections are made and how long they are waited for.
fn managing() -> ConnectionManagerConfig {
    ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE_MAX))
        .set_connection_timeout(Some(CONNECT_MAX))
        .set_number_of_retries(RETRIES)
        .set_min_delay(RETRY_MIN)
        .set_max_delay(RETRY_MAX)
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        let answer = match &mut self.way {
            Way::One(connection) => connection.req_packed_command(cmd),
            Way::Cluster(connection) => connection.req_packed_command(cmd),
        };
        Self::observed(self.observer.clone(), answer)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        let answer = match &mut self.way {
            Way::One(connection) => connection.req_packed_commands(pipeline, offset, count),
            Way::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        };
        Self::observed(self.observer.clone(), answer)
    }

    fn get_db(&self) -> i64 {
        match &self.way {
            Way::One(connection) => connection.get_db(),
            Way::Cluster(connection) => connection.get_db(),
        }
    }
}
