//! When the server stops, whoever holds a stream is told to come again, with a reason and when.
//!
//! Services end their own streams as soon as they can say where to go on. Whatever is still open a moment later (a
//! gateway's, which knows nothing of what it passes on) is ended here.

use std::{
    collections::HashSet,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use api::reason;
use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture};
use http::{HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use tokio_util::sync::CancellationToken;
use tonic::{Status, body::Body};
use tower::Service;

use super::{
    PolledFrame,
    methods::{Method, methods},
    middleware::{Answer, Middleware},
};

/// How long services have to end their streams themselves.
const OWN_END: Duration = Duration::from_millis(500);
/// Ends streams when the server stops.
#[derive(Clone, Debug)]
pub(super) struct Stopping {
    stop: CancellationToken,
    streams: Arc<HashSet<String>>,
}

impl Stopping {
    /// A layer for every stream of the API.
    pub(super) fn new(stop: CancellationToken) -> Self {
        Stopping { stop, streams: Arc::new(streams().collect()) }
    }
}

impl Middleware for Stopping {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let stop = self.streams.contains(request.uri().path()).then(|| self.stop.clone());
        let answer = inner.call(request);
        match stop {
            None => answer.boxed(),
            Some(stop) => answer.map(|answer| answer.map(|answer| ending(answer, stop))).boxed(),
        }
    }
}

/// Every method that answers with a stream.
pub(super) fn streams() -> impl Iterator<Item = String> {
    methods().iter().filter(|method| method.is_stream).map(Method::path)
}

fn ending(answer: Response<Body>, stop: CancellationToken) -> Response<Body> {
    let stopped = async move {
        stop.cancelled_owned().await;
        tokio::time::sleep(OWN_END).await;
    };
    answer.map(|inner| Body::new(Ending { inner, stopped: Some(stopped.boxed()) }))
}

/// A stream that ends when it has nothing to say and the server stops.
struct Ending {
    inner: Body,
    stopped: Option<BoxFuture<'static, ()>>,
}

impl http_body::Body for Ending {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        let Some(stopped) = &mut self.stopped else { return Poll::Ready(None) };
        let stopped = stopped.poll_unpin(context);
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(context) {
            return Poll::Ready(frame);
        }
        ready!(stopped);
        self.stopped = None;
        Poll::Ready(Some(Ok(Frame::trailers(come_again()))))
    }

    fn is_end_stream(&self) -> bool {
        self.stopped.is_none() || self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

fn come_again() -> HeaderMap {
    let message = "the server is shutting down; come again";
    let mut trailers = HeaderMap::new();
    let _infallible_for_our_own_text =
        Status::from(api::Error::unavailable(reason::STOPPING, message)).add_header(&mut trailers);
    trailers
}

#[cfg(test)]
mod tests {
    use super::streams;

    #[test]
    fn the_streams_of_the_api_are_known_by_their_paths() {
        let streams: Vec<String> = streams().collect();
        assert!(streams.iter().any(|path| path == "/shoutan.game.v1.GameService/Watch"), "{streams:?}");
        assert!(!streams.iter().any(|path| path == "/shoutan.game.v1.GameService/Play"), "{streams:?}");
    }
}
