//! A double of identity: it knows accounts, and keeps roles or refuses them.

use std::{collections::BTreeSet, sync::Arc};

use api::{
    identity::v1::{
        self as pb,
        identity_internal_service_server::{IdentityInternalService, IdentityInternalServiceServer},
        identity_service_server::{IdentityService, IdentityServiceServer},
    },
    reason::{self, Reason},
    transport::{Transport, over},
};
use parking_lot::{Mutex, MutexGuard};
use tonic::{Code, Request, Response, Status, service::Routes};

use crate::auth::{self, Caller};

/// What it knows, and how it behaves.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Accounts that are no guests', by id.
    pub accounts: BTreeSet<String>,
    /// Guests.
    pub guests: BTreeSet<String>,
    /// Roles: account and number of the role.
    pub roles: BTreeSet<(String, i32)>,
    /// Why it grants nothing.
    pub refusal: Option<Reason>,
    /// Whether it answers nothing at all.
    pub is_down: bool,
}

/// Identity.
#[derive(Clone, Debug, Default)]
pub struct Identity(Arc<Mutex<Knowledge>>);

impl Identity {
    /// The way to it.
    pub fn transport(&self) -> Transport {
        let routes = Routes::new(IdentityServiceServer::new(self.clone()));
        let routes = routes.add_service(IdentityInternalServiceServer::new(self.clone()));
        auth::as_service(over(routes.prepare()))
    }

    /// What it knows, to look at or to change.
    pub fn knowledge(&self) -> MutexGuard<'_, Knowledge> {
        self.0.lock()
    }

    /// Has it know an account.
    pub fn know(&self, caller: &Caller) {
        let mut knowledge = self.knowledge();
        if caller.guest {
            knowledge.guests.insert(caller.id.to_string());
        } else {
            knowledge.accounts.insert(caller.id.to_string());
        }
    }

    fn answers(&self) -> Result<MutexGuard<'_, Knowledge>, Status> {
        let knowledge = self.knowledge();
        if knowledge.is_down { Err(Status::unavailable("away")) } else { Ok(knowledge) }
    }
}

#[tonic::async_trait]
impl IdentityInternalService for Identity {
    async fn grant_role(
        &self,
        request: Request<pb::GrantRoleRequest>,
    ) -> Result<Response<pb::GrantRoleResponse>, Status> {
        auth::require_service(&request)?;
        let mut knowledge = self.answers()?;
        if let Some(reason) = knowledge.refusal {
            return Err(api::Error::new(Code::ResourceExhausted, reason, "no").into());
        }
        let request = request.into_inner();
        if !knowledge.accounts.contains(&request.account_id) {
            return Err(api::Error::new(Code::NotFound, reason::UNKNOWN_ACCOUNT, "nobody").into());
        }
        knowledge.roles.insert((request.account_id, request.role));
        Ok(Response::new(pb::GrantRoleResponse::default()))
    }

    async fn revoke_role(
        &self,
        request: Request<pb::RevokeRoleRequest>,
    ) -> Result<Response<pb::RevokeRoleResponse>, Status> {
        auth::require_service(&request)?;
        let request = request.into_inner();
        let revoked = self.answers()?.roles.remove(&(request.account_id, request.role));
        Ok(Response::new(pb::RevokeRoleResponse { revoked }))
    }

    async fn rotate_key(
        &self,
        _request: Request<pb::RotateKeyRequest>,
    ) -> Result<Response<pb::RotateKeyResponse>, Status> {
        Err(unasked())
    }

    async fn list_roles(
        &self,
        _request: Request<pb::ListRolesRequest>,
    ) -> Result<Response<pb::ListRolesResponse>, Status> {
        Err(unasked())
    }
}

fn unasked() -> Status {
    Status::unimplemented("nobody asks the double for this")
}

#[tonic::async_trait]
impl IdentityService for Identity {
    async fn look_up_accounts(
        &self,
        request: Request<pb::LookUpAccountsRequest>,
    ) -> Result<Response<pb::LookUpAccountsResponse>, Status> {
        let knowledge = self.answers()?;
        let found = |id: String| {
            let guest = knowledge.guests.contains(&id);
            let known = guest || knowledge.accounts.contains(&id);
            known.then(|| pb::PublicAccount { name: "somebody".to_owned(), id, guest, bot: false })
        };
        let accounts = request.into_inner().ids.into_iter().filter_map(found).collect();
        Ok(Response::new(pb::LookUpAccountsResponse { accounts }))
    }

    async fn register(
        &self,
        _request: Request<pb::RegisterRequest>,
    ) -> Result<Response<pb::RegisterResponse>, Status> {
        Err(unasked())
    }

    async fn register_guest(
        &self,
        _request: Request<pb::RegisterGuestRequest>,
    ) -> Result<Response<pb::RegisterGuestResponse>, Status> {
        Err(unasked())
    }

    async fn upgrade_guest(
        &self,
        _request: Request<pb::UpgradeGuestRequest>,
    ) -> Result<Response<pb::UpgradeGuestResponse>, Status> {
        Err(unasked())
    }

    async fn sign_in(
        &self,
        _request: Request<pb::SignInRequest>,
    ) -> Result<Response<pb::SignInResponse>, Status> {
        Err(unasked())
    }

    async fn refresh(
        &self,
        _request: Request<pb::RefreshRequest>,
    ) -> Result<Response<pb::RefreshResponse>, Status> {
        Err(unasked())
    }

    async fn sign_out(
        &self,
        _request: Request<pb::SignOutRequest>,
    ) -> Result<Response<pb::SignOutResponse>, Status> {
        Err(unasked())
    }

    async fn sign_out_everywhere(
        &self,
        _request: Request<pb::SignOutEverywhereRequest>,
    ) -> Result<Response<pb::SignOutEverywhereResponse>, Status> {
        Err(unasked())
    }

    async fn get_my_account(
        &self,
        _request: Request<pb::GetMyAccountRequest>,
    ) -> Result<Response<pb::GetMyAccountResponse>, Status> {
        Err(unasked())
    }

    async fn change_password(
        &self,
        _request: Request<pb::ChangePasswordRequest>,
    ) -> Result<Response<pb::ChangePasswordResponse>, Status> {
        Err(unasked())
    }

    async fn create_access_token(
        &self,
        _request: Request<pb::CreateAccessTokenRequest>,
    ) -> Result<Response<pb::CreateAccessTokenResponse>, Status> {
        Err(unasked())
    }

    async fn list_access_tokens(
        &self,
        _request: Request<pb::ListAccessTokensRequest>,
    ) -> Result<Response<pb::ListAccessTokensResponse>, Status> {
        Err(unasked())
    }

    async fn revoke_access_token(
        &self,
        _request: Request<pb::RevokeAccessTokenRequest>,
    ) -> Result<Response<pb::RevokeAccessTokenResponse>, Status> {
        Err(unasked())
    }

    async fn exchange_access_token(
        &self,
        _request: Request<pb::ExchangeAccessTokenRequest>,
    ) -> Result<Response<pb::ExchangeAccessTokenResponse>, Status> {
        Err(unasked())
    }

    async fn list_keys(
        &self,
        _request: Request<pb::ListKeysRequest>,
    ) -> Result<Response<pb::ListKeysResponse>, Status> {
        Err(unasked())
    }
}
