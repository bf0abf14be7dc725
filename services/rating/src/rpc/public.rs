//! `RatingService`: ratings, history and leaderboards, for everybody.

use api::rating::v1::{
    GetRatingRequest, GetRatingResponse, ListHistoryRequest, ListHistoryResponse, ListLeadersRequest,
    ListLeadersResponse, ListRatingsRequest, ListRatingsResponse, rating_service_server::RatingService,
};
use chassis::id::AccountId;
use tonic::{Request, Response, Status};

use crate::{
    app::Ratings,
    core::player_rating::Key,
    wire::{self, History, Leaders},
};

/// What everybody may call.
#[derive(Clone, Debug)]
pub(crate) struct PublicApi(pub Ratings);

#[tonic::async_trait]
impl RatingService for PublicApi {
    async fn get_rating(
        &self,
        request: Request<GetRatingRequest>,
    ) -> Result<Response<GetRatingResponse>, Status> {
        let key = Key::try_from(request.into_inner())?;
        let player = self.0.get(&key).await?;
        Ok(Response::new(GetRatingResponse { rating: Some(wire::rating((key, player))) }))
    }

    async fn list_ratings(
        &self,
        request: Request<ListRatingsRequest>,
    ) -> Result<Response<ListRatingsResponse>, Status> {
        let account = AccountId::parse(&request.into_inner().account_id, "account_id")?;
        let ratings = self.0.of_account(account).await?;
        Ok(Response::new(ListRatingsResponse { ratings: ratings.into_iter().map(wire::rating).collect() }))
    }

    async fn list_history(
        &self,
        request: Request<ListHistoryRequest>,
    ) -> Result<Response<ListHistoryResponse>, Status> {
        let History { key, page } = request.into_inner().try_into()?;
        let (changes, next_page_token) = self.0.history(&key, &page).await?;
        let changes = changes.iter().map(Into::into).collect();
        Ok(Response::new(ListHistoryResponse { changes, next_page_token }))
    }

    async fn list_leaders(
        &self,
        request: Request<ListLeadersRequest>,
    ) -> Result<Response<ListLeadersResponse>, Status> {
        let Leaders { category, page } = request.into_inner().try_into()?;
        let (leaders, next_page_token) = self.0.leaders(&category, &page).await?;
        let leaders = leaders.into_iter().map(wire::rating).collect();
        Ok(Response::new(ListLeadersResponse { leaders, next_page_token }))
    }
}
