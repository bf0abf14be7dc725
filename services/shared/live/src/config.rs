//! Where the live state is, and how it is reached.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use redis::io::tcp::{TcpSettings, socket2::TcpKeepalive};
use redis::{ConnectionInfo, IntoConnectionInfo as _};

use crate::limits::Limits;
use crate::memory::Memory;
use crate::remote::Remote;
use crate::{Live, LiveError};

/// How long a connection may be silent before the system asks the other end for a sign of life.
const SILENCE_MAX: Duration = Duration::from_secs(2);
/// The time between two such questions.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// How many of them may stay unanswered.
const PROBES: u32 = 2;
/// How long what was sent may stay unacknowledged by the other end's system.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(3);

/// The longest prefix, in bytes; it stands in every key.
const PREFIX_LEN_MAX: usize = 40;

/// Where the live state is. Debug shows no password.
#[derive(Clone)]
pub struct Config {
    store: Store,
    prefix: String,
    limits: Limits,
}

#[derive(Clone)]
enum Store {
    Memory,
    Redis(Box<ConnectionInfo>),
}

impl Config {
    /// The live state in `place`: `memory`, or the URL of a Redis or Valkey server: `redis://host:6379/0`,
    /// `rediss://host:6379/0` (over TLS), `unix:///path/redis.sock`, `redis+unix:///path/redis.sock?db=1`. The prefix is `shoutan`.
    ///
    /// # Errors
    /// [`LiveError::Config`] if it is neither. The text does not repeat the URL, which may hold a password.
    pub fn new(place: &str) -> Result<Self, LiveError> {
        let store = if place == "memory" {
            Store::Memory
        } else {
            let info = place.into_connection_info().map_err(|error| {
                LiveError::Config(format!("neither `memory` nor the URL of a Redis server: {error}"))
            })?;
            if matches!(info.addr(), redis::ConnectionAddr::TcpTls { insecure: true, .. }) {
                let message =
                    "a TLS that anybody could answer is none: name the authority instead of `#insecure`";
                return Err(LiveError::Config(message.to_owned()));
            }
            Store::Redis(Box::new(info.set_tcp_settings(tcp_settings())))
        };
        Ok(Self { store, prefix: "shoutan".to_owned(), limits: Limits::default() })
    }

    /// The same with another prefix of all keys, so that several platforms can share a server: 1..=40 letters,
    /// digits, `-`, `_` or `.`.
    ///
    /// # Errors
    /// [`LiveError::Config`] if it is anything else.
    pub fn with_prefix(mut self, prefix: &str) -> Result<Self, LiveError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if prefix.is_empty() || prefix.len() > PREFIX_LEN_MAX || !prefix.chars().all(allowed) {
            return Err(LiveError::Config(format!(
                "a prefix has 1 to {PREFIX_LEN_MAX} letters, digits, '-', '_' or '.'"
            )));
        }
        prefix.clone_into(&mut self.prefix);
        Ok(self)
    }

    /// The same, believing over TLS (`rediss://`) only the authorities of these certificates in PEM, instead of those
    /// that the system knows.
    ///
    /// # Errors
    /// [`LiveError::Config`] if the place is not reached over TLS, or there are none.
    pub fn with_authority(mut self, certificates: Vec<u8>) -> Result<Self, LiveError> {
        let Store::Redis(info) = &self.store else { return Err(without_tls()) };
        if !matches!(info.addr(), redis::ConnectionAddr::TcpTls { .. }) {
            return Err(without_tls());
        }
        let tls = redis::TlsCertificates { client_tls: None, root_cert: Some(certificates) };
        let client = redis::Client::build_with_tls(info.as_ref().clone(), tls).map_err(|error| {
            LiveError::Config(format!("the certificates of the authority cannot be used: {error}"))
        })?;
        self.store = Store::Redis(Box::new(client.get_connection_info().clone()));
        Ok(self)
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether several processes may use this state; without connecting.
    pub fn shared(&self) -> bool {
        matches!(self.store, Store::Redis(_))
    }
}

fn without_tls() -> LiveError {
    LiveError::Config("an authority is for a Redis that is reached over TLS: rediss://…".to_owned())
}

/// Whatever goes unheard for some seconds ends the connection: a timeout alone does not, and a connection that died
/// without a word would be used until the system gives up on it, a quarter of an hour later.
fn tcp_settings() -> TcpSettings {
    let probes =
        TcpKeepalive::new().with_time(SILENCE_MAX).with_interval(PROBE_INTERVAL).with_retries(PROBES);
    let settings = TcpSettings::default().set_nodelay(true).set_keepalive(probes);
    #[cfg(target_os = "linux")]
    let settings = settings.set_user_timeout(UNACKNOWLEDGED_MAX);
    settings
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &self.store {
            Store::Memory => "memory".to_owned(),
            Store::Redis(info) => info.addr().to_string(),
        };
        let Self { prefix, limits, .. } = self;
        f.debug_struct("Config")
            .field("place", &place)
            .field("prefix", prefix)
            .field("limits", limits)
            .finish()
    }
}

/// Makes an empty live state in memory, or connects to the one in Redis.
///
/// # Errors
/// [`LiveError::Unavailable`] or [`LiveError::Refused`] if a Redis server does not answer within some seconds,
/// or refuses.
pub async fn connect(config: &Config) -> Result<Arc<dyn Live>, LiveError> {
    Ok(match &config.store {
        Store::Memory => Arc::new(Memory::new(config.limits)),
        Store::Redis(info) => {
            Arc::new(Remote::connect(info.as_ref().clone(), &config.prefix, config.limits).await?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_prefixes_are_parsed() {
        for place in [
            "redis://h:1/2",
            "redis://u:p@h",
            "rediss://h:1",
            "unix:///a/b.sock",
            "redis+unix:///a?db=3",
            "redis://[::1]",
        ] {
            assert!(Config::new(place).unwrap().shared(), "{place}");
        }
        assert!(!Config::new("memory").unwrap().shared());
        for place in ["", "memory ", "http://h", "/a/b.sock", "redis://h/x", "rediss://h:1/#insecure"] {
            assert!(matches!(Config::new(place), Err(LiveError::Config(_))), "{place}");
        }
        for prefix in ["", "a:b", "a{", "é", &"a".repeat(41)] {
            assert!(Config::new("memory").unwrap().with_prefix(prefix).is_err(), "{prefix}");
        }
    }

    #[test]
    fn debug_and_errors_show_no_password() {
        let shown = format!("{:?}", Config::new("redis://user:hunter2@h:1").unwrap());
        assert!(shown.contains("h:1") && !shown.contains("hunter2"), "{shown}");
        let error = Config::new("redis://user:hunter2@h/x").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    }
}
