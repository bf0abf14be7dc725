//! `FederationService`: federations, clubs, members and teams.

use std::sync::Arc;

use api::federation::v1::{self as pb, federation_service_server::FederationService};
use chassis::{
    auth::{self, Scope},
    id::{ClubId, FederationId, MemberId, TeamId},
};
use tonic::{Request, Response, Status};

use super::Office;
use crate::{
    app::{persons::Persons, problems_of},
    core::{club, federation, member, team},
    error::Error,
    wire::{
        self,
        attempt::Mutation as _,
        import::{Counts, Import},
    },
};

/// What federations are asked for.
#[derive(Clone)]
pub(crate) struct FederationApi(pub Office, pub Arc<Persons>);

#[tonic::async_trait]
impl FederationService for FederationApi {
    async fn create_federation(
        &self,
        request: Request<pb::CreateFederationRequest>,
    ) -> Result<Response<pb::CreateFederationResponse>, Status> {
        let federation = self.0.change::<_, federation::Found>(request, Scope::Account).await?;
        Ok(Response::new(pb::CreateFederationResponse { federation: Some((&federation).into()) }))
    }

    async fn get_federation(
        &self,
        request: Request<pb::GetFederationRequest>,
    ) -> Result<Response<pb::GetFederationResponse>, Status> {
        let id = FederationId::parse(&request.get_ref().federation_id, "federation_id")?;
        let federation = self.0.desk.federation(id).await?;
        Ok(Response::new(pb::GetFederationResponse { federation: Some((&federation).into()) }))
    }

