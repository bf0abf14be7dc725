//! Sentinels, which watch a server and its replicas, and say which of them is the master.

use std::sync::Arc;
use std::time::Duration;

use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{Client, ConnectionInfo, RedisConnectionInfo, RedisResult, TlsCertificates, TlsMode};
use tokio::time::sleep;

use super::connection::{Current, Master};
use super::link::in_time;
use super::{CONNECT_MAX, RESPONSE_MAX};
use crate::LiveError;

/// How often they are asked. Sentinels themselves need some seconds to agree that a server is gone.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long an answer may take: one of them may be gone, and the server that is named is asked whether it is the master.
const LOOK_MAX: Duration = CONNECT_MAX.saturating_mul(2).saturating_add(RESPONSE_MAX);

/// Where sentinels are, and how the server is reached that they name.
#[derive(Clone)]
pub(crate) struct Sentinels {
    /// They, at least one.
    pub nodes: Vec<ConnectionInfo>,
    /// What they call the server and its replicas.
    pub service: String,
    /// The database there, and whose it is.
    pub server: RedisConnectionInfo,
}

impl Sentinels {
    /// What asks them.
    pub(super) fn client(&self, tls: Option<&TlsCertificates>) -> RedisResult<SentinelClient> {
        let addresses = self.nodes.iter().map(|node| node.addr().clone());
        let mut builder = SentinelClientBuilder::new(addresses, &self.service, SentinelServerType::Master)?
            .set_client_to_redis_db(self.server.db())
            .set_client_to_redis_tcp_settings(crate::config::tcp_settings())
            .set_client_to_sentinel_tcp_settings(crate::config::tcp_settings());
        if let Some(user) = self.server.username() {
            builder = builder.set_client_to_redis_username(user);
        }
        if let Some(password) = self.server.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        let own = self.nodes.first().map(ConnectionInfo::redis_settings);
        if let Some(user) = own.and_then(RedisConnectionInfo::username) {
            builder = builder.set_client_to_sentinel_username(user);
        }
        if let Some(password) = own.and_then(RedisConnectionInfo::password) {
            builder = builder.set_client_to_sentinel_password(password);
        }
        if self.nodes.iter().any(|node| matches!(node.addr(), redis::ConnectionAddr::TcpTls { .. })) {
            builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
        }
        if let Some(tls) = tls {
            builder = builder
                .set_client_to_redis_certificates(tls.clone())
                .set_client_to_sentinel_certificates(tls.clone());
        }
        builder.build()
    }
}

/// The master, which says so itself.
pub(super) async fn master(sentinels: &mut SentinelClient) -> Result<Client, LiveError> {
    in_time(LOOK_MAX, sentinels.async_get_client()).await
}

/// Goes to another server for ever as soon as it is the master.
pub(super) async fn follow(mut sentinels: SentinelClient, current: Arc<Current>, known: Arc<Master>) {
    let address = |client: &Client| client.get_connection_info().addr().clone();
    let mut is_known = true;
    loop {
        sleep(LOOK_EVERY).await;
        let found = master(&mut sentinels).await;
        if let Err(error) = &found
            && is_known
        {
            tracing::warn!(%error, source = ?std::error::Error::source(error), "no sentinel names a master of the live state");
        }
        is_known = found.is_ok();
        let Ok(found) = found else { continue };
        if address(&found) != address(&known.get()) {
            tracing::warn!(address = %address(&found), "the live state has another master");
            known.becomes(found);
            current.renew();
        }
    }
}
