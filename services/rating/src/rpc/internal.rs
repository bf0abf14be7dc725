//! `RatingInternalService`: the results of finished games, and ratings for other services.

use api::{
    rating::v1::{
        ApplyResultRequest, ApplyResultResponse, ApplyResultsRequest, ApplyResultsResponse,
        LookUpRatingsRequest, LookUpRatingsResponse, ResultRefusal,
        rating_internal_service_server::RatingInternalService,
    },
    reason,
};
use chassis::{auth::require_service, outbox::PARCEL};
use futures::future::try_join_all;
use tonic::{Request, Response, Status};

use crate::{
    app::{Ratings, Results},
    core::{game::Game, player_rating::Key, standing::Placed},
    error::Error,
    wire,
};

/// How many ratings are told at once: as many as a replica of matchmaking asks for in one round trip.
const LOOKED_UP_MAX: usize = 256;

/// What only services may call.
#[derive(Clone, Debug)]
pub(crate) struct InternalApi {
    pub results: Results,
    pub ratings: Ratings,
}

impl InternalApi {
    /// Applies a result; why it never will be, if that is so.
    async fn apply(&self, result: ApplyResultRequest) -> Result<Option<api::Error>, Error> {
        let game = match Game::try_from(result) {
            Ok(game) => game,
            Err(refused) => return Ok(Some(refused)),
        };
        match self.results.apply(game).await {
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
        let [first, second] = self
            .results
            .apply(game)
            .await?
            .map(|change| wire::rating(Placed::alone(change.key, change.after)));
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
    async fn look_up_ratings(
        &self,
        request: Request<LookUpRatingsRequest>,
    ) -> Result<Response<LookUpRatingsResponse>, Status> {
        require_service(&request)?;
        let LookUpRatingsRequest { keys } = request.into_inner();
        if keys.len() > LOOKED_UP_MAX {
            let message = format!("{LOOKED_UP_MAX} at most");
            return Err(api::Error::invalid(reason::BAD_RATING_KEYS, "keys", message).into());
        }
        let keys = keys.into_iter().map(Key::try_from).collect::<Result<Vec<_>, _>>()?;
        let ratings = self.ratings.look_up(keys).await?.into_iter().map(wire::rating).collect();
        Ok(Response::new(LookUpRatingsResponse { ratings }))
    }
}
