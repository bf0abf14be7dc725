//! The layer that turns the `authorization` header into a credential.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{HeaderMap, Request, header};
use tower::{Layer, Service};

use super::{Credential, GATEWAY_HEADER, PEER_HEADER, Peer, Verifier};
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
            request.extensions_mut().remove::<Peer>();
            if let Some(peer) = forwarded(&verifier, request.headers()).await {
                request.extensions_mut().insert(peer);
            }
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

/// The address a gateway of the platform says a request came from. Nobody else is believed.
async fn forwarded(verifier: &Verifier, headers: &HeaderMap) -> Option<Peer> {
    let token = headers.get(GATEWAY_HEADER)?.to_str().ok()?;
    let Credential::Service(_) = verifier.credential(token).await else { return None };
    headers.get(PEER_HEADER)?.to_str().ok()?.parse().ok().map(Peer)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use api::transport::Loopback;
    use http::{Extensions, HeaderMap};
    use time::OffsetDateTime;
    use tower::{ServiceExt as _, service_fn};

    use super::*;
    use crate::{
        Ambient,
        auth::{ClusterKey, gateway_token, peer_address},
    };

    /// What a request with these headers carries behind the layer.
    async fn behind(
        headers: &[(&'static str, String)],
        cluster: &ClusterKey,
        ambient: &Ambient,
    ) -> Extensions {
        crate::install_crypto();
        let identity = Loopback::new().transport();
        let verifier = Arc::new(Verifier::new(identity, cluster.clone(), ambient.clone()));
        let service = AuthLayer::new(verifier).layer(service_fn(async |request: Request<()>| {
            Ok::<_, Infallible>(request.into_parts().0.extensions)
        }));
        let mut request = Request::new(());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("a header"));
        }
        *request.headers_mut() = map;
        let Ok(extensions) = service.oneshot(request).await;
        extensions
    }

    #[tokio::test]
    async fn only_a_gateway_says_where_a_request_came_from() {
        let (ambient, _) = Ambient::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let (ours, other) = (ClusterKey::random(&ambient), ClusterKey::random(&ambient));
        let peer = (PEER_HEADER, "192.0.2.7".to_owned());
        let proof = |key: &ClusterKey| (GATEWAY_HEADER, gateway_token(key.clone(), ambient.clone())());
        let believed = behind(&[peer.clone(), proof(&ours)], &ours, &ambient).await;
        assert_eq!(peer_address(&believed), Some([192, 0, 2, 7].into()));
        for forged in [vec![peer.clone()], vec![peer.clone(), proof(&other)], vec![proof(&ours)]] {
            assert_eq!(peer_address(&behind(&forged, &ours, &ambient).await), None);
        }
    }

    #[tokio::test]
    async fn a_header_becomes_a_credential() {
        let (ambient, _) = Ambient::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let cluster = ClusterKey::random(&ambient);
        let credential = async |value: String| {
            let extensions = behind(&[("authorization", value)], &cluster, &ambient).await;
            extensions.get::<Credential>().cloned()
        };
        let token = gateway_token(cluster.clone(), ambient.clone())();
        assert_eq!(
            credential(format!("Bearer {token}")).await,
            Some(Credential::Service("gateway".to_owned()))
        );
        let refused = Some(Credential::Refused(JwtError::Invalid));
        assert_eq!(credential(token).await, refused);
        assert_eq!(credential("Bearer nonsense".to_owned()).await, refused);
        assert_eq!(behind(&[], &cluster, &ambient).await.get::<Credential>(), None);
    }
}
