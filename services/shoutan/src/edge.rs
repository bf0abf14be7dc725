//! Where a process meets the network: who may connect, over TLS or not, behind which proxies, and how it stops.

use std::{
    future::Future,
    io::Write as _,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use chassis::{
    Lifecycle, metrics,
    server::{self, Answers, CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX, Door, Proxies},
    tls::{self, Authority, Certificate},
};
use clap::Args;
use ipnet::IpNet;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    time::Instant,
};
use tonic::service::Routes;

use crate::allocator;

/// How long what is cut off has to be gone, before the process ends whatever it still does.
const CUT_WITHIN: Duration = Duration::from_secs(2);

/// Who may connect, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Connections")]
pub struct EdgeArgs {
    /// Connections in all; beyond them, or when descriptors are short, the oldest idle ones are closed first.
    #[arg(long, global = true, default_value_t = CONNECTIONS_MAX, env = "SHOUTAN_CONNECTIONS")]
    pub connections: u32,
    /// Connections from one address (with IPv6: one network of 64 bits).
    #[arg(long, global = true, default_value_t = CONNECTIONS_PER_ADDRESS_MAX, env = "SHOUTAN_CONNECTIONS_PER_ADDRESS")]
    pub connections_per_address: u32,
    /// How long a connection has for its first bytes, such as `10s`.
    #[arg(long, global = true, default_value = "10s", value_parser = span, env = "SHOUTAN_GREETING_WITHIN")]
    pub greeting_within: Duration,
    /// How long a connection may be without a call, such as `10m`.
    #[arg(long, global = true, default_value = "10m", value_parser = span, env = "SHOUTAN_IDLE_WITHIN")]
    pub idle_within: Duration,
    /// How long the whole of a stop may take (SIGTERM or Ctrl-C), such as `30s`: streams are told to come again, calls
    /// under way finish, and what is left is cut. A second signal cuts at once.
    #[arg(long, global = true, default_value = "30s", value_parser = span, env = "SHOUTAN_STOP_WITHIN")]
    pub stop_within: Duration,
    /// A proxy, or a network of proxies such as `10.0.0.0/8`, that is believed when it says where a request came from
    /// (X-Forwarded-For, Forwarded, or the PROXY protocol). May be given several times.
    #[arg(long, global = true, value_name = "CIDR", value_delimiter = ',', value_parser = network, env = "SHOUTAN_TRUSTED_PROXY")]
    pub trusted_proxy: Vec<IpNet>,
    /// The trusted proxies begin every connection with a header of the PROXY protocol, version 1 or 2.
    #[arg(long, global = true, env = "SHOUTAN_PROXY_PROTOCOL")]
    pub proxy_protocol: bool,
    /// The certificate (with its chain, PEM) with which to speak TLS. Read again when it changes.
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_TLS_CERT")]
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM).
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_TLS_KEY")]
    pub tls_key: Option<PathBuf>,
    /// Where Prometheus reads what the process measures, at /metrics, such as `127.0.0.1:9400`; port 0 picks a free one. Nowhere
    /// when absent. Whoever can reach it can read it.
    #[arg(long, global = true, value_name = "ADDR", env = "SHOUTAN_METRICS")]
    pub metrics: Option<SocketAddr>,
}

impl EdgeArgs {
    /// Opens the page of metrics, if there is to be one, and says where on standard output.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub fn open_metrics(&self, lifecycle: &Lifecycle) -> anyhow::Result<()> {
        let Some(address) = self.metrics else { return Ok(()) };
        let (listener, address) =
            server::listen(address, false).with_context(|| format!("listening on {address} for metrics"))?;
        allocator::measure(lifecycle.metrics());
        metrics::serve(listener, lifecycle);
        let mut out = std::io::stdout().lock();
        writeln!(out, "Metrics are at http://{address}{}", metrics::METRICS_PATH)?;
        out.flush()?;
        Ok(())
    }

    /// The door as it is asked for. Where services know each other by certificates, `services` is theirs: it stands in
    /// where no other certificate is named.
    ///
    /// # Errors
    /// When settings are missing, or files cannot be used.
    pub fn door(&self, lifecycle: &Lifecycle, services: Option<&Mutual>) -> anyhow::Result<Door> {
        anyhow::ensure!(
            !self.proxy_protocol || !self.trusted_proxy.is_empty(),
            "--proxy-protocol needs to know by --trusted-proxy whose word to take"
        );
        let own = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(watched(certificate, key, lifecycle)?),
            (None, None) => None,
            _ => anyhow::bail!("--tls-cert and --tls-key belong together"),
        };
        let certificate = own.or_else(|| services.map(|mutual| mutual.certificate.clone()));
        let authority = services.map(|mutual| &mutual.authority);
        let tls = certificate.map(|certificate| tls::server(&certificate, authority)).transpose()?;
        Ok(Door {
            connections: self.connections,
            connections_per_address: self.connections_per_address,
            greeting_within: self.greeting_within,
            idle_within: self.idle_within,
            stop_within: self.stop_within,
            proxies: Proxies::new(self.trusted_proxy.iter().copied()),
            proxy_protocol: self.proxy_protocol,
            tls,
            ..Door::default()
        })
    }
}

