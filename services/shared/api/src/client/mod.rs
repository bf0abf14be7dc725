//! A small client kit: what every client of the API would otherwise write itself: connecting, staying signed
//! in, sending a command again with the same request id, and watching a game through broken connections.

mod chat;
mod commands;
mod player;
mod retry;
mod watch;

use std::{sync::Arc, time::Duration};

use tonic::transport::{ClientTlsConfig, Endpoint};
use uuid::Uuid;

pub use chat::ChatStream;
pub use player::{Credentials, Player};
pub use retry::{RetryPolicy, is_retryable, with_retry};
pub use watch::{GameStream, GameUpdate};

use crate::transport::{Transport, over};

/// Makes the ids of requests and tickets; UUIDv7 by preference.
pub type Ids = Arc<dyn Fn() -> Uuid + Send + Sync>;

/// The longest answer that is taken: a long game holds all its acts, and so does its record.
pub const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A connection that hears nothing sends a ping after this long.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// A ping must be answered within this, or the connection is made anew.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long making a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What a service keeps of an answer of another that is not taken of it yet: its client's hands are full.
const PEER_STREAM_WINDOW_BYTES: u32 = 64 * 1024;
/// The same of all answers on a connection together: as much as HTTP/2 can say, so that answers that are not taken keep
/// nobody else's from coming in. Each has its own bound.
const PEER_CONNECTION_WINDOW_BYTES: u32 = (1 << 31) - 1;

/// How long a service waits for a connection to another, for a ping to be due, and for its answer.
pub const PEER_SILENCE: Duration = Duration::from_secs(2);

/// Why a server's address cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{url} is not the address of a server; write it as http://HOST:PORT or https://HOST:PORT")]
pub struct InvalidAddress {
    url: String,
}

impl InvalidAddress {
    /// The refusal of an address.
    pub fn new(url: &str) -> Self {
        InvalidAddress { url: url.to_owned() }
    }
}

/// A transport to a server, http:// or https:// (with the authorities that the system knows, or those in the file that
/// `SSL_CERT_FILE` names). The connection is made when it is first used, and anew when it breaks.
///
/// Without the pings a connection that was cut without a word would stay dead for good.
///
/// # Errors
/// When the address is malformed.
pub fn connect(url: &str) -> Result<Transport, InvalidAddress> {
    lazily(url, endpoint(url)?)
}

/// The same for services that call each other: see [`peer_endpoint`].
///
/// # Errors
/// When the address is malformed.
pub fn connect_peer(url: &str) -> Result<Transport, InvalidAddress> {
    lazily(url, peer_endpoint(url)?)
}

fn lazily(url: &str, mut endpoint: Endpoint) -> Result<Transport, InvalidAddress> {
    if endpoint.uri().scheme_str() == Some("https") {
        let tls = ClientTlsConfig::new().with_native_roots();
        endpoint = endpoint.tls_config(tls).map_err(|_| InvalidAddress::new(url))?;
    }
    Ok(over(endpoint.connect_lazy()))
}

/// How to connect to a server, for who makes the connections himself.
///
/// # Errors
/// When the address is malformed.
pub fn endpoint(url: &str) -> Result<Endpoint, InvalidAddress> {
    let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| InvalidAddress::new(url))?;
    Ok(endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true))
}

/// The same for services that call each other: a peer that is silent for [`PEER_SILENCE`] counts as gone, because play
/// stands still meanwhile; and an answer that is not taken stops no other.
///
/// # Errors
/// When the address is malformed.
pub fn peer_endpoint(url: &str) -> Result<Endpoint, InvalidAddress> {
    Ok(endpoint(url)?
        .connect_timeout(PEER_SILENCE)
        .initial_stream_window_size(PEER_STREAM_WINDOW_BYTES)
        .initial_connection_window_size(PEER_CONNECTION_WINDOW_BYTES)
        .http2_keep_alive_interval(PEER_SILENCE)
        .keep_alive_timeout(PEER_SILENCE))
}
