//! The door of a server: who is let in, how many, and until when.

use std::{sync::Arc, time::Duration};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Proxies;

/// Connections in all.
pub const CONNECTIONS_MAX: u32 = 8192;
/// Connections from one address.
pub const CONNECTIONS_PER_ADDRESS_MAX: u32 = 512;
/// How long a connection has to say that it speaks HTTP.
pub const GREETING_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection may be without a call.
pub const IDLE_WITHIN: Duration = Duration::from_mins(10);
/// How long a client has to take the whole of an answer; what there is of a stream waits twice as long.
pub const TAKEN_WITHIN: Duration = Duration::from_mins(1);
/// How long the whole of a stop may take.
pub const STOP_WITHIN: Duration = Duration::from_secs(30);
/// Descriptors that are kept for everything but the connections of clients: databases, live state, files.
pub const DESCRIPTORS_RESERVED: u32 = 192;
/// However few descriptors there are, so many connections may come.
const CONNECTIONS_MIN: u32 = 16;

/// Who is let in, how many, and until when.
#[derive(Clone, Debug)]
pub struct Door {
    /// Connections in all.
    pub connections: u32,
    /// Connections from one address (with IPv6: one network of 64 bits).
    pub connections_per_address: u32,
    /// How long a connection has for its first bytes: TLS, and the preface of HTTP/2.
    pub greeting_within: Duration,
    /// How long a connection may be without a call.
    pub idle_within: Duration,
    /// How long a client has to take the whole of an answer; what there is of a stream waits twice as long.
    pub taken_within: Duration,
    /// How long the whole of a stop may take.
    pub stop_within: Duration,
    /// The proxies that are believed.
    pub proxies: Proxies,
    /// Whether the proxies speak the PROXY protocol.
    pub proxy_protocol: bool,
    /// How TLS is spoken, if it is.
    pub tls: Option<Arc<rustls::ServerConfig>>,
}

impl Default for Door {
    fn default() -> Self {
        Door {
            connections: CONNECTIONS_MAX,
            connections_per_address: CONNECTIONS_PER_ADDRESS_MAX,
            greeting_within: GREETING_WITHIN,
            idle_within: IDLE_WITHIN,
            taken_within: TAKEN_WITHIN,
            stop_within: STOP_WITHIN,
            proxies: Proxies::default(),
            proxy_protocol: false,
            tls: None,
        }
    }
}

impl Door {
    /// How many connections there may be: no more than there are descriptors for.
    pub(super) fn connections_max(&self) -> u32 {
        let descriptors = u32::try_from(descriptors()).unwrap_or(u32::MAX);
        let room = descriptors.saturating_sub(DESCRIPTORS_RESERVED.min(descriptors / 2)).max(CONNECTIONS_MIN);
        if room < self.connections {
            let asked = self.connections;
            tracing::warn!("{descriptors} descriptors are enough for {room} connections, not for {asked}");
        }
        self.connections.min(room)
    }
}

/// How many descriptors the process may have, after it has asked for as many as it is allowed.
fn descriptors() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum && setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok() {
        return maximum.unwrap_or(u64::MAX);
    }
    current.unwrap_or(u64::MAX)
}
