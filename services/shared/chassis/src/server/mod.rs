//! The server: one port for gRPC, gRPC-web and the few plain HTTP routes, with its layers in order.

mod details;
mod rate;
mod web;

use std::{future::Future, io, net::SocketAddr, sync::Arc, time::Duration};

use http::{HeaderName, header};
use tokio::net::{TcpListener, TcpSocket};
use tonic::{
    body::Body,
    service::Routes,
    transport::{Server, server::TcpIncoming},
};
use tower::ServiceBuilder;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

pub use details::DetailsLayer;
pub use rate::{RateLayer, RateLimits};
use web::WebLayer;

use crate::{
    auth::{AuthLayer, Verifier},
    limit::{Amount, Limit},
};

/// A request must have its first answer by then; streams may go on after it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Streams that one connection may have open at once.
const STREAMS_MAX: u32 = 4096;
/// Header bytes of one request.
const HEADER_BYTES_MAX: u32 = 16 * 1024;
/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;
/// A connection that does not answer a ping within this is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(30);

/// The limits of the server.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "time to the first answer",
        amount: Amount::Time(ANSWER_TIMEOUT),
        setting: None,
        reason: "what takes longer is stuck; streams may go on after their first answer",
    },
    Limit {
        name: "streams of one connection",
        amount: Amount::Count(STREAMS_MAX as u64),
        setting: None,
        reason: "a bot with a thousand games watches each and calls besides",
    },
    Limit {
        name: "headers of one request",
        amount: Amount::Bytes(HEADER_BYTES_MAX as u64),
        setting: None,
        reason: "a token with every role has about two KiB",
    },
];

/// Adds health checks and reflection for the named services to `routes`.
///
/// # Errors
/// When the descriptors that were compiled in cannot be read.
pub async fn with_standard_services(
    routes: Routes,
    services: &[&'static str],
) -> Result<Routes, tonic_reflection::server::Error> {
    let (reporter, health) = tonic_health::server::health_reporter();
    for service in services {
        reporter.set_service_status(*service, tonic_health::ServingStatus::Serving).await;
    }
    let mut reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(api::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .with_service_name("grpc.health.v1.Health");
    for service in services {
        reflection = reflection.with_service_name(*service);
    }
    Ok(routes.add_service(health).add_service(reflection.build_v1()?))
}

/// Serves until `stop` is ready, then lets the requests under way finish.
///
/// The layers, from the outside in: CORS (a browser's preflight has no token), gRPC-web (from here on all
/// but plain HTTP is gRPC), error details (sees every answer), who is calling, how often, and then the services.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    routes: Routes,
    verifier: Arc<Verifier>,
    limits: RateLimits,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), tonic::transport::Error> {
    let layers = ServiceBuilder::new()
        .layer(cors())
        .layer(WebLayer)
        .layer(DetailsLayer)
        .layer(AuthLayer::new(verifier))
        .layer(RateLayer::new(limits));
    // The builder's own switch for small packets is not heard when the listener is brought along.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        .accept_http1(true)
        .timeout(ANSWER_TIMEOUT)
        .max_concurrent_streams(STREAMS_MAX)
        .http2_max_header_list_size(HEADER_BYTES_MAX)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .layer(layers)
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, stop)
        .await
}

/// Opens the port; port 0 picks a free one. A port that is shared may be opened by several processes that all
/// say so: each connection comes to one of them. Otherwise a second process is refused, which is what somebody
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
    const EXPOSED: [HeaderName; 3] = [
        HeaderName::from_static("grpc-status"),
        HeaderName::from_static("grpc-message"),
        HeaderName::from_static("grpc-status-details-bin"),
    ];
    const ALLOWED: [HeaderName; 5] = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("x-grpc-web"),
        HeaderName::from_static("x-user-agent"),
        HeaderName::from_static("grpc-timeout"),
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::any())
        .allow_methods(Any)
        .allow_headers(ALLOWED)
        .expose_headers(EXPOSED)
        .max_age(Duration::from_hours(1))
}

/// An answer without body for a request that a layer refuses.
fn refuse(fault: api::fault::Fault) -> http::Response<Body> {
    tonic::Status::from(fault).into_http()
}
