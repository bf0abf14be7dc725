//! `MembershipService`: coming into federations, officials and proxies.

use api::federation::v1::{self as pb, membership_service_server::MembershipService};
use chassis::{
    auth::{self, Scope},
    page::Page,
};
use tonic::{Request, Response, Status};

use super::Office;
use crate::{
    core::{application, invitation, official, proxy},
    wire::{
        joining::List,
        office::{ListOfficials, ListProxies},
    },
};

/// What is asked by whoever comes into a federation, and by whoever lets him in.
#[derive(Clone)]
pub(crate) struct MembershipApi(pub Office);

#[tonic::async_trait]
impl MembershipService for MembershipApi {
    async fn apply(&self, request: Request<pb::ApplyRequest>) -> Result<Response<pb::ApplyResponse>, Status> {
        let application = self.0.change::<_, application::Apply>(request, Scope::Account).await?;
        Ok(Response::new(pb::ApplyResponse { application: Some((&application).into()) }))
    }

    async fn list_applications(
        &self,
        request: Request<pb::ListApplicationsRequest>,
    ) -> Result<Response<pb::ListApplicationsResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let list = List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.applications(&caller, &list).await?;
        let applications = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListApplicationsResponse { applications, next_page_token }))
    }

    async fn accept_application(
        &self,
        request: Request<pb::AcceptApplicationRequest>,
    ) -> Result<Response<pb::AcceptApplicationResponse>, Status> {
        let application =
            self.0.change::<_, application::AnswerApplication>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::AcceptApplicationResponse { application: Some((&application).into()) }))
    }

    async fn refuse_application(
        &self,
        request: Request<pb::RefuseApplicationRequest>,
    ) -> Result<Response<pb::RefuseApplicationResponse>, Status> {
        let application =
            self.0.change::<_, application::AnswerApplication>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::RefuseApplicationResponse { application: Some((&application).into()) }))
    }

    async fn withdraw_application(
        &self,
        request: Request<pb::WithdrawApplicationRequest>,
    ) -> Result<Response<pb::WithdrawApplicationResponse>, Status> {
        let application = self.0.change::<_, application::AnswerApplication>(request, Scope::Account).await?;
        Ok(Response::new(pb::WithdrawApplicationResponse { application: Some((&application).into()) }))
    }

    async fn invite(
        &self,
        request: Request<pb::InviteRequest>,
    ) -> Result<Response<pb::InviteResponse>, Status> {
        let (invitation, code) = self.0.change::<_, invitation::Invite>(request, Scope::Arbitrate).await?;
        let code = code.map(|code| code.told()).unwrap_or_default();
        Ok(Response::new(pb::InviteResponse { invitation: Some((&invitation).into()), code }))
    }

    async fn list_invitations(
        &self,
        request: Request<pb::ListInvitationsRequest>,
    ) -> Result<Response<pb::ListInvitationsResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let list = List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.invitations(&caller, &list).await?;
        let invitations = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListInvitationsResponse { invitations, next_page_token }))
    }

    async fn accept_invitation(
        &self,
        request: Request<pb::AcceptInvitationRequest>,
    ) -> Result<Response<pb::AcceptInvitationResponse>, Status> {
        let member = self.0.change::<_, invitation::Accept>(request, Scope::Account).await?;
        Ok(Response::new(pb::AcceptInvitationResponse { member: Some((&member).into()) }))
    }

    async fn refuse_invitation(
        &self,
        request: Request<pb::RefuseInvitationRequest>,
    ) -> Result<Response<pb::RefuseInvitationResponse>, Status> {
        let invitation = self.0.change::<_, invitation::EndInvitation>(request, Scope::Account).await?;
        Ok(Response::new(pb::RefuseInvitationResponse { invitation: Some((&invitation).into()) }))
    }

    async fn withdraw_invitation(
        &self,
        request: Request<pb::WithdrawInvitationRequest>,
    ) -> Result<Response<pb::WithdrawInvitationResponse>, Status> {
        let invitation = self.0.change::<_, invitation::EndInvitation>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::WithdrawInvitationResponse { invitation: Some((&invitation).into()) }))
    }

    async fn join(&self, request: Request<pb::JoinRequest>) -> Result<Response<pb::JoinResponse>, Status> {
        let member = self.0.change::<_, invitation::Accept>(request, Scope::Account).await?;
        Ok(Response::new(pb::JoinResponse { member: Some((&member).into()) }))
    }

    async fn list_my_members(
        &self,
        request: Request<pb::ListMyMembersRequest>,
    ) -> Result<Response<pb::ListMyMembersResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let pb::ListMyMembersRequest { page_size, page_token } = request.into_inner();
        let page = Page::of(format!("mine/{}", caller.id), page_size, &page_token)?;
        let (found, next_page_token) = self.0.desk.my_members(&caller, &page).await?;
        let members = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListMyMembersResponse { members, next_page_token }))
    }

    async fn grant_official(
        &self,
        request: Request<pb::GrantOfficialRequest>,
    ) -> Result<Response<pb::GrantOfficialResponse>, Status> {
        let official = self.0.change::<_, official::Appoint>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::GrantOfficialResponse { official: Some((&official).into()) }))
    }

    async fn revoke_official(
        &self,
        request: Request<pb::RevokeOfficialRequest>,
    ) -> Result<Response<pb::RevokeOfficialResponse>, Status> {
        let scope = self.0.own_or_office(&request);
        let official = self.0.change::<_, official::Revoke>(request, scope).await?;
        Ok(Response::new(pb::RevokeOfficialResponse { official: Some((&official).into()) }))
    }

    async fn list_officials(
        &self,
        request: Request<pb::ListOfficialsRequest>,
    ) -> Result<Response<pb::ListOfficialsResponse>, Status> {
        let list = ListOfficials::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.officials(&list).await?;
        let officials = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListOfficialsResponse { officials, next_page_token }))
    }

    async fn give_proxy(
        &self,
        request: Request<pb::GiveProxyRequest>,
    ) -> Result<Response<pb::GiveProxyResponse>, Status> {
        let scope = self.0.own_or_office(&request);
        let proxy = self.0.change::<_, proxy::Give>(request, scope).await?;
        Ok(Response::new(pb::GiveProxyResponse { proxy: Some((&proxy).into()) }))
    }

    async fn withdraw_proxy(
        &self,
        request: Request<pb::WithdrawProxyRequest>,
    ) -> Result<Response<pb::WithdrawProxyResponse>, Status> {
        let scope = self.0.own_or_office(&request);
        let proxy = self.0.change::<_, proxy::Withdraw>(request, scope).await?;
        Ok(Response::new(pb::WithdrawProxyResponse { proxy: Some((&proxy).into()) }))
    }

    async fn list_proxies(
        &self,
        request: Request<pb::ListProxiesRequest>,
    ) -> Result<Response<pb::ListProxiesResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let list = ListProxies::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.proxies(&caller, &list).await?;
        let proxies = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListProxiesResponse { proxies, next_page_token }))
    }
}
