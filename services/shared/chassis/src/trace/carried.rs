//! Calls that a service makes for the sake of one that it answers.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use api::transport::{Transport, TransportError};
use futures::{FutureExt as _, future::BoxFuture};
use http::{Request, Response};
use tokio::time::Instant;
use tonic::body::Body;
use tower::Service;
use tracing::Instrument as _;

use super::{CALL, Call, Of, TARGET, TRACEPARENT};

/// The same transport, whose calls are part of the trace for the sake of which they are made.
pub fn carried(transport: Transport) -> Transport {
    Transport::new(Carried(transport))
}

#[derive(Clone)]
struct Carried(Transport);

impl Service<Request<Body>> for Carried {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Response<Body>, TransportError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Ok(call) = CALL.try_with(Arc::clone) else { return self.0.call(request) };
        let Some(path) = request.uri().path_and_query().cloned() else { return self.0.call(request) };
        let name = path.path().trim_start_matches('/');
        let span =
            tracing::debug_span!(target: TARGET, "call of another", otel.name = name, otel.kind = "client");
        let context = crate::telemetry::context(&span).unwrap_or(call.context);
        request.headers_mut().insert(TRACEPARENT, context.header());
        let since = Instant::now();
        let answer = self.0.call(request).instrument(span);
        async move {
            let answer = answer.await;
            Call::spent(&call, Of::Call(path), since.elapsed());
            answer
        }
        .boxed()
    }
}