/// By what services of several processes know each other, instead of a shared secret.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Certificates between services")]
pub struct MutualArgs {
    /// The authority whose certificates services show each other, instead of sharing a secret (PEM). It must sign
    /// nothing but services: whoever has one of its certificates is one. Where services are is then https://….
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_SERVICES_CA")]
    pub services_ca: Option<PathBuf>,
    /// The certificate of this service by that authority (with its chain, PEM). Read again when it changes.
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_SERVICES_CERT")]
    pub services_cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, global = true, value_name = "FILE", env = "SHOUTAN_SERVICES_KEY")]
    pub services_key: Option<PathBuf>,
}

/// A service's certificate, and the authority of all of them.
#[derive(Clone, Debug)]
pub struct Mutual {
    /// The certificate of this service.
    pub certificate: Certificate,
    /// Who has signed it.
    pub authority: Authority,
}

impl MutualArgs {
    /// The certificates, if services are to know each other by them.
    ///
    /// # Errors
    /// When only some of the files are named, or cannot be used.
    pub fn open(&self, lifecycle: &Lifecycle) -> anyhow::Result<Option<Mutual>> {
        match (&self.services_ca, &self.services_cert, &self.services_key) {
            (None, None, None) => Ok(None),
            (Some(authority), Some(certificate), Some(key)) => {
                let authority = Authority::open(authority)?;
                Ok(Some(Mutual { certificate: watched(certificate, key, lifecycle)?, authority }))
            }
            _ => anyhow::bail!("--services-ca, --services-cert and --services-key belong together"),
        }
    }
}

fn watched(
    certificate: &std::path::Path,
    key: &std::path::Path,
    lifecycle: &Lifecycle,
) -> anyhow::Result<Certificate> {
    let certificate = Certificate::open(certificate, key)?;
    let (kept, stop) = (certificate.clone(), lifecycle.stopping());
    lifecycle.supervise(("process", "certificate"), move || kept.clone().watch(stop.clone()));
    Ok(certificate)
}

/// What tells the process to stop: SIGTERM and Ctrl-C.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("listening for signals");
        Ok(Signals {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
        })
    }

    /// What starting comes to; `None` when a signal comes first, and it is dropped where it is.
    pub async fn unless_told<T>(&mut self, starting: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.next() => {
                tracing::info!("told to stop before it was up");
                None
            }
            started = starting => Some(started),
        }
    }

    async fn next(&mut self) {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// What a process serves once it has started.
#[derive(Debug)]
pub struct Ready {
    /// Where it listens.
    pub listener: TcpListener,
    /// What answers.
    pub routes: Routes,
    /// How calls are answered.
    pub answers: Answers,
    /// Who may connect.
    pub door: Door,
}

/// Serves until a signal comes, and then stops, the whole of it within the time that the door gives: calls have three
/// quarters of it, tasks what is left. A second signal cuts everything at once.
///
/// # Errors
/// When it was cut.
pub async fn serve(ready: Ready, lifecycle: &Lifecycle, mut signals: Signals) -> anyhow::Result<()> {
    let Ready { listener, routes, answers, door } = ready;
    let stop_within = door.stop_within;
    let second = Arc::new(AtomicBool::new(false));
    tokio::spawn({
        let (lifecycle, second) = (lifecycle.clone(), Arc::clone(&second));
        async move {
            signals.next().await;
            tracing::info!("stopping: no new work is taken, what is under way is finished");
            lifecycle.stopping().cancel();
            tokio::select! {
                biased;
                () = signals.next() => {
                    tracing::warn!("a second signal: what is under way is cut off");
                    second.store(true, Ordering::SeqCst);
                    lifecycle.abort();
                }
                () = tokio::time::sleep(stop_within) => {}
            }
            tokio::time::sleep(CUT_WITHIN).await;
            tracing::error!("the process did not end in time; it is ended");
            std::process::exit(1);
        }
    });
    let began = async {
        lifecycle.stopping().cancelled_owned().await;
        Instant::now()
    };
    let (began, ()) = tokio::join!(began, server::serve(listener, routes, answers, door, lifecycle));
    lifecycle.drain(stop_within.saturating_sub(began.elapsed())).await;
    anyhow::ensure!(!second.load(Ordering::SeqCst), "cut off by a second signal");
    Ok(())
}

/// A span of time: `500ms`, `10s`, `10m` or `1h`, and never none.
///
/// # Errors
/// One sentence about what it is not.
pub(crate) fn span(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let count: u64 = number.parse().map_err(|_| "write it as 500ms, 10s, 10m or 1h".to_owned())?;
    let ms = match &text[number.len()..] {
        "ms" => 1,
        "s" | "" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("the unit is one of ms, s, m, h".to_owned()),
    };
    match count.checked_mul(ms) {
        None => Err("too long".to_owned()),
        Some(0) => Err("nothing can be done in no time".to_owned()),
        Some(ms) => Ok(Duration::from_millis(ms)),
    }
}

/// A network in CIDR notation, or an address by itself.
fn network(text: &str) -> Result<IpNet, String> {
    let alone = || text.parse().map(|address: std::net::IpAddr| IpNet::from(address));
    text.parse().or_else(|_| alone()).map_err(|_| "write it as 10.0.0.0/8 or 10.0.0.1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_networks_are_read_as_people_write_them() {
        assert_eq!(span("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(span("30"), Ok(Duration::from_secs(30)));
        assert_eq!(span("10m"), Ok(Duration::from_mins(10)));
        for bad in ["", "s", "0s", "1d", "-1s", "1.5s", "99999999999999999999h"] {
            assert!(span(bad).is_err(), "{bad}");
        }
        assert_eq!(network("10.0.0.1"), network("10.0.0.1/32"));
        assert!(network("10.0.0.0/33").is_err() && network("host").is_err());
    }
}
