//! Where the live state is, and how it is reached.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use redis::io::tcp::{TcpSettings, socket2::TcpKeepalive};
use redis::{ConnectionInfo, IntoConnectionInfo as _};

use crate::limits::Limits;
use crate::memory::Memory;
use crate::remote::{Remote, Sentinels, Servers};
use crate::{Live, LiveError, Observer};

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
    observer: Option<Observer>,
}

#[derive(Clone)]
enum Store {
    Memory,
    Redis(Servers),
}

/// What the URL of a cluster begins with, and what that of each of its nodes does.
const CLUSTERS: [(&str, &str); 2] = [("redis-cluster://", "redis://"), ("rediss-cluster://", "rediss://")];

/// The same of sentinels.
const SENTINELS: [(&str, &str); 2] = [("redis-sentinel://", "redis://"), ("rediss-sentinel://", "rediss://")];
/// The port of a sentinel that names none.
const SENTINEL_PORT: u16 = 26_379;

impl Config {
    /// The live state in `place`: `memory`, or the URL of a Redis or Valkey server: `redis://host:6379/0`,
    /// `rediss://host:6379/0` (over TLS), `unix:///path/redis.sock`, `redis+unix:///path/redis.sock?db=1`; or of nodes of a Redis
    /// Cluster, the more of them the better: `redis-cluster://user:password@one:6379,two:6379,three:6379`, `rediss-cluster://…`; or of
    /// sentinels with the name that they have for a server and its replicas:
    /// `redis-sentinel://user:password@one:26379,two:26379,three:26379/name/0?sentinel_user=user&sentinel_password=password`,
    /// `rediss-sentinel://…`; what stands in front is of the server, and all but hosts and name may be left away.
    /// The prefix is `shoutan`.
    ///
    /// # Errors
    /// [`LiveError::Config`] if it is neither. The text does not repeat the URL, which may hold a password.
    pub fn new(place: &str) -> Result<Self, LiveError> {
        let store = if place == "memory" {
            Store::Memory
        } else {
            let of = |kinds: [(&str, &'static str); 2]| {
                kinds.into_iter().find_map(|(begins, node)| Some((place.strip_prefix(begins)?, node)))
            };
            Store::Redis(if let Some((nodes, scheme)) = of(CLUSTERS) {
                Servers::Cluster(nodes_of(nodes, scheme)?, None)
            } else if let Some((named, scheme)) = of(SENTINELS) {
                Servers::Sentinels(Box::new(sentinels_of(named, scheme)?), None)
            } else {
                Servers::One(Box::new(server(place)?))
            })
        };
        Ok(Self { store, prefix: "shoutan".to_owned(), limits: Limits::default(), observer: None })
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
        let Store::Redis(servers) = &self.store else { return Err(without_tls()) };
        let infos = servers.infos();
        if !infos.iter().all(|info| matches!(info.addr(), redis::ConnectionAddr::TcpTls { .. })) {
            return Err(without_tls());
        }
        let tls = redis::TlsCertificates { client_tls: None, root_cert: Some(certificates) };
        let believing = |info: &ConnectionInfo| {
            let client = redis::Client::build_with_tls(info.clone(), tls.clone()).map_err(|error| {
                LiveError::Config(format!("the certificates of the authority cannot be used: {error}"))
            })?;
            Ok(client.get_connection_info().clone())
        };
        let infos: Vec<ConnectionInfo> = infos.iter().map(believing).collect::<Result<_, LiveError>>()?;
        self.store = Store::Redis(match servers {
            Servers::One(_) => Servers::One(Box::new(infos.into_iter().next().ok_or_else(without_tls)?)),
            Servers::Cluster(..) => Servers::Cluster(infos, Some(tls)),
            Servers::Sentinels(sentinels, _) => Servers::Sentinels(sentinels.clone(), Some(tls)),
        });
        Ok(self)
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same, with somebody who hears of every command to a Redis.
    #[must_use]
    pub fn with_observer(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Whether several processes may use this state; without connecting.
    pub fn shared(&self) -> bool {
        matches!(self.store, Store::Redis(_))
    }
}

/// How one server is reached.
fn server(url: &str) -> Result<ConnectionInfo, LiveError> {
    let info = url.into_connection_info().map_err(|error| {
        LiveError::Config(format!("neither `memory` nor the URL of a Redis server or cluster: {error}"))
    })?;
    if matches!(info.addr(), redis::ConnectionAddr::TcpTls { insecure: true, .. }) {
        let message = "a TLS that anybody could answer is none: name the authority instead of `#insecure`";
        return Err(LiveError::Config(message.to_owned()));
    }
    Ok(info.set_tcp_settings(tcp_settings()))
}

/// How the nodes of a cluster are reached: whose user and password stand before the first.
fn nodes_of(text: &str, scheme: &str) -> Result<Vec<ConnectionInfo>, LiveError> {
    let (user, hosts) = match text.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), text),
    };
    let nodes = hosts.split(',').map(|host| server(&format!("{scheme}{user}{host}")));
    let nodes: Vec<ConnectionInfo> = nodes.collect::<Result<_, LiveError>>()?;
    if nodes.iter().any(|node| node.redis_settings().db() != 0) {
        let message = "a Redis Cluster has no databases: leave the path away";
        return Err(LiveError::Config(message.to_owned()));
    }
    Ok(nodes)
}

