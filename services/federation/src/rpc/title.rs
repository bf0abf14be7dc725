//! `TitleService`: titles and grades, and who has them.

use api::federation::v1::{self as pb, title_service_server::TitleService};
use chassis::{
    auth::{self, Scope},
    id::FederationId,
};
use tonic::{Request, Response, Status};

use super::Office;
use crate::{
    core::title::{Create, Decide, Propose, Retire},
    wire::title::{List, award_id},
};

/// What is asked about titles.
#[derive(Clone)]
pub(crate) struct TitleApi(pub Office);

#[tonic::async_trait]
impl TitleService for TitleApi {
    async fn create_title(
        &self,
        request: Request<pb::CreateTitleRequest>,
    ) -> Result<Response<pb::CreateTitleResponse>, Status> {
        let title = self.0.change::<_, Create>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateTitleResponse { title: Some((&title).into()) }))
    }

    async fn retire_title(
        &self,
        request: Request<pb::RetireTitleRequest>,
    ) -> Result<Response<pb::RetireTitleResponse>, Status> {
        let title = self.0.change::<_, Retire>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::RetireTitleResponse { title: Some((&title).into()) }))
    }

    async fn list_titles(
        &self,
        request: Request<pb::ListTitlesRequest>,
    ) -> Result<Response<pb::ListTitlesResponse>, Status> {
        let federation = FederationId::parse(&request.get_ref().federation_id, "federation_id")?;
        let titles = self.0.desk.titles(federation).await?.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListTitlesResponse { titles }))
    }

    async fn propose_title(
        &self,
        request: Request<pb::ProposeTitleRequest>,
    ) -> Result<Response<pb::ProposeTitleResponse>, Status> {
        let award = self.0.change::<_, Propose>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::ProposeTitleResponse { award: Some((&award).into()) }))
    }

    async fn award_title(
        &self,
        request: Request<pb::AwardTitleRequest>,
    ) -> Result<Response<pb::AwardTitleResponse>, Status> {
        let award = self.0.change::<_, Decide>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::AwardTitleResponse { award: Some((&award).into()) }))
    }

    async fn refuse_title(
        &self,
        request: Request<pb::RefuseTitleRequest>,
    ) -> Result<Response<pb::RefuseTitleResponse>, Status> {
        let award = self.0.change::<_, Decide>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::RefuseTitleResponse { award: Some((&award).into()) }))
    }

    async fn revoke_title(
        &self,
        request: Request<pb::RevokeTitleRequest>,
    ) -> Result<Response<pb::RevokeTitleResponse>, Status> {
        let award = self.0.change::<_, Decide>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::RevokeTitleResponse { award: Some((&award).into()) }))
    }

    async fn get_award(
        &self,
        request: Request<pb::GetAwardRequest>,
    ) -> Result<Response<pb::GetAwardResponse>, Status> {
        let caller = auth::caller(&request)?;
        let id = award_id(&request.get_ref().award_id)?;
        let award = self.0.desk.award(caller.as_ref(), id).await?;
        Ok(Response::new(pb::GetAwardResponse { award: Some((&award).into()) }))
    }

    async fn list_awards(
        &self,
        request: Request<pb::ListAwardsRequest>,
    ) -> Result<Response<pb::ListAwardsResponse>, Status> {
        let caller = auth::caller(&request)?;
        let list = List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.0.desk.awards(caller.as_ref(), &list).await?;
        let awards = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListAwardsResponse { awards, next_page_token }))
    }
}
