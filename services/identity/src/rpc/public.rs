//! What everybody may ask.

use api::identity::v1 as pb;
use chassis::{
    auth::{Scope, caller, require},
    id::RequestId,
    page::Page,
};
use tonic::{Request, Response, Status};

use crate::{app::Identity, error::Error, wire};

/// The public service.
#[derive(Clone, Debug)]
pub(crate) struct PublicApi(pub Identity);

#[tonic::async_trait]
impl pb::identity_service_server::IdentityService for PublicApi {
    async fn register(
        &self,
        request: Request<pb::RegisterRequest>,
    ) -> Result<Response<pb::RegisterResponse>, Status> {
        let address = wire::address(&request);
        let pb::RegisterRequest { name, password, request_id, bot } = request.into_inner();
        let request = RequestId::parse(&request_id, "request_id")?;
        let (account, pair) = self.0.register(&name, password, bot, request, &address).await?;
        let (account, session) = (Some((&account).into()), Some((&pair).into()));
        Ok(Response::new(pb::RegisterResponse { account, session }))
    }

    async fn register_guest(
        &self,
        request: Request<pb::RegisterGuestRequest>,
    ) -> Result<Response<pb::RegisterGuestResponse>, Status> {
        let address = wire::address(&request);
        let request = RequestId::parse(&request.get_ref().request_id, "request_id")?;
        let (account, pair) = self.0.register_guest(request, &address).await?;
        let (account, session) = (Some((&account).into()), Some((&pair).into()));
        Ok(Response::new(pb::RegisterGuestResponse { account, session }))
    }

