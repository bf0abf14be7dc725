//! The gateway of a platform of several processes: one address for clients, which passes each call on to
//! the service it is for.
//!
//! It reads nothing but the path. Internal services are not reachable through it.

use api::transport::Transport;
use axum::Router;
use http::{Request, Response};
use tonic::{Status, body::Body};
use tower::ServiceExt as _;

use crate::platform::Service;

/// Where the public keys are published, besides gRPC.
const JWKS_PATH: &str = "/.well-known/jwks.json";

/// Routes of every public service to the process that runs it. `way` gives the transport to a service.
pub fn routes(way: impl Fn(Service) -> Transport) -> Router {
    let mut router = Router::new();
    for service in Service::ALL {
        router = router.route(&format!("/{}/{{method}}", service.public()), pass_on(way(service)));
    }
    router.route(JWKS_PATH, pass_on(way(Service::Identity)))
}

fn pass_on(transport: Transport) -> axum::routing::MethodRouter {
    axum::routing::any(move |request: Request<axum::body::Body>| {
        let transport = transport.clone();
        async move {
            let response: Response<Body> = match transport.oneshot(request.map(Body::new)).await {
                Ok(response) => response,
                Err(error) => {
                    tracing::warn!(%error, "a service cannot be reached");
                    let message = "the service cannot be reached; try again";
                    Status::from(api::fault::Fault::unavailable("SERVICE_UNREACHABLE", message)).into_http()
                }
            };
            response.map(axum::body::Body::new)
        }
    })
}