    async fn list_federations(
        &self,
        request: Request<pb::ListFederationsRequest>,
    ) -> Result<Response<pb::ListFederationsResponse>, Status> {
        let list = wire::federation::List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.federations(&list).await?;
        let federations = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListFederationsResponse { federations, next_page_token }))
    }

    async fn update_federation(
        &self,
        request: Request<pb::UpdateFederationRequest>,
    ) -> Result<Response<pb::UpdateFederationResponse>, Status> {
        let federation = self.0.change::<_, federation::Edit>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::UpdateFederationResponse { federation: Some((&federation).into()) }))
    }

    async fn delete_federation(
        &self,
        request: Request<pb::DeleteFederationRequest>,
    ) -> Result<Response<pb::DeleteFederationResponse>, Status> {
        let federation = self.0.change::<_, federation::Dissolve>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::DeleteFederationResponse { federation: Some((&federation).into()) }))
    }

    async fn create_club(
        &self,
        request: Request<pb::CreateClubRequest>,
    ) -> Result<Response<pb::CreateClubResponse>, Status> {
        let club = self.0.change::<_, club::Open>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateClubResponse { club: Some((&club).into()) }))
    }

    async fn get_club(
        &self,
        request: Request<pb::GetClubRequest>,
    ) -> Result<Response<pb::GetClubResponse>, Status> {
        let id = ClubId::parse(&request.get_ref().club_id, "club_id")?;
        let club = self.0.desk.club(id).await?;
        Ok(Response::new(pb::GetClubResponse { club: Some((&club).into()) }))
    }

    async fn list_clubs(
        &self,
        request: Request<pb::ListClubsRequest>,
    ) -> Result<Response<pb::ListClubsResponse>, Status> {
        let list = wire::club::List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.clubs(&list).await?;
        let clubs = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListClubsResponse { clubs, next_page_token }))
    }

    async fn update_club(
        &self,
        request: Request<pb::UpdateClubRequest>,
    ) -> Result<Response<pb::UpdateClubResponse>, Status> {
        let club = self.0.change::<_, club::Edit>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::UpdateClubResponse { club: Some((&club).into()) }))
    }

    async fn delete_club(
        &self,
        request: Request<pb::DeleteClubRequest>,
    ) -> Result<Response<pb::DeleteClubResponse>, Status> {
        let club = self.0.change::<_, club::Close>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::DeleteClubResponse { club: Some((&club).into()) }))
    }

    async fn create_member(
        &self,
        request: Request<pb::CreateMemberRequest>,
    ) -> Result<Response<pb::CreateMemberResponse>, Status> {
        let member = self.0.change::<_, member::Enrol>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateMemberResponse { member: Some((&member).into()) }))
    }

    async fn get_member(
        &self,
        request: Request<pb::GetMemberRequest>,
    ) -> Result<Response<pb::GetMemberResponse>, Status> {
        let caller = auth::caller(&request)?;
        let id = MemberId::parse(&request.get_ref().member_id, "member_id")?;
        let member = self.0.desk.member(caller.as_ref(), id).await?;
        Ok(Response::new(pb::GetMemberResponse { member: Some((&member).into()) }))
    }

    async fn list_members(
        &self,
        request: Request<pb::ListMembersRequest>,
    ) -> Result<Response<pb::ListMembersResponse>, Status> {
        let caller = auth::caller(&request)?;
        let list = wire::member::List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.members(caller.as_ref(), &list).await?;
        let members = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListMembersResponse { members, next_page_token }))
    }

    async fn update_member(
        &self,
        request: Request<pb::UpdateMemberRequest>,
    ) -> Result<Response<pb::UpdateMemberResponse>, Status> {
        let member = self.0.change::<_, member::Edit>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::UpdateMemberResponse { member: Some((&member).into()) }))
    }

    async fn delete_member(
        &self,
        request: Request<pb::DeleteMemberRequest>,
    ) -> Result<Response<pb::DeleteMemberResponse>, Status> {
        let scope = self.0.own_or_office(&request);
        let member = self.0.change::<_, member::Dismiss>(request, scope).await?;
        Ok(Response::new(pb::DeleteMemberResponse { member: Some((&member).into()) }))
    }

    async fn transfer_member(
        &self,
        request: Request<pb::TransferMemberRequest>,
    ) -> Result<Response<pb::TransferMemberResponse>, Status> {
        let member = self.0.change::<_, member::Transfer>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::TransferMemberResponse { member: Some((&member).into()) }))
    }

    async fn readmit_member(
        &self,
        request: Request<pb::ReadmitMemberRequest>,
    ) -> Result<Response<pb::ReadmitMemberResponse>, Status> {
        let member = self.0.change::<_, member::Dismiss>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::ReadmitMemberResponse { member: Some((&member).into()) }))
    }

    async fn merge_members(
        &self,
        request: Request<pb::MergeMembersRequest>,
    ) -> Result<Response<pb::MergeMembersResponse>, Status> {
        let member = self.0.change::<_, member::Merge>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::MergeMembersResponse { member: Some((&member).into()) }))
    }

    async fn erase_member(
        &self,
        request: Request<pb::EraseMemberRequest>,
    ) -> Result<Response<pb::EraseMemberResponse>, Status> {
        let caller = auth::require(&request, self.0.own_or_office(&request))?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let member = self.1.forget(&attempt, request.try_into()?).await?;
        Ok(Response::new(pb::EraseMemberResponse { member: Some((&member).into()) }))
    }

    async fn bind_account(
        &self,
        request: Request<pb::BindAccountRequest>,
    ) -> Result<Response<pb::BindAccountResponse>, Status> {
        let member = self.0.change::<_, member::Bind>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::BindAccountResponse { member: Some((&member).into()) }))
    }

    async fn import_members(
        &self,
        request: Request<pb::ImportMembersRequest>,
    ) -> Result<Response<pb::ImportMembersResponse>, Status> {
        let validate_only = request.get_ref().validate_only;
        let counts = self.0.try_change::<_, Import>(request, Scope::Arbitrate).await;
        Ok(Response::new(roster_outcome(counts, validate_only)?))
    }

    async fn create_team(
        &self,
        request: Request<pb::CreateTeamRequest>,
    ) -> Result<Response<pb::CreateTeamResponse>, Status> {
        let team = self.0.change::<_, team::Form>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateTeamResponse { team: Some((&team).into()) }))
    }

    async fn get_team(
        &self,
        request: Request<pb::GetTeamRequest>,
    ) -> Result<Response<pb::GetTeamResponse>, Status> {
        let id = TeamId::parse(&request.get_ref().team_id, "team_id")?;
        let team = self.0.desk.team(id).await?;
        Ok(Response::new(pb::GetTeamResponse { team: Some((&team).into()) }))
    }

    async fn list_teams(
        &self,
        request: Request<pb::ListTeamsRequest>,
    ) -> Result<Response<pb::ListTeamsResponse>, Status> {
        let list = wire::team::List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.teams(&list).await?;
        let teams = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListTeamsResponse { teams, next_page_token }))
    }

    async fn update_team(
        &self,
        request: Request<pb::UpdateTeamRequest>,
    ) -> Result<Response<pb::UpdateTeamResponse>, Status> {
        let scope = self.0.own_or_office(&request);
        let team = self.0.change::<_, team::Edit>(request, scope).await?;
        Ok(Response::new(pb::UpdateTeamResponse { team: Some((&team).into()) }))
    }

    async fn delete_team(
        &self,
        request: Request<pb::DeleteTeamRequest>,
    ) -> Result<Response<pb::DeleteTeamResponse>, Status> {
        let team = self.0.change::<_, team::Disband>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::DeleteTeamResponse { team: Some((&team).into()) }))
    }
}

/// What came of a file of members. Who only asks is told its problems.
pub(super) fn roster_outcome(
    counts: Result<Counts, Error>,
    validate_only: bool,
) -> Result<pb::ImportMembersResponse, Status> {
    match counts {
        Ok(counts) => Ok(wire::import::told(counts, &[], 0)),
        Err(Error::Refused(refusal)) if validate_only => {
            let (problems, count) = problems_of(refusal).map_err(Error::from)?;
            Ok(wire::import::told(Counts::default(), &problems, count))
        }
        Err(error) => Err(error.into()),
    }
}
