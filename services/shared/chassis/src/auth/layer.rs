//! The layer that turns the `authorization` header into a credential.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{Request, header};
use tower::{Layer, Service};

use super::{Credential, Verifier};
use crate::jwt::JwtError;

/// Puts a [`Credential`] into every request that has an `authorization` header.
#[derive(Clone, Debug)]
pub struct AuthLayer(Arc<Verifier>);

/// See [`AuthLayer`].
#[derive(Clone, Debug)]
pub struct AuthService<S> {
    inner: S,
    verifier: Arc<Verifier>,
}

impl AuthLayer {
    /// A layer that asks this verifier.
    pub const fn new(verifier: Arc<Verifier>) -> Self {
        AuthLayer(verifier)
    }
}

impl<S> Layer<S> for AuthLayer {
    type Service = AuthService<S>;

    fn layer(&self, inner: S) -> AuthService<S> {
        AuthService { inner, verifier: Arc::clone(&self.0) }
    }
}

impl<S, B> Service<Request<B>> for AuthService<S>
where
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        // The instance that was polled ready must be the one that is called.
        let ready = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, ready);
        let verifier = Arc::clone(&self.verifier);
        Box::pin(async move {
            // Nobody outside the process can set an extension, but a credential must not slip through twice.
            request.extensions_mut().remove::<Credential>();
            if let Some(value) = request.headers().get(header::AUTHORIZATION) {
                let credential = match value.to_str().ok().and_then(|text| text.strip_prefix("Bearer ")) {
                    Some(token) => verifier.credential(token).await,
                    None => Credential::Refused(JwtError::Invalid),
                };
                request.extensions_mut().insert(credential);
            }
            inner.call(request).await
        })
    }
}
