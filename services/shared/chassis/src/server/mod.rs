//! The server: one port for gRPC, gRPC-web and the few plain HTTP routes, with its layers in order.

mod accept;
mod connection;
mod connections;
mod deadline;
mod details;
mod door;
mod greeting;
mod load;
mod measure;
mod methods;
mod middleware;
mod named;
mod open;
mod proxies;
mod rate;
mod secret;
mod stopping;
mod traced;
mod web;
mod work;

use std::{io, net::SocketAddr, sync::Arc, task::Poll, time::Duration};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderName, HeaderValue, header};
use http_body::Frame;
use tokio::net::{TcpListener, TcpSocket};
use tonic::{Status, body::Body, service::Routes};
use tonic_health::pb::health_server::HealthServer;
use tower::{ServiceBuilder, util::BoxCloneSyncService};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use self::{middleware::Around, named::Naming};
pub use details::details;
pub use door::{
    CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX, DESCRIPTORS_RESERVED, Door, GREETING_WITHIN, IDLE_WITHIN,
    STOP_WITHIN, TAKEN_WITHIN,
};
pub use open::{OPEN_PER_ACCOUNT, OPEN_PER_ADDRESS};
pub use proxies::Proxies;
pub use rate::{ACCOUNT_PER_S, ADDRESS_PER_S, RateLimits};
pub use secret::CALENDAR_PATH;
use web::WebLayer;
pub use work::{Road, Roads};

use crate::{
    Env, Lifecycle,
    auth::{AuthLayer, Verifier},
    health::{self, HealthApi},
    limit::{Amount, Limit},
    metrics::Metric,
    trace::{TRACEPARENT, Tracing},
};

/// A request must have its first answer by then; streams may go on after it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Streams that one connection may have open at once.
pub const STREAMS_MAX: u32 = 4096;
/// What of an answer is kept for a stream whose client does not take it, beside what the service itself keeps.
const SEND_BUFFER_BYTES_MAX: usize = 64 * 1024;
/// Header bytes of one request.
const HEADER_BYTES_MAX: u32 = 16 * 1024;
/// How long a request over HTTP/1 has for its headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;
/// A connection that does not answer a ping within this is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(30);

