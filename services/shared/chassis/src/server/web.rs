//! Tells plain HTTP from gRPC-web.
//!
//! The layer that translates gRPC-web refuses everything else that comes over HTTP/1.1; but documents such as
//! the public keys are fetched by plain GET, which gRPC never uses.

use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::{Method, Request, Response};
use tonic::body::Body;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Layer, Service, ServiceExt as _};

/// Translates gRPC-web, and lets plain GETs through as they are.
#[derive(Clone, Copy, Debug)]
pub struct WebLayer;

/// See [`WebLayer`].
#[derive(Clone, Debug)]
pub struct WebService<S> {
    plain: S,
    grpc: GrpcWebService<S>,
}

impl<S: Clone> Layer<S> for WebLayer {
    type Service = WebService<S>;

    fn layer(&self, inner: S) -> WebService<S> {
        WebService { plain: inner.clone(), grpc: GrpcWebLayer::new().layer(inner) }
    }
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        // Which of the two is called is known with the request only; `oneshot` waits until that one is ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if request.method() == Method::GET {
            Box::pin(self.plain.clone().oneshot(request))
        } else {
            Box::pin(self.grpc.clone().oneshot(request))
        }
    }
}
