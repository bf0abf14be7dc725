//! `RatingInternalService`: the results of finished games.

use api::rating::v1::{
    ApplyResultRequest, ApplyResultResponse, rating_internal_service_server::RatingInternalService,
};
use chassis::auth::require_service;
use tonic::{Request, Response, Status};

use crate::{app::Results, core::game::Game, wire};

/// What only services may call.
#[derive(Clone, Debug)]
pub(crate) struct InternalApi(pub Results);

#[tonic::async_trait]
impl RatingInternalService for InternalApi {
    async fn apply_result(
        &self,
        request: Request<ApplyResultRequest>,
    ) -> Result<Response<ApplyResultResponse>, Status> {
        require_service(&request)?;
        let game = Game::try_from(request.into_inner())?;
        let [first, second] =
            self.0.apply(game).await?.map(|change| wire::rating((change.key, change.after)));
        Ok(Response::new(ApplyResultResponse { first: Some(first), second: Some(second) }))
    }
}
