//! `RatingInternalService`: the results of finished games.

use api::{
    rating::v1::{
        ApplyResultRequest, ApplyResultResponse, ApplyResultsRequest, ApplyResultsResponse, ResultRefusal,
        rating_internal_service_server::RatingInternalService,
    },
    reason,
};
use chassis::{auth::require_service, outbox::PARCEL};
use futures::future::try_join_all;
use tonic::{Request, Response, Status};

use crate::{app::Results, core::game::Game, error::Error, wire};

/// What only services may call.
#[derive(Clone, Debug)]
pub(crate) struct InternalApi(pub Results);

impl InternalApi {
    /// Applies a result; why it never will be, if that is so.
    async fn apply(&self, result: ApplyResultRequest) -> Result<Option<api::Error>, Error> {
        let game = match Game::try_from(result) {
            Ok(game) => game,
            Err(refused) => return Ok(Some(refused)),
        };
        match self.0.apply(game).await {
            Ok(_) => Ok(None),
            Err(refused @ Error::Contradiction(_)) => Ok(Some(refused.into())),
            Err(failed) => Err(failed),
        }
    }
}

#[tonic::async_trait]
impl RatingInternalService for InternalApi {
    async fn apply_result(
        &self,
        request: Request<ApplyResultRequest>,
    ) -> Result<Response<ApplyResultResponse>, Status> {
        require_service(&request)?;
        let game = Game::try_from(request.into_inner())?;
        let [first, second] =
            self.0.apply(game).await?.map(|change| wire::rating((change.key, change.after, None)));
        Ok(Response::new(ApplyResultResponse { first: Some(first), second: Some(second) }))
    }

    async fn apply_results(
        &self,
        request: Request<ApplyResultsRequest>,
    ) -> Result<Response<ApplyResultsResponse>, Status> {
        require_service(&request)?;
        let ApplyResultsRequest { results } = request.into_inner();
        if results.len() > PARCEL {
            let message = format!("{PARCEL} at most");
            return Err(api::Error::invalid(reason::BAD_RESULT, "results", message).into());
        }
        let applied = try_join_all(results.into_iter().map(|result| self.apply(result))).await?;
        let refusals = (0..).zip(applied).filter_map(|(index, refused)| {
            let api::Error { reason, message, .. } = refused?;
            Some(ResultRefusal { index, reason: reason.name().to_owned(), message })
        });
        Ok(Response::new(ApplyResultsResponse { refusals: refusals.collect() }))
    }
}
