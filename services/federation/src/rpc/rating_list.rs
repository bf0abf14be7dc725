//! `RatingListService`: policies, rating lists and what they say.

use api::federation::v1::{self as pb, rating_list_service_server::RatingListService};
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::Office;
use crate::{
    app::{RatingLists, problems_of},
    core::rating_list::{Create, Update},
    error::Error,
    wire::{
        attempt::Mutation as _,
        import::Counts,
        rating_list::{
            Export, Import, ListEntries, ListLists, ListPolicies, ListVouched, Part, Publish, Which, counts,
            entry, verified,
        },
    },
};

/// What rating lists are asked for.
#[derive(Clone)]
pub(crate) struct RatingListApi {
    pub office: Office,
    pub lists: RatingLists,
}

#[tonic::async_trait]
impl RatingListService for RatingListApi {
    async fn create_rating_policy(
        &self,
        request: Request<pb::CreateRatingPolicyRequest>,
    ) -> Result<Response<pb::CreateRatingPolicyResponse>, Status> {
        let policy = self.office.change::<_, Create>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateRatingPolicyResponse { policy: Some((&policy).into()) }))
    }

    async fn update_rating_policy(
        &self,
        request: Request<pb::UpdateRatingPolicyRequest>,
    ) -> Result<Response<pb::UpdateRatingPolicyResponse>, Status> {
        let policy = self.office.change::<_, Update>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::UpdateRatingPolicyResponse { policy: Some((&policy).into()) }))
    }

    async fn get_rating_policy(
        &self,
        request: Request<pb::GetRatingPolicyRequest>,
    ) -> Result<Response<pb::GetRatingPolicyResponse>, Status> {
        let pb::GetRatingPolicyRequest { policy_id, version } = request.into_inner();
        let Which { policy, number: version } = Which::of(&policy_id, version)?;
        let policy = self.lists.policy(policy, version).await?;
        Ok(Response::new(pb::GetRatingPolicyResponse { policy: Some((&policy).into()) }))
    }

    async fn list_rating_policies(
        &self,
        request: Request<pb::ListRatingPoliciesRequest>,
    ) -> Result<Response<pb::ListRatingPoliciesResponse>, Status> {
        let list = ListPolicies::try_from(request.into_inner())?;
        let (found, next_page_token) = self.lists.policies(&list).await?;
        let policies = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListRatingPoliciesResponse { policies, next_page_token }))
    }

    async fn publish_rating_list(
        &self,
        request: Request<pb::PublishRatingListRequest>,
    ) -> Result<Response<pb::PublishRatingListResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let (list, preview) = self.lists.publish(&attempt, Publish::try_from(request)?).await?;
        let preview = preview.as_ref().map(Into::into);
        Ok(Response::new(pb::PublishRatingListResponse { list: Some((&list).into()), preview }))
    }

    async fn get_rating_list(
        &self,
        request: Request<pb::GetRatingListRequest>,
    ) -> Result<Response<pb::GetRatingListResponse>, Status> {
        let pb::GetRatingListRequest { policy_id, number } = request.into_inner();
        let list = self.lists.list(Which::of(&policy_id, number)?).await?;
        Ok(Response::new(pb::GetRatingListResponse { list: Some((&list).into()) }))
    }

    async fn list_rating_lists(
        &self,
        request: Request<pb::ListRatingListsRequest>,
    ) -> Result<Response<pb::ListRatingListsResponse>, Status> {
        let list = ListLists::try_from(request.into_inner())?;
        let (found, next_page_token) = self.lists.lists(&list).await?;
        let lists = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListRatingListsResponse { lists, next_page_token }))
    }

    async fn list_rating_entries(
        &self,
        request: Request<pb::ListRatingEntriesRequest>,
    ) -> Result<Response<pb::ListRatingEntriesResponse>, Status> {
        let list = ListEntries::try_from(request.into_inner())?;
        let (found, next_page_token) = self.lists.entries(&list).await?;
        let entries = found.iter().map(entry).collect();
        Ok(Response::new(pb::ListRatingEntriesResponse { entries, next_page_token }))
    }

    async fn export_rating_list(
        &self,
        request: Request<pb::ExportRatingListRequest>,
    ) -> Result<Response<pb::ExportRatingListResponse>, Status> {
        let (csv, next_page_token) = self.lists.export(&Export::try_from(request.into_inner())?).await?;
        Ok(Response::new(pb::ExportRatingListResponse { csv, next_page_token }))
    }

    async fn verify_rating_list(
        &self,
        request: Request<pb::VerifyRatingListRequest>,
    ) -> Result<Response<pb::VerifyRatingListResponse>, Status> {
        let pb::VerifyRatingListRequest { policy_id, number } = request.into_inner();
        let verdicts = self.lists.verify(Which::of(&policy_id, number)?).await?;
        let equal = verdicts.iter().all(|(_, _, verdict)| verdict.fault.is_none());
        let steps = verdicts.iter().map(verified).collect();
        Ok(Response::new(pb::VerifyRatingListResponse { equal, steps }))
    }

    async fn read_rating_list_bytes(
        &self,
        request: Request<pb::ReadRatingListBytesRequest>,
    ) -> Result<Response<pb::ReadRatingListBytesResponse>, Status> {
        let (part, total) = self.lists.part(Part::try_from(request.into_inner())?).await?;
        Ok(Response::new(pb::ReadRatingListBytesResponse { part, total }))
    }

    async fn import_ratings(
        &self,
        request: Request<pb::ImportRatingsRequest>,
    ) -> Result<Response<pb::ImportRatingsResponse>, Status> {
        let validate_only = request.get_ref().validate_only;
        let told = match self.office.try_change::<_, Import>(request, Scope::Arbitrate).await {
            Ok(done) => counts(done, &[], 0),
            Err(Error::Refused(refusal)) if validate_only => {
                let (problems, count) = problems_of(refusal).map_err(Error::Refused)?;
                counts(Counts::default(), &problems, count)
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Response::new(told))
    }

    async fn list_imported_ratings(
        &self,
        request: Request<pb::ListImportedRatingsRequest>,
    ) -> Result<Response<pb::ListImportedRatingsResponse>, Status> {
        let list = ListVouched::try_from(request.into_inner())?;
        let (found, next_page_token) = self.lists.vouched(&list).await?;
        let ratings = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListImportedRatingsResponse { ratings, next_page_token }))
    }
}
