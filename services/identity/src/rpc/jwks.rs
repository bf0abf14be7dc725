//! The key set over plain HTTP, for whoever verifies tokens without gRPC.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use tonic::Status;

use crate::{app::Keys, wire::jwks_json};

/// Where it is (RFC 8615).
pub(crate) use chassis::auth::JWKS_PATH;

/// How caches may keep it. A new key signs at once, so a cache must not hide it for long.
const CACHING: &str = "public, max-age=60";

/// Answers with the key set, made from the same keys as `ListKeys`.
pub(crate) async fn jwks(State(keys): State<Keys>) -> Response {
    match keys.ring().await {
        Ok(ring) => {
            let headers =
                [(header::CONTENT_TYPE, "application/jwk-set+json"), (header::CACHE_CONTROL, CACHING)];
            (headers, jwks_json(&ring)).into_response()
        }
        Err(error) => {
            let _logged = Status::from(error);
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