/// The limits of the server.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "connections in all",
        amount: Amount::Count(CONNECTIONS_MAX as u64),
        setting: Some("--connections"),
        reason: "an idle one costs some 30 KiB; beyond it, or when descriptors are short, the oldest idle ones are \
                 closed first",
    },
    Limit {
        name: "connections from one address",
        amount: Amount::Count(CONNECTIONS_PER_ADDRESS_MAX as u64),
        setting: Some("--connections-per-address"),
        reason: "a school behind one address has a few each; nobody may take all (IPv6: a network of 64 bits is one \
                 address; proxies that are trusted are not counted)",
    },
    Limit {
        name: "descriptors that connections leave free",
        amount: Amount::Count(door::DESCRIPTORS_RESERVED as u64),
        setting: None,
        reason: "databases, live state and files need theirs; of few descriptors one half is kept",
    },
    Limit {
        name: "time to the first bytes",
        amount: Amount::Time(GREETING_WITHIN),
        setting: Some("--greeting-within"),
        reason: "TLS and the preface of HTTP/2 take two or three ways there and back",
    },
    Limit {
        name: "time without a call",
        amount: Amount::Time(IDLE_WITHIN),
        setting: Some("--idle-within"),
        reason: "whoever comes back connects again without noticing",
    },
    Limit {
        name: "time for the headers of a request over HTTP/1",
        amount: Amount::Time(HEADER_TIMEOUT),
        setting: None,
        reason: "headers fit into one packet or two",
    },
    Limit {
        name: "time between two pings of a connection over HTTP/2",
        amount: Amount::Time(KEEPALIVE_INTERVAL),
        setting: None,
        reason: "a client that is gone without a word is found within a minute",
    },
    Limit {
        name: "time to answer a ping",
        amount: Amount::Time(KEEPALIVE_TIMEOUT),
        setting: None,
        reason: "longer than any network that games can be played over",
    },
    Limit {
        name: "bytes that a proxy says before a connection",
        amount: Amount::Bytes(greeting::PROXY_HEADER_BYTES_MAX as u64),
        setting: None,
        reason: "the addresses need 56; the rest are remarks that are not read",
    },
    Limit {
        name: "bytes that a stream keeps for a client who does not take them",
        amount: Amount::Bytes(SEND_BUFFER_BYTES_MAX as u64),
        setting: None,
        reason: "a network half-way round the globe takes as many at a time; a stalled stream costs little",
    },
    Limit {
        name: "time of a whole stop",
        amount: Amount::Time(STOP_WITHIN),
        setting: Some("--stop-within"),
        reason: "process managers kill after as long; three quarters are for calls under way, the rest for tasks",
    },
    Limit {
        name: "time to the first answer",
        amount: Amount::Time(ANSWER_TIMEOUT),
        setting: None,
        reason: "what takes longer is stuck; streams may go on after their first answer",
    },
    Limit {
        name: "work of strangers at once, for each core",
        amount: Amount::Count(load::STRANGERS_PER_CORE as u64),
        setting: None,
        reason: "in units of half a millisecond (GetGame 4, ListGames 16): whoever looks without an account keeps \
                 nobody from his move, and one of two cores free",
    },
    Limit {
        name: "work of members beside their acts at once, for each core",
        amount: Amount::Count(load::MEMBERS_PER_CORE as u64),
        setting: None,
        reason: "in the same units; signing in counts here",
    },
    Limit {
        name: "acts at once, for each core",
        amount: Amount::Count(load::ACTS_PER_CORE as u64),
        setting: None,
        reason: "as many as are answered within a second or two when nothing else is done",
    },
    Limit {
        name: "work in all at which strangers are kept out, for each core",
        amount: Amount::Count(load::STRANGERS_OUT_PER_CORE as u64),
        setting: None,
        reason: "when acts pile up, the least is shed first",
    },
    Limit {
        name: "work in all at which only acts are let in, for each core",
        amount: Amount::Count(load::MEMBERS_OUT_PER_CORE as u64),
        setting: None,
        reason: "what members look at is shed next",
    },
    Limit {
        name: "time that a call waits for its place",
        amount: Amount::Time(load::WAIT),
        setting: None,
        reason: "a burst passes in less; then it is better to say so",
    },
    Limit {
        name: "units of calls a second for each account",
        amount: Amount::PerSecond(rate::ACCOUNT_PER_S as u64),
        setting: Some("--calls-per-account"),
        reason: "an act is one unit, a dear read up to 32; four seconds may be saved up",
    },
    Limit {
        name: "units of calls a second for each address, without an account",
        amount: Amount::PerSecond(rate::ADDRESS_PER_S as u64),
        setting: Some("--calls-per-address"),
        reason: "a school behind one address watches together; four seconds may be saved up",
    },
    Limit {
        name: "calls and streams that an account has open at once",
        amount: Amount::Count(OPEN_PER_ACCOUNT as u64),
        setting: Some("--open-per-account"),
        reason: "a bot with a thousand games watches each and calls besides",
    },
    Limit {
        name: "calls and streams that an address has open at once, without an account",
        amount: Amount::Count(OPEN_PER_ADDRESS as u64),
        setting: Some("--open-per-address"),
        reason: "a school behind one address watches together; some thirty addresses would have to join to take every \
                 connection",
    },
    Limit {
        name: "time to take the whole of an answer",
        amount: Amount::Time(TAKEN_WITHIN),
        setting: None,
        reason: "the longest game goes over a slow line in less; then its connection is cut",
    },
    Limit {
        name: "time to take what there is of a stream",
        amount: Amount::Time(Duration::from_secs(TAKEN_WITHIN.as_secs() * 2)),
        setting: None,
        reason: "services end a stream that is not read after half as long, with a reason; then its connection is cut",
    },
    Limit {
        name: "time of a connection that is told to leave",
        amount: Amount::Time(connection::LEAVE_WITHIN),
        setting: None,
        reason: "it was idle when it was told, and whoever began something just then has an answer by then",
    },
    Limit {
        name: "streams of one connection",
        amount: Amount::Count(STREAMS_MAX as u64),
        setting: None,
        reason: "twice what an account may have open",
    },
    Limit {
        name: "headers of one request",
        amount: Amount::Bytes(HEADER_BYTES_MAX as u64),
        setting: None,
        reason: "a token with every role has about two KiB",
    },
];

/// What is measured of calls and connections.
pub const METRICS: &[&[Metric]] = &[measure::METRICS, accept::METRICS];

/// How calls are answered, beside what the services do.
#[derive(Debug)]
pub struct Answers {
    /// Tells who is calling.
    pub verifier: Arc<Verifier>,
    /// How often one caller may call.
    pub rates: RateLimits,
    /// Which calls are collected, and which are slow.
    pub tracing: Tracing,
}