/// How sentinels are reached, and the server that they name: `user:password@one,two/name/0?sentinel_password=…`.
fn sentinels_of(text: &str, scheme: &str) -> Result<Sentinels, LiveError> {
    let (text, parameters) = text.split_once('?').unwrap_or((text, ""));
    let login = sentinel_login(parameters)?;
    let (user, rest) = match text.rsplit_once('@') {
        Some((user, rest)) => (format!("{user}@"), rest),
        None => (String::new(), text),
    };
    let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (service, database) = path.split_once('/').unwrap_or((path, "0"));
    if service.is_empty() || service.contains('#') {
        let message = "sentinels need the name of the servers behind them: redis-sentinel://host,host/name";
        return Err(LiveError::Config(message.to_owned()));
    }
    let sentinel = |host: &str| {
        let has_port =
            host.rsplit_once(':').is_some_and(|(name, _)| !name.starts_with('[') || name.ends_with(']'));
        let port = if has_port { String::new() } else { format!(":{SENTINEL_PORT}") };
        server(&format!("{scheme}{login}{host}{port}"))
    };
    let nodes = hosts.split(',').map(sentinel).collect::<Result<_, LiveError>>()?;
    // Where it is the sentinels say.
    let named = server(&format!("{scheme}{user}localhost/{database}"))?;
    Ok(Sentinels { nodes, service: service.to_owned(), server: named.redis_settings().clone() })
}

/// As whom sentinels are asked, as it stands before an address.
fn sentinel_login(parameters: &str) -> Result<String, LiveError> {
    let (mut user, mut password) = ("", "");
    for parameter in parameters.split('&').filter(|it| !it.is_empty()) {
        match parameter.split_once('=') {
            Some(("sentinel_user", value)) => user = value,
            Some(("sentinel_password", value)) => password = value,
            _ => {
                let message =
                    "sentinels are asked with `sentinel_user` and `sentinel_password`, and nothing else";
                return Err(LiveError::Config(message.to_owned()));
            }
        }
    }
    Ok(if user.is_empty() && password.is_empty() { String::new() } else { format!("{user}:{password}@") })
}

fn without_tls() -> LiveError {
    LiveError::Config("an authority is for a Redis that is reached over TLS: rediss://…".to_owned())
}

/// Whatever goes unheard for some seconds ends the connection: a timeout alone does not, and a connection that died
/// without a word would be used until the system gives up on it, a quarter of an hour later.
pub(crate) fn tcp_settings() -> TcpSettings {
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
            Store::Redis(servers) => {
                let places: Vec<String> = servers.infos().iter().map(|it| it.addr().to_string()).collect();
                places.join(",")
            }
        };
        let Self { prefix, limits, .. } = self;
        f.debug_struct("Config")
            .field("place", &place)
            .field("prefix", prefix)
            .field("limits", limits)
            .finish_non_exhaustive()
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
        Store::Redis(servers) => {
            let Config { prefix, limits, observer, .. } = config;
            Arc::new(Remote::connect(servers.clone(), prefix, *limits, observer.clone()).await?)
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
            "redis-cluster://a:1,b:2,c",
            "redis-cluster://u:p@a:1,[::1]:2",
            "rediss-cluster://a:1",
            "redis-sentinel://a:1,b:2,c/name",
            "redis-sentinel://u:p@a,[::1]:2,[::1]/name/3?sentinel_user=s&sentinel_password=q",
            "rediss-sentinel://a/name?sentinel_password=q",
        ] {
            assert!(Config::new(place).unwrap().shared(), "{place}");
        }
        assert!(!Config::new("memory").unwrap().shared());
        for place in [
            "",
            "memory ",
            "http://h",
            "/a/b.sock",
            "redis://h/x",
            "rediss://h:1/#insecure",
            "redis-cluster://",
            "redis-cluster://a:1,",
            "redis-cluster://a:1/3",
            "rediss-cluster://a:1,b:1/#insecure",
            "redis-sentinel://",
            "redis-sentinel://a:1",
            "redis-sentinel://a:1/",
            "redis-sentinel://a:1,/name",
            "redis-sentinel://a:1/name/x",
            "redis-sentinel://a:1/name?other=1",
            "rediss-sentinel://a:1/name/0#insecure",
        ] {
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
        let shown = format!("{:?}", Config::new("redis-cluster://user:hunter2@h:1,i:2").unwrap());
        assert!(shown.contains("h:1,i:2") && !shown.contains("hunter2"), "{shown}");
        let sentinels = "redis-sentinel://user:hunter2@h:1,i/name?sentinel_password=hunter2";
        let shown = format!("{:?}", Config::new(sentinels).unwrap());
        assert!(shown.contains("h:1,i:26379") && !shown.contains("hunter2"), "{shown}");
        for place in [
            "redis://user:hunter2@h/x",
            "redis-cluster://user:hunter2@h,i/x",
            "redis-sentinel://user:hunter2@h,i?sentinel_password=hunter2",
            "redis-sentinel://user:hunter2@h/name/x?sentinel_password=hunter2",
        ] {
            let error = Config::new(place).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        }
    }
}
