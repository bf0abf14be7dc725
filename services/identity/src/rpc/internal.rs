//! What sister services may ask.

use api::identity::v1::{
    RotateKeyRequest, RotateKeyResponse, identity_internal_service_server::IdentityInternalService,
};
use chassis::auth::require_service;
use tonic::{Request, Response, Status};

use super::status;
use crate::flow::Keys;

/// The internal service.
#[derive(Clone, Debug)]
pub struct Internal(pub Keys);

#[tonic::async_trait]
impl IdentityInternalService for Internal {
    async fn rotate_key(
        &self,
        request: Request<RotateKeyRequest>,
    ) -> Result<Response<RotateKeyResponse>, Status> {
        require_service(&request)?;
        let kid = self.0.rotate().await.map_err(status)?;
        Ok(Response::new(RotateKeyResponse { kid }))
    }
}