/// Adds health checks, `GET /readyz` and reflection to `routes`: each of the `services` by its gRPC name, with the
/// service of the platform that it belongs to.
///
/// # Errors
/// When the descriptors that were compiled in cannot be read.
pub fn with_standard_services(
    routes: Routes,
    services: &[(&'static str, &'static str)],
    lifecycle: &Lifecycle,
    env: &Env,
) -> Result<Routes, tonic_reflection::server::Error> {
    let reflection = || {
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(api::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .with_service_name("grpc.health.v1.Health");
        services.iter().fold(reflection, |reflection, (name, _)| reflection.with_service_name(*name))
    };
    let health = HealthServer::new(HealthApi::new(lifecycle, services));
    // Clients of some years ago know the alpha of the protocol alone.
    let routes = routes.add_service(health).add_service(reflection().build_v1()?);
    let routes = routes.add_service(reflection().build_v1alpha()?);
    // A router has one fallback, and the services have theirs.
    Ok(Routes::from(routes.into_axum_router().merge(health::route(lifecycle, env))))
}

/// Serves until the lifecycle is told to stop; then tells everybody to come again, lets the calls under way finish
/// for three quarters of the time that a stop may take, and cuts the rest.
///
/// The layers, from the outside in: CORS (a browser's preflight has no token), gRPC-web (from here on all
/// but plain HTTP is gRPC), what is measured of calls, the end of streams when the server stops, error details (sees every answer), the time
/// that a call may take, who is calling, the trace that it is part of, the naming of who is limited, how often he calls, how much he has open, whether
/// there is room for it, and then the services.
pub fn serve(
    listener: TcpListener,
    routes: Routes,
    answers: Answers,
    door: Door,
    lifecycle: &Lifecycle,
) -> BoxFuture<'_, ()> {
    let layers = ServiceBuilder::new()
        .layer(cors())
        .layer(WebLayer)
        .layer(Around(measure::Measured::new(lifecycle.metrics().clone())))
        .layer(Around(stopping::Stopping::new(lifecycle.stopping())))
        .layer(details())
        .layer(Around(deadline::Deadlines::new(ANSWER_TIMEOUT)))
        .layer(AuthLayer::new(answers.verifier))
        .layer(Around(traced::Traced::new(answers.tracing)))
        .layer(Around(Naming::new()))
        .layer(Around(rate::CallRates::new(answers.rates)))
        .layer(Around(open::OpenCalls::new(answers.rates.account_open, answers.rates.address_open)))
        .layer(load::LoadLayer::new(cores()));
    let service = BoxCloneSyncService::new(layers.service(routes));
    // A boxed future is compiled here, once; another one would be wherever it is awaited, with all that it serves.
    Box::pin(accept::serve(listener, service, door, lifecycle))
}

/// The cores of the machine.
fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// Opens the port; port 0 picks a free one. A port that is shared may be opened by several processes that all
/// say so: each connection comes to one of them and stays there, so that a new process takes over from an old one; load is
/// not spread by it, because most clients, and every gateway, make all their calls over one connection. Otherwise a second process is refused, which is what somebody
/// wants who starts a platform twice by mistake.
///
/// # Errors
/// When the address cannot be listened on.
pub fn listen(address: SocketAddr, share: bool) -> io::Result<(TcpListener, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    if share {
        socket.set_reuseport(true)?;
    }
    socket.bind(address)?;
    let listener = socket.listen(BACKLOG)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Any page may call the API: tokens travel in a header that no browser adds by itself.
fn cors() -> CorsLayer {
    const EXPOSED: [HeaderName; 5] = [
        HeaderName::from_static("grpc-status"),
        HeaderName::from_static("grpc-message"),
        HeaderName::from_static("grpc-status-details-bin"),
        LIMIT_HEADER,
        header::RETRY_AFTER,
    ];
    const ALLOWED: [HeaderName; 6] = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("x-grpc-web"),
        HeaderName::from_static("x-user-agent"),
        HeaderName::from_static("grpc-timeout"),
        HeaderName::from_static(TRACEPARENT),
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::any())
        .allow_methods(Any)
        .allow_headers(ALLOWED)
        .expose_headers(EXPOSED)
        .max_age(Duration::from_hours(1))
}

/// In what a refusal says which limit was met: `calls-per-second=200`, `message-bytes=1048576`.
const LIMIT_HEADER: HeaderName = HeaderName::from_static("shoutan-limit");

/// Says in the headers of a refusal which limit was met.
fn limited(mut refusal: http::Response<Body>, name: &str, amount: u64) -> http::Response<Body> {
    if let Ok(value) = HeaderValue::try_from(format!("{name}={amount}")) {
        refusal.headers_mut().insert(LIMIT_HEADER, value);
    }
    refusal
}

/// Says in the headers of a refusal when to come again, in whole seconds as HTTP has it.
fn come_again(mut refusal: http::Response<Body>, wait: Duration) -> http::Response<Body> {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    refusal.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    refusal
}

/// What a body of an answer gives when it is polled.
pub type PolledFrame = Poll<Option<Result<Frame<Bytes>, Status>>>;

/// An answer without body for a request that a layer refuses.
fn refuse(answer: api::Error) -> http::Response<Body> {
    Status::from(answer).into_http()
}
