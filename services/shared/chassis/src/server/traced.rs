//! Each call is part of a trace, which logs name; where the time of slow ones went is said.

use std::{collections::HashMap, pin::Pin, sync::Arc, task::Context};

use bytes::Bytes;
use futures::FutureExt as _;
use http::{Extensions, Request, Response};
use http_body::SizeHint;
use tokio::time::Instant;
use tonic::{Status, body::Body};
use tower::Service;
use tracing::{Instrument as _, Span, field::Empty};

use super::{
    PolledFrame,
    methods::methods,
    middleware::{Answer, Middleware},
};
use crate::{
    auth::{self, Credential},
    throttle::Throttle,
    trace::{Call, TARGET, TRACEPARENT, TraceContext, Tracing},
};

/// Has every call be part of a trace.
#[derive(Clone, Debug)]
pub(super) struct Traced(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    tracing: Tracing,
    /// The methods of the API, and whether each answers with a stream.
    methods: HashMap<String, bool>,
    slow: Throttle,
}

impl Traced {
    /// A layer for every method of the API.
    pub(super) fn new(tracing: Tracing) -> Self {
        let methods = methods().iter().map(|method| (method.path(), method.is_stream)).collect();
        Traced(Arc::new(Inner { tracing, methods, slow: Throttle::new() }))
    }
}

impl Inner {
    /// Of what a request is part: of whatever a service of the platform says; what anybody else begins is collected as often as
    /// what begins here.
    fn of<B>(&self, request: &Request<B>) -> Option<TraceContext> {
        let of = TraceContext::of_header(request.headers().get(TRACEPARENT)?)?;
        Some(if is_ours(request.extensions()) { of } else { self.tracing.decide(of) })
    }

    fn answered(&self, call: &Call, since: Instant) {
        let took = since.elapsed();
        if took >= self.tracing.slow
            && let Some(held_back) = self.slow.admit()
        {
            let (took_ms, parts) = (took.as_millis(), call.told());
            tracing::warn!(took_ms, parts, held_back, "a call was slow");
        }
    }
}

/// Whether a service of the platform has made a request, or passed it on.
fn is_ours(extensions: &Extensions) -> bool {
    matches!(extensions.get(), Some(Credential::Service(_))) || auth::through_gateway(extensions)
}

impl Middleware for Traced {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let Some((method, is_stream)) = self.0.methods.get_key_value(request.uri().path()) else {
            return inner.call(request).boxed();
        };
        let (name, is_stream) = (method.trim_start_matches('/'), *is_stream);
        let span = tracing::info_span!(
            target: TARGET, "call", otel.name = name, otel.kind = "server", trace.id = Empty, request.id = Empty
        );
        let call = Call::begin(&span, self.0.of(&request), &self.0.tracing.env);
        span.record("trace.id", format_args!("{:032x}", call.context.trace));
        let (inner_of, since, of_stream) = (Arc::clone(&self.0), Instant::now(), span.clone());
        let answer = inner.call(request);
        let answering = async move {
            let answer = call.answer(answer).await;
            inner_of.answered(&call, since);
            answer.map(|answer| if is_stream { answer.map(|inner| within(inner, of_stream)) } else { answer })
        };
        answering.instrument(span).boxed()
    }
}

/// A stream whose messages are made within a span.
struct Within {
    inner: Body,
    span: Span,
}

fn within(inner: Body, span: Span) -> Body {
    Body::new(Within { inner, span })
}

impl http_body::Body for Within {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        let Within { inner, span } = self.get_mut();
        let _within = span.enter();
        Pin::new(inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
