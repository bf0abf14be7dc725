//! The layer that turns the `authorization` header into a credential.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{HeaderMap, Request, header};
use tower::{Layer, Service};

use super::{ByCertificate, Credential, GATEWAY_HEADER, PEER_HEADER, Peer, SERVICE_HEADER, Verifier};
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
            let by_certificate = request.extensions().get::<ByCertificate>().is_some();
            if let Some(peer) = forwarded(&verifier, request.headers(), by_certificate).await {
                request.extensions_mut().insert(peer);
            }
            if let Some(service) = certified(request.headers(), by_certificate) {
                request.extensions_mut().insert(Credential::Service(service));
            } else if let Some(value) = request.headers().get(header::AUTHORIZATION) {
                let credential = match value.to_str().ok().and_then(bearer) {
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
async fn forwarded(verifier: &Verifier, headers: &HeaderMap, by_certificate: bool) -> Option<Peer> {
    let token = headers.get(GATEWAY_HEADER)?.to_str().ok()?;
    if !by_certificate {
        let Credential::Service(_) = verifier.credential(token).await else { return None };
    }
    headers.get(PEER_HEADER)?.to_str().ok()?.parse().ok().map(Peer)
}

/// The service that is calling over a connection on which a certificate was shown. What a gateway passes on is not its
/// own call.
fn certified(headers: &HeaderMap, by_certificate: bool) -> Option<String> {
    let name =
        headers.get(SERVICE_HEADER).filter(|_| by_certificate && !headers.contains_key(GATEWAY_HEADER))?;
    name.to_str().ok().map(str::to_owned)
}

/// The token of an `authorization` header, however its scheme is spelled.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start_matches(' '))
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
        Env,
        auth::{ClusterKey, gateway_token, peer_address},
    };

    /// What a request with these headers carries behind the layer.
    async fn behind(headers: &[(&'static str, String)], cluster: &ClusterKey, env: &Env) -> Extensions {
        crate::install_crypto();
        let identity = Loopback::new().transport();
        let verifier = Arc::new(Verifier::new(identity, cluster.clone(), env.clone()));
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

    #[test]
    fn a_token_is_read_however_its_scheme_is_spelled() {
        for value in ["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR  a.b.c"] {
            assert_eq!(bearer(value), Some("a.b.c"), "{value}");
        }
        for value in ["a.b.c", "Basic a.b.c", "Bearera.b.c", ""] {
            assert_eq!(bearer(value), None, "{value}");
        }
    }

    #[tokio::test]
    async fn only_a_gateway_says_where_a_request_came_from() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let (ours, other) = (ClusterKey::random(&env), ClusterKey::random(&env));
        let peer = (PEER_HEADER, "192.0.2.7".to_owned());
        let proof = |key: &ClusterKey| (GATEWAY_HEADER, gateway_token(key.clone(), env.clone())());
        let believed = behind(&[peer.clone(), proof(&ours)], &ours, &env).await;
        assert_eq!(peer_address(&believed), Some([192, 0, 2, 7].into()));
        for forged in [vec![peer.clone()], vec![peer.clone(), proof(&other)], vec![proof(&ours)]] {
            assert_eq!(peer_address(&behind(&forged, &ours, &env).await), None);
        }
    }

    #[tokio::test]
    async fn a_header_becomes_a_credential() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let cluster = ClusterKey::random(&env);
        let credential = async |value: String| {
            let extensions = behind(&[("authorization", value)], &cluster, &env).await;
            extensions.get::<Credential>().cloned()
        };
        let token = gateway_token(cluster.clone(), env.clone())();
        assert_eq!(
            credential(format!("Bearer {token}")).await,
            Some(Credential::Service("gateway".to_owned()))
        );
        let refused = Some(Credential::Refused(JwtError::Invalid));
        assert_eq!(credential(token).await, refused);
        assert_eq!(credential("Bearer nonsense".to_owned()).await, refused);
        assert_eq!(behind(&[], &cluster, &env).await.get::<Credential>(), None);
    }
}