    async fn upgrade_guest(
        &self,
        request: Request<pb::UpgradeGuestRequest>,
    ) -> Result<Response<pb::UpgradeGuestResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let address = wire::address(&request);
        let pb::UpgradeGuestRequest { name, password, request_id } = request.into_inner();
        let request = RequestId::parse(&request_id, "request_id")?;
        let (account, pair) = self.0.upgrade_guest(&caller, &name, password, request, &address).await?;
        let (account, session) = (Some((&account).into()), Some((&pair).into()));
        Ok(Response::new(pb::UpgradeGuestResponse { account, session }))
    }

    async fn sign_in(
        &self,
        request: Request<pb::SignInRequest>,
    ) -> Result<Response<pb::SignInResponse>, Status> {
        let address = wire::address(&request);
        let pb::SignInRequest { name, password, device_mark } = request.into_inner();
        let (account, pair) = self.0.sign_in(&name, password, device_mark, &address).await?;
        let (account, session) = (Some((&account).into()), Some((&pair).into()));
        Ok(Response::new(pb::SignInResponse { account, session }))
    }

    async fn refresh(
        &self,
        request: Request<pb::RefreshRequest>,
    ) -> Result<Response<pb::RefreshResponse>, Status> {
        let pb::RefreshRequest { refresh_token, request_id } = request.into_inner();
        let request = RequestId::parse(&request_id, "request_id")?;
        let pair = self.0.refresh(refresh_token, request).await?;
        Ok(Response::new(pb::RefreshResponse { session: Some((&pair).into()) }))
    }

    async fn sign_out(
        &self,
        request: Request<pb::SignOutRequest>,
    ) -> Result<Response<pb::SignOutResponse>, Status> {
        self.0.sign_out(request.into_inner().refresh_token).await?;
        Ok(Response::new(pb::SignOutResponse {}))
    }

    async fn sign_out_everywhere(
        &self,
        request: Request<pb::SignOutEverywhereRequest>,
    ) -> Result<Response<pb::SignOutEverywhereResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let revoke = request.get_ref().revoke_access_tokens;
        let (sessions, access_tokens) = self.0.sign_out_everywhere(&caller, revoke).await?;
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (sessions, access_tokens) = (count(sessions), count(access_tokens));
        Ok(Response::new(pb::SignOutEverywhereResponse { sessions, access_tokens }))
    }

    async fn get_my_account(
        &self,
        request: Request<pb::GetMyAccountRequest>,
    ) -> Result<Response<pb::GetMyAccountResponse>, Status> {
        // Any token will do, whatever its scopes.
        let caller = caller(&request)?.ok_or(Error::TokenMissing)?;
        let (account, roles) = self.0.mine(&caller).await?;
        let scopes = caller.scopes.iter().map(|scope| scope.as_str().to_owned()).collect();
        let roles = roles.into_iter().map(Into::into).collect();
        Ok(Response::new(pb::GetMyAccountResponse { account: Some((&account).into()), scopes, roles }))
    }

    async fn look_up_accounts(
        &self,
        request: Request<pb::LookUpAccountsRequest>,
    ) -> Result<Response<pb::LookUpAccountsResponse>, Status> {
        let pb::LookUpAccountsRequest { ids, names } = request.into_inner();
        let ids = wire::account_ids(&ids)?;
        let accounts = self.0.look_up(&ids, &names).await?;
        let accounts = accounts.into_iter().map(Into::into).collect();
        Ok(Response::new(pb::LookUpAccountsResponse { accounts }))
    }

    async fn change_password(
        &self,
        request: Request<pb::ChangePasswordRequest>,
    ) -> Result<Response<pb::ChangePasswordResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let address = wire::address(&request);
        let pb::ChangePasswordRequest { old_password, new_password } = request.into_inner();
        let pair = self.0.change_password(&caller, old_password, new_password, &address).await?;
        Ok(Response::new(pb::ChangePasswordResponse { session: Some((&pair).into()) }))
    }

    async fn create_access_token(
        &self,
        request: Request<pb::CreateAccessTokenRequest>,
    ) -> Result<Response<pb::CreateAccessTokenResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let request = request.into_inner();
        let (new, request) = ((&request).try_into()?, RequestId::parse(&request.request_id, "request_id")?);
        let (token, secret) = self.0.create_access_token(&caller, new, request).await?;
        let (access_token, secret) = (Some(token.into()), secret.expose().to_owned());
        Ok(Response::new(pb::CreateAccessTokenResponse { access_token, secret }))
    }

    async fn list_access_tokens(
        &self,
        request: Request<pb::ListAccessTokensRequest>,
    ) -> Result<Response<pb::ListAccessTokensResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let request = request.into_inner();
        let list = format!("access-tokens/{}", caller.id);
        let page = Page::of(list, request.page_size, &request.page_token)?;
        let found = self.0.access_tokens(&caller, page.after, page.fetch()).await?;
        let (tokens, next_page_token) = page.cut(found, |last| last.id);
        let access_tokens = tokens.into_iter().map(Into::into).collect();
        Ok(Response::new(pb::ListAccessTokensResponse { access_tokens, next_page_token }))
    }

    async fn revoke_access_token(
        &self,
        request: Request<pb::RevokeAccessTokenRequest>,
    ) -> Result<Response<pb::RevokeAccessTokenResponse>, Status> {
        let caller = require(&request, Scope::Account)?;
        let id = wire::access_token_id(&request.get_ref().id)?;
        self.0.revoke_access_token(&caller, id).await?;
        Ok(Response::new(pb::RevokeAccessTokenResponse {}))
    }

    async fn exchange_access_token(
        &self,
        request: Request<pb::ExchangeAccessTokenRequest>,
    ) -> Result<Response<pb::ExchangeAccessTokenResponse>, Status> {
        let address = wire::address(&request);
        let secret = request.into_inner().secret;
        let exchanged = self.0.exchange_access_token(secret, &address).await?;
        Ok(Response::new((&exchanged).into()))
    }

    async fn list_keys(
        &self,
        _request: Request<pb::ListKeysRequest>,
    ) -> Result<Response<pb::ListKeysResponse>, Status> {
        let ring = self.0.keys.ring().await?;
        Ok(Response::new((&ring).into()))
    }
}
