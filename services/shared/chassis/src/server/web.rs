//! Tells plain HTTP from gRPC-web.
//!
//! The layer that translates gRPC-web refuses everything else that comes over HTTP/1.1; but documents such as
//! the public keys are fetched by plain GET, which gRPC never uses; who asks so is refused in the words of HTTP.

use std::task::{Context, Poll};

use api::reason;
use futures::future::BoxFuture;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use tonic::{Code, Status, body::Body};
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Layer, Service, ServiceExt as _};

/// Translates gRPC-web, and lets plain GETs through as they are, and what asks for their headers alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct WebLayer;

/// See [`WebLayer`].
#[derive(Clone, Debug)]
pub(super) struct WebService<S> {
    plain: S,
    grpc: GrpcWebService<S>,
}

impl<S: Clone> Layer<S> for WebLayer {
    type Service = WebService<S>;

    fn layer(&self, inner: S) -> WebService<S> {
        WebService { plain: inner.clone(), grpc: GrpcWebLayer::new().layer(inner) }
    }
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        // Which of the two is called is known with the request only; `oneshot` waits until that one is ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            let answer = self.plain.clone().oneshot(request);
            Box::pin(async move { answer.await.map(plainly) })
        } else {
            Box::pin(self.grpc.clone().oneshot(request))
        }
    }
}

/// A refusal by a layer, or a service, as HTTP says it: whoever asks plainly reads the code, not the trailers of gRPC.
fn plainly(answer: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(answer.headers()) else { return answer };
    let code = match status.code() {
        Code::Ok => return answer,
        Code::ResourceExhausted if api::error::reason(&status) != reason::OVERLOADED.name() => {
            StatusCode::TOO_MANY_REQUESTS
        }
        Code::ResourceExhausted | Code::Unavailable | Code::DeadlineExceeded => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Code::Unimplemented | Code::NotFound => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let (mut parts, _) = answer.into_parts();
    parts.status = code;
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    Response::from_parts(parts, Body::new(format!("{}\n", status.message())))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tower::service_fn;

    use super::*;

    #[tokio::test]
    async fn who_asks_plainly_is_refused_in_the_words_of_http() {
        let cases = [
            (Code::ResourceExhausted, reason::TOO_MANY_CALLS, 429),
            (Code::ResourceExhausted, reason::OVERLOADED, 503),
            (Code::Unavailable, reason::SERVICE_UNREACHABLE, 503),
        ];
        for (code, reason, expect) in cases {
            let refuses = service_fn(move |_: Request<Body>| {
                let refusal = Status::from(api::Error::new(code, reason, "no")).into_http::<Body>();
                async { Ok::<_, Infallible>(refusal) }
            });
            let request = Request::get("/readyz").body(Body::empty()).expect("a request");
            let Ok(answer) = WebLayer.layer(refuses).oneshot(request).await;
            assert_eq!(answer.status().as_u16(), expect, "{reason}");
        }
    }
}
