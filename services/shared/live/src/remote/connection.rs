//! The connection of all commands: to one server, or to the nodes of a cluster.

use std::time::Duration;

use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{Client, Cmd, ConnectionInfo, Pipeline, RedisFuture, RedisResult, TlsCertificates, Value};

use super::{CONNECT_MAX, RESPONSE_MAX, RETRIES, RETRY_MAX};
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
}

impl Servers {
    /// How those that are named are reached.
    pub(crate) fn infos(&self) -> &[ConnectionInfo] {
        match self {
            Servers::One(info) => std::slice::from_ref(info),
            Servers::Cluster(nodes, _) => nodes,
        }
    }

    /// Clients of the servers that are named, each by itself.
    pub(super) fn each(&self) -> RedisResult<Vec<Client>> {
        match self {
            Servers::One(info) => Ok(vec![Client::open(info.as_ref().clone())?]),
            Servers::Cluster(nodes, None) => nodes.iter().map(|node| Client::open(node.clone())).collect(),
            Servers::Cluster(nodes, Some(tls)) => {
                nodes.iter().map(|node| Client::build_with_tls(node.clone(), tls.clone())).collect()
            }
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
    pub(super) async fn open(servers: &Servers, observer: Option<Observer>) -> RedisResult<Self> {
        Ok(Connection { way: Way::open(servers).await?, observer })
    }

    /// Another connection to a server, made by its first command: the manager by itself makes one only when the system tells it that
    /// the old one has ended, which of one that died without a word it does not. A cluster's looks after its own.
    pub(super) fn anew(&self, servers: &Servers) -> RedisResult<Self> {
        Ok(Connection { way: self.way.anew(servers)?, observer: self.observer.clone() })
    }

    /// What is answered, with whoever is to hear of it.
    fn observed<'a, T: 'a>(observer: Option<Observer>, answer: RedisFuture<'a, T>) -> RedisFuture<'a, T> {
        match observer {
            Some(observer) => Box::pin(observer.watch(answer)),
            None => answer,
        }
    }
}

impl Way {
    async fn open(servers: &Servers) -> RedisResult<Self> {
        match servers {
            Servers::One(info) => {
                let client = Client::open(info.as_ref().clone())?;
                Ok(Way::One(ConnectionManager::new_with_config(client, managing()).await?))
            }
            Servers::Cluster(nodes, tls) => {
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
                    builder = builder.certs(tls.clone());
                }
                Ok(Way::Cluster(builder.build()?.get_async_connection().await?))
            }
        }
    }

    fn anew(&self, servers: &Servers) -> RedisResult<Self> {
        match servers {
            Servers::One(info) => {
                let client = Client::open(info.as_ref().clone())?;
                Ok(Way::One(ConnectionManager::new_lazy_with_config(client, managing())?))
            }
            Servers::Cluster(..) => Ok(self.clone()),
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
