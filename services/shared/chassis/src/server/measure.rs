//! What is measured of calls: how many of each method were begun and how they ended, how long they took, and for which reasons they
//! were refused. The names of the first three are those that every gRPC server has for it.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::FutureExt as _;
use http::{HeaderMap, Request, Response, header};
use http_body::SizeHint;
use tokio::time::Instant;
use tonic::{Code, Status, body::Body};
use tower::Service;

use super::{
    PolledFrame,
    methods::{Method, methods},
    middleware::{Answer, Middleware},
};
use crate::metrics::{Counter, Histogram, Kind, Label, Metric, Metrics, SECONDS, Unit};

const SERVICE: Label = Label { name: "grpc_service", of: "services of the API; `other` for what is none" };
const METHOD: Label = Label { name: "grpc_method", of: "methods of the API; `other` for what is none" };
const CODE: Label = Label { name: "grpc_code", of: "the 17 codes of gRPC" };

const STARTED: Metric = Metric {
    name: "grpc_server_started",
    kind: Kind::Counter,
    unit: None,
    labels: &[SERVICE, METHOD],
    help: "Calls that were begun",
};
const HANDLED: Metric = Metric {
    name: "grpc_server_handled",
    kind: Kind::Counter,
    unit: None,
    labels: &[SERVICE, METHOD, CODE],
    help: "Calls that have ended, refused ones too; a stream has when it does, and is Cancelled when its client goes",
};
const HANDLING: Metric = Metric {
    name: "grpc_server_handling",
    kind: Kind::Histogram(SECONDS),
    unit: Some(Unit::Seconds),
    labels: &[SERVICE, METHOD],
    help: "How long calls took to their answer; streams to their beginning",
};
const REFUSALS: Metric = Metric {
    name: "shoutan_refusals",
    kind: Kind::Counter,
    unit: None,
    labels: &[Label { name: "reason", of: "the reasons of REASONS.md; `other` for what is none" }],
    help: "Calls that were refused or failed before they were answered, by the reason that they were told",
};

/// What is measured of calls.
pub(super) const METRICS: &[Metric] = &[STARTED, HANDLED, HANDLING, REFUSALS];

/// What stands for all that is not known.
const OTHER: &str = "other";

/// Measures every call.
#[derive(Clone, Debug)]
pub(super) struct Measured(Arc<Measures>);

#[derive(Debug)]
struct Measures {
    metrics: Metrics,
    methods: HashMap<String, Arc<OfMethod>>,
    other: Arc<OfMethod>,
    reasons: HashMap<&'static str, OnceLock<Counter>>,
}

/// What is measured of a method, from its first call on.
#[derive(Debug)]
struct OfMethod {
    method: Method,
    started: OnceLock<Counter>,
    handling: OnceLock<Histogram>,
    codes: [OnceLock<Counter>; CODES.len()],
}

/// All codes, each at its own number.
const CODES: [Code; 17] = [
    Code::Ok,
    Code::Cancelled,
    Code::Unknown,
    Code::InvalidArgument,
    Code::DeadlineExceeded,
    Code::NotFound,
    Code::AlreadyExists,
    Code::PermissionDenied,
    Code::ResourceExhausted,
    Code::FailedPrecondition,
    Code::Aborted,
    Code::OutOfRange,
    Code::Unimplemented,
    Code::Internal,
    Code::Unavailable,
    Code::DataLoss,
    Code::Unauthenticated,
];

impl Measured {
    /// A layer that counts into these.
    pub(super) fn new(metrics: Metrics) -> Self {
        let of = |method: Method| {
            Arc::new(OfMethod {
                method,
                started: OnceLock::new(),
                handling: OnceLock::new(),
                codes: std::array::from_fn(|_| OnceLock::new()),
            })
        };
        let other = Method { service: OTHER.to_owned(), name: OTHER.to_owned(), is_stream: false };
        let reasons = api::reason::ALL.iter().flat_map(|(_, reasons)| *reasons);
        Measured(Arc::new(Measures {
            metrics,
            methods: methods().iter().map(|method| (method.path(), of(method.clone()))).collect(),
            other: of(other),
            reasons: reasons
                .map(|reason| (reason.name(), OnceLock::new()))
                .chain([(OTHER, OnceLock::new())])
                .collect(),
        }))
    }
}

impl Measures {
    /// What a call is measured with; nothing if it is none of gRPC.
    fn of<B>(&self, request: &Request<B>) -> Option<&Arc<OfMethod>> {
        self.methods.get(request.uri().path()).or_else(|| {
            let content = request.headers().get(header::CONTENT_TYPE)?.as_bytes();
            content.starts_with(b"application/grpc").then_some(&self.other)
        })
    }

    fn start(&self, of: &OfMethod) {
        of.started.get_or_init(|| self.metrics.counter(&STARTED, &of.labels())).inc();
    }

    fn answered(&self, of: &OfMethod, since: Instant) {
        let handling = of.handling.get_or_init(|| self.metrics.histogram(&HANDLING, &of.labels()));
        handling.observe(since.elapsed().as_secs_f64());
    }

    fn ended(&self, of: &OfMethod, code: Code) {
        let [service, method] = of.labels();
        let counter = || self.metrics.counter(&HANDLED, &[service, method, &name(code)]);
        if let Some(ended) = of.codes.get(code as usize) {
            ended.get_or_init(counter).inc();
        }
    }

    /// A call was refused.
    fn refused(&self, status: &Status) {
        let reason = api::error::reason(status);
        let known = self.reasons.get_key_value(&*reason).or_else(|| self.reasons.get_key_value(OTHER));
        if let Some((reason, counter)) = known {
            counter.get_or_init(|| self.metrics.counter(&REFUSALS, &[reason])).inc();
        }
    }
}

