//! What stands around the calls of a server.

use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::body::Body;
use tower::{Layer, Service};

/// The answer to a call, once it is there.
pub(super) type Answer<E> = BoxFuture<'static, Result<Response<Body>, E>>;

/// Sees each request before, and its answer after, the services behind it do.
pub(super) trait Middleware: Clone {
    /// Answers a request, by what is behind or without asking it.
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static;
}

/// Puts a middleware around a service.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<M>(pub M);

/// A service with a middleware around it.
#[derive(Clone, Debug)]
pub(super) struct Surrounded<M, S> {
    middleware: M,
    inner: S,
}

impl<M: Clone, S> Layer<S> for Around<M> {
    type Service = Surrounded<M, S>;

    fn layer(&self, inner: S) -> Surrounded<M, S> {
        Surrounded { middleware: self.0.clone(), inner }
    }
}

impl<M, S, B> Service<Request<B>> for Surrounded<M, S>
where
    M: Middleware,
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Answer<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Answer<S::Error> {
        self.middleware.call(&mut self.inner, request)
    }
}
