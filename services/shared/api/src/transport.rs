//! The way to a service: a channel over the network, or the service itself in the same process.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderValue, Request, Response, header};
use tokio::sync::SetOnce;
use tonic::{body::Body, codegen::StdError};
use tower::{Service, ServiceExt as _, util::BoxCloneSyncService};

/// A way to a service, whatever lies in between. Every generated client takes one.
pub type Transport = BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>;

/// Why a request did not reach the service.
///
/// A type of its own, because futures over a bare boxed error are not seen to be `Send`.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TransportError(StdError);

/// Wraps anything that answers gRPC requests.
pub fn over<S, B>(service: S) -> Transport
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<StdError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<StdError>,
{
    Transport::new(
        service
            .map_response(|response| response.map(Body::new))
            .map_err(|error| TransportError(error.into())),
    )
}

/// Adds an `authorization` header to every request, made anew each time so that tokens may change.
pub fn with_bearer<F>(transport: Transport, token: F) -> Transport
where
    F: Fn() -> Option<String> + Clone + Send + Sync + 'static,
{
    Transport::new(tower::util::MapRequest::new(transport, move |mut request: Request<Body>| {
        let value = token().and_then(|token| HeaderValue::try_from(format!("Bearer {token}")).ok());
        if let Some(mut value) = value {
            value.set_sensitive(true);
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        request
    }))
}

/// A transport to services of the same process that are bound later than their clients are made.
///
/// Services know each other in circles (games ask clocks, clocks tell games), so their clients must exist
/// before they do. Until [`Loopback::bind`] is called every request waits for it.
#[derive(Clone, Default)]
pub struct Loopback {
    target: Arc<SetOnce<Transport>>,
}

impl Loopback {
    /// A loopback that leads nowhere yet.
    pub fn new() -> Self {
        Loopback::default()
    }

    /// Says where it leads. Only the first call counts.
    pub fn bind(&self, target: Transport) {
        let _already_bound = self.target.set(target);
    }

    /// The transport for clients.
    pub fn transport(&self) -> Transport {
        Transport::new(self.clone())
    }
}

impl Service<Request<Body>> for Loopback {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Response<Body>, TransportError>>;

    fn poll_ready(
        &mut self,
        _context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), TransportError>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if let Some(target) = self.target.get() {
            return Box::pin(target.clone().oneshot(request));
        }
        let target = Arc::clone(&self.target);
        Box::pin(async move { target.wait().await.clone().oneshot(request).await })
    }
}
