//! What other services may ask.

use api::identity::v1::{self as pb, identity_internal_service_server::IdentityInternalService};
use chassis::{auth::require_service, page::Page};
use tonic::{Request, Response, Status};

use crate::{
    app::{Keys, Roles},
    core::role::RoleFilter,
};

/// The internal service.
#[derive(Clone, Debug)]
pub(crate) struct InternalApi {
    pub keys: Keys,
    pub roles: Roles,
}

#[tonic::async_trait]
impl IdentityInternalService for InternalApi {
    async fn rotate_key(
        &self,
        request: Request<pb::RotateKeyRequest>,
    ) -> Result<Response<pb::RotateKeyResponse>, Status> {
        require_service(&request)?;
        let kid = self.keys.rotate().await?;
        Ok(Response::new(pb::RotateKeyResponse { kid }))
    }

    async fn grant_role(
        &self,
        request: Request<pb::GrantRoleRequest>,
    ) -> Result<Response<pb::GrantRoleResponse>, Status> {
        require_service(&request)?;
        let granted = self.roles.grant(request.get_ref().try_into()?).await?;
        Ok(Response::new(pb::GrantRoleResponse { grant: Some(granted.into()) }))
    }

    async fn revoke_role(
        &self,
        request: Request<pb::RevokeRoleRequest>,
    ) -> Result<Response<pb::RevokeRoleResponse>, Status> {
        require_service(&request)?;
        let revoked = self.roles.revoke(request.get_ref().try_into()?).await?;
        Ok(Response::new(pb::RevokeRoleResponse { revoked }))
    }

    async fn list_roles(
        &self,
        request: Request<pb::ListRolesRequest>,
    ) -> Result<Response<pb::ListRolesResponse>, Status> {
        require_service(&request)?;
        let request = request.get_ref();
        let of = RoleFilter::try_from(request)?;
        let page = Page::of(format!("roles/{of:?}"), request.page_size, &request.page_token)?;
        let found = self.roles.list(of, page.after, page.fetch()).await?;
        let (roles, next_page_token) = page.cut(found, |last| last.held.id);
        let grants = roles.into_iter().map(Into::into).collect();
        Ok(Response::new(pb::ListRolesResponse { grants, next_page_token }))
    }
}
