//! `GET /metrics`, on an address of its own: it is for who looks after the platform, and nobody else needs to reach it.

use std::{convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Format, Metrics,
    asked::{ANSWER_WITHIN, TOLD_FOR},
};
use crate::{
    Lifecycle,
    limit::{Amount, Limit},
    throttle::Throttle,
};

/// Where it is found.
pub const METRICS_PATH: &str = "/metrics";

/// Connections at once; others wait to be accepted.
const CONNECTIONS_MAX: usize = 8;
/// How long a request has for its headers, and a connection for its next request.
const HEADER_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection lasts: longer than whoever asks once a minute is willing to wait for an answer.
const CONNECTION_MAX: Duration = Duration::from_mins(5);
/// How long to wait when no connection can be taken.
const PAUSE: Duration = Duration::from_secs(1);

/// The limits of the page.
pub(super) const LIMITS: &[Limit] = &[
    Limit {
        name: "connections to the page of metrics",
        amount: Amount::Count(CONNECTIONS_MAX as u64),
        setting: None,
        reason: "one or two servers ask, and a person now and then; the others wait",
    },
    Limit {
        name: "time of a connection to the page of metrics without a request",
        amount: Amount::Time(HEADER_WITHIN),
        setting: None,
        reason: "whoever comes to read asks at once; a place is not kept for who says nothing",
    },
    Limit {
        name: "time of a connection to the page of metrics",
        amount: Amount::Time(CONNECTION_MAX),
        setting: None,
        reason: "who reads slowly has his place for so long, and no longer",
    },
    Limit {
        name: "answer of a database to what the page of metrics asks",
        amount: Amount::Time(ANSWER_WITHIN),
        setting: None,
        reason: "the rest of the page tells why there is none, and does not wait for it",
    },
    Limit {
        name: "time for which the page of metrics tells such an answer",
        amount: Amount::Time(TOLD_FOR),
        setting: None,
        reason: "however many ask for the page, a database is asked once in it",
    },
];

type Page = Response<Full<Bytes>>;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers at an address from now on, until everything else has stopped.
pub(super) fn serve(listener: TcpListener, metrics: Metrics, lifecycle: &Lifecycle) {
    // It tells of a stop while it lasts, and is cut off with what is left.
    lifecycle.spawn_last(("process", "page of metrics"), take(listener, metrics, lifecycle.aborting()));
}

async fn take(listener: TcpListener, metrics: Metrics, cut: CancellationToken) {
    let (places, tasks, failing) =
        (Arc::new(Semaphore::new(CONNECTIONS_MAX)), TaskTracker::new(), Throttle::new());
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let (metrics, cut) = (metrics.clone(), cut.clone());
                tasks.spawn(async move {
                    let answered = tokio::time::timeout(CONNECTION_MAX, answer(stream, metrics));
                    let _ended_or_cut = cut.run_until_cancelled(answered).await;
                    drop(place);
                });
            }
            Err(error) => {
                if let Some(held_back) = failing.admit() {
                    tracing::error!(%error, held_back, "the page of metrics takes no connection");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn answer(stream: TcpStream, metrics: Metrics) {
    let service = service_fn(move |request: Request<Incoming>| {
        let metrics = metrics.clone();
        async move { Ok::<_, Infallible>(page(&metrics, &request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_WITHIN)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection to the page of metrics failed");
    }
}

async fn page<B: Sync>(metrics: &Metrics, request: &Request<B>) -> Page {
    if request.uri().path() != METRICS_PATH {
        return plain(StatusCode::NOT_FOUND, "there is nothing but /metrics\n");
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "it can be read, and nothing else\n");
    }
    let format = wanted(request.headers());
    let name = match format {
        Format::OpenMetrics => OPEN_METRICS,
        Format::Prometheus => PROMETHEUS,
    };
    with_type(StatusCode::OK, name, metrics.current_text(format).await)
}

/// Which format somebody wants: that of OpenMetrics where he says that he reads it.
fn wanted(headers: &HeaderMap) -> Format {
    let reads = |value: &HeaderValue| {
        value.to_str().is_ok_and(|value| value.contains("application/openmetrics-text"))
    };
    if headers.get_all(header::ACCEPT).iter().any(reads) { Format::OpenMetrics } else { Format::Prometheus }
}

fn plain(status: StatusCode, text: &'static str) -> Page {
    with_type(status, "text/plain; charset=utf-8", text.to_owned())
}

fn with_type(status: StatusCode, name: &'static str, text: String) -> Page {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(name));
    response
}
