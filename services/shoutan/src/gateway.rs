//! The gateway of a platform of several processes: one address for clients, which passes each call on to
//! the service it is for.
//!
//! It reads nothing but the path. Internal services are not reachable through it.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use api::{
    game::v1::{ReportGatewayRequest, game_internal_service_client::GameInternalServiceClient},
    reason,
    transport::Transport,
};
use axum::Router;
use bytes::Bytes;
use chassis::auth;
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body::Frame;
use tokio_util::sync::CancellationToken;
use tonic::{Status, body::Body};
use tower::ServiceExt as _;

use crate::platform::Service;

/// How often a gateway says that it is up.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// Where the public keys are published, besides gRPC.
const JWKS_PATH: &str = "/.well-known/jwks.json";

/// Routes of every public service to the process that runs it. `way` gives the transport to a service;
/// `token` proves to it that the gateway is one, so that it believes where a request came from.
pub fn routes<T>(way: impl Fn(Service) -> Transport, token: T) -> Router
where
    T: Fn() -> String + Clone + Send + Sync + 'static,
{
    let mut router = Router::new();
    for service in Service::ALL {
        for name in service.public() {
            let path = format!("/{name}/{{method}}");
            router = router.route(&path, pass_on(way(service), token.clone()));
        }
    }
    router.route(JWKS_PATH, pass_on(way(Service::Identity), token))
}

/// Tells the game service that players can come through here, until `stop`. When nobody says so, their clocks
/// stand still.
pub async fn report(game: Transport, stop: CancellationToken) {
    let mut failing = false;
    while !stop.is_cancelled() {
        let answer =
            GameInternalServiceClient::new(game.clone()).report_gateway(ReportGatewayRequest {}).await;
        if let Err(status) = &answer
            && !failing
        {
            tracing::warn!(%status, "the game service does not hear that this gateway is up");
        }
        failing = answer.is_err();
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = tokio::time::sleep(REPORT_INTERVAL) => {}
        }
    }
}

fn pass_on<T>(transport: Transport, token: T) -> axum::routing::MethodRouter
where
    T: Fn() -> String + Clone + Send + Sync + 'static,
{
    axum::routing::any(move |mut request: Request<axum::body::Body>| {
        let transport = transport.clone();
        let proof = HeaderValue::try_from(token()).ok();
        let grpc = request.method() == Method::POST;
        async move {
            let address = auth::peer_address(request.extensions());
            let peer = address.and_then(|address| HeaderValue::try_from(address.to_string()).ok());
            for (name, value) in
                [(auth::SERVICE_HEADER, None), (auth::GATEWAY_HEADER, proof), (auth::PEER_HEADER, peer)]
            {
                // What a client put there itself must not get through.
                request.headers_mut().remove(name);
                if let Some(value) = value {
                    request.headers_mut().insert(name, value);
                }
            }
            let response: Response<Body> = match transport.oneshot(request.map(Body::new)).await {
                Ok(response) => response,
                Err(error) => {
                    tracing::warn!(%error, "a service cannot be reached");
                    unreachable_now().into_http()
                }
            };
            if !grpc {
                return response.map(axum::body::Body::new);
            }
            response.map(|body| axum::body::Body::new(Whole { body, over: false }))
        }
    })
}

/// What a client is told when the service for its call is not there.
fn unreachable_now() -> Status {
    let message = "the service cannot be reached; try again";
    Status::from(api::fault::Fault::unavailable(reason::SERVICE_UNREACHABLE, message))
}

/// An answer that ends with a status also when the service breaks off in the middle of it: a reset would reach the
/// client as an error of the protocol, of which nobody knows whether to try again.
struct Whole {
    body: Body,
    over: bool,
}

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.over {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Err(error)) => {
                tracing::warn!(%error, "a service broke off in the middle of an answer");
                self.over = true;
                let mut trailers = HeaderMap::new();
                Some(unreachable_now().add_header(&mut trailers).map(|()| Frame::trailers(trailers)))
            }
            frame => frame,
        })
    }
}
