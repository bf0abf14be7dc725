//! `RatingInternalService`: the results of finished games.

use api::rating::v1::{
    ApplyResultRequest, ApplyResultResponse, rating_internal_service_server::RatingInternalService,
};
use chassis::{Ambient, auth::require_service};
use tonic::{Request, Response, Status};

use crate::{app::Writer, wire};

/// Takes results.
#[derive(Clone, Debug)]
pub struct Internal {
    pub ambient: Ambient,
    pub writer: Writer,
}

#[tonic::async_trait]
impl RatingInternalService for Internal {
    async fn apply_result(
        &self,
        request: Request<ApplyResultRequest>,
    ) -> Result<Response<ApplyResultResponse>, Status> {
        require_service(&request)?;
        let game = wire::game(request.into_inner(), self.ambient.now())?;
        let changes = self.writer.enter(game).await?;
        let [first, second] = changes.map(|change| Some(wire::rating(&change.key, change.after)));
        Ok(Response::new(ApplyResultResponse { first, second }))
    }
}