impl OfMethod {
    fn labels(&self) -> [&str; 2] {
        [&self.method.service, &self.method.name]
    }
}

impl Middleware for Measured {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let Some(of) = self.0.of(&request).cloned() else { return inner.call(request).boxed() };
        let since = Instant::now();
        self.0.start(&of);
        // Dropped before its end, whoever called has gone.
        let mut call = Call { measures: Arc::clone(&self.0), of, ended: false };
        let answer = inner.call(request);
        async move {
            let answer = answer.await?;
            call.measures.answered(&call.of, since);
            match Status::from_header_map(answer.headers()) {
                Some(status) => {
                    if status.code() != Code::Ok {
                        call.measures.refused(&status);
                    }
                    call.end(status.code());
                }
                None if call.of.method.is_stream => {
                    return Ok(answer.map(|inner| Body::new(Measuring { inner, call })));
                }
                None => call.end(Code::Ok),
            }
            Ok(answer)
        }
        .boxed()
    }
}

/// A call under way.
#[derive(Debug)]
struct Call {
    measures: Arc<Measures>,
    of: Arc<OfMethod>,
    ended: bool,
}

impl Call {
    fn end(&mut self, code: Code) {
        if !std::mem::replace(&mut self.ended, true) {
            self.measures.ended(&self.of, code);
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

/// A stream whose end is counted.
struct Measuring {
    inner: Body,
    call: Call,
}

impl http_body::Body for Measuring {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        let frame = Pin::new(&mut self.inner).poll_frame(context);
        match &frame {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    self.call.end(code(trailers));
                }
            }
            Poll::Ready(Some(Err(status))) => self.call.end(status.code()),
            Poll::Ready(None) => self.call.end(Code::Ok),
            Poll::Pending => {}
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

fn code(trailers: &HeaderMap) -> Code {
    Status::from_header_map(trailers).map_or(Code::Ok, |status| status.code())
}

/// The name of a code, as other servers have it.
fn name(code: Code) -> String {
    if code == Code::Ok { "OK".to_owned() } else { format!("{code:?}") }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use api::reason;
    use http_body_util::BodyExt as _;
    use tower::{Layer as _, ServiceExt as _, service_fn};

    use super::{super::middleware::Around, *};
    use crate::metrics::Format;

    const PLAY: &str = "/shoutan.game.v1.GameService/Play";
    const WATCH: &str = "/shoutan.game.v1.GameService/Watch";

    fn request(path: &str) -> Request<Body> {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/grpc");
        request.body(Body::empty()).expect("a request")
    }

    /// Calls a method that is answered so.
    async fn call(measured: &Measured, path: &str, answer: fn() -> Response<Body>) -> Response<Body> {
        let answers = service_fn(move |_: Request<Body>| std::future::ready(Ok::<_, Infallible>(answer())));
        let Ok(answer) = Around(measured.clone()).layer(answers).oneshot(request(path)).await;
        answer
    }

    fn refused() -> Response<Body> {
        let too_much = api::Error::new(Code::ResourceExhausted, reason::OVERLOADED, "too much");
        Status::from(too_much).into_http()
    }

    #[tokio::test]
    async fn calls_are_counted_by_method_and_code_and_refusals_by_reason() {
        let metrics = Metrics::default();
        let measured = Measured::new(metrics.clone());
        for _ in 0..2 {
            call(&measured, PLAY, || Response::new(Body::empty())).await;
        }
        call(&measured, PLAY, refused).await;
        call(&measured, "/nobody/Knows", || Status::unimplemented("no").into_http()).await;
        let page = metrics.text(Format::OpenMetrics);
        let play = r#"grpc_service="shoutan.game.v1.GameService",grpc_method="Play""#;
        for line in [
            format!("grpc_server_started_total{{{play}}} 3"),
            format!(r#"grpc_server_handled_total{{{play},grpc_code="OK"}} 2"#),
            format!(r#"grpc_server_handled_total{{{play},grpc_code="ResourceExhausted"}} 1"#),
            format!("grpc_server_handling_seconds_count{{{play}}} 3"),
            r#"shoutan_refusals_total{reason="OVERLOADED"} 1"#.to_owned(),
            r#"shoutan_refusals_total{reason="other"} 1"#.to_owned(),
            r#"grpc_server_started_total{grpc_service="other",grpc_method="other"} 1"#.to_owned(),
        ] {
            assert!(page.contains(&line), "{line} is not in\n{page}");
        }
    }

    #[tokio::test]
    async fn a_stream_has_ended_when_it_does_and_is_cancelled_when_its_client_goes() {
        let metrics = Metrics::default();
        let measured = Measured::new(metrics.clone());
        let ended = |code: &str| {
            let line = format!(r#"grpc_method="Watch",grpc_code="{code}"}} 1"#);
            metrics.text(Format::OpenMetrics).contains(&line)
        };
        let told = || {
            let mut trailers = HeaderMap::new();
            Status::unavailable("come again").add_header(&mut trailers).expect("our own text");
            let body = http_body_util::Empty::new().with_trailers(std::future::ready(Some(Ok(trailers))));
            Response::new(Body::new(body.map_err(|never: Infallible| match never {})))
        };
        let stream = call(&measured, WATCH, told).await;
        assert!(!ended("Unavailable"));
        let _read = stream.into_body().collect().await.expect("it is read");
        assert!(ended("Unavailable"));
        drop(call(&measured, WATCH, || Response::new(Body::empty())).await);
        assert!(ended("Cancelled"));
    }

    #[test]
    fn every_code_stands_at_its_own_number() {
        for (number, code) in CODES.into_iter().enumerate() {
            assert_eq!(code as usize, number);
        }
    }
}
