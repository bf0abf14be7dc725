//! `RatingService`: ratings, history and leaderboards, for everybody.

use api::rating::v1::{
    GetGraphRequest, GetGraphResponse, GetHeadToHeadRequest, GetHeadToHeadResponse, GetPolicyRequest,
    GetPolicyResponse, GetRatingRequest, GetRatingResponse, ListGameChangesRequest, ListGameChangesResponse,
    ListHistoryRequest, ListHistoryResponse, ListLeadersRequest, ListLeadersResponse, ListPeriodsRequest,
    ListPeriodsResponse, ListRatingsRequest, ListRatingsResponse, rating_service_server::RatingService,
};
use chassis::{
    auth::{Caller, signed_in},
    id::{AccountId, FederationId},
};
use tonic::{Request, Response, Status};

use crate::{
    app::Ratings,
    core::player_rating::Key,
    wire::{self, Graph, History, Leaders, Periods},
};

/// What everybody may call.
#[derive(Clone, Debug)]
pub(crate) struct PublicApi(pub Ratings);

impl PublicApi {
    /// Refuses whoever asks for the members of a federation to which he does not belong; everybody may ask for everybody.
    async fn ensure_may_see(
        &self,
        caller: Result<Caller, api::Error>,
        federation: Option<FederationId>,
    ) -> Result<(), Status> {
        let Some(federation) = federation else { return Ok(()) };
        Ok(self.0.federations.ensure_may_see(&caller?, federation).await?)
    }
}

#[tonic::async_trait]
impl RatingService for PublicApi {
    async fn get_rating(
        &self,
        request: Request<GetRatingRequest>,
    ) -> Result<Response<GetRatingResponse>, Status> {
        let request = request.into_inner();
        let without_standing = request.without_standing;
        let key = Key::try_from(request)?;
        let rating = if without_standing { self.0.rating(key).await? } else { self.0.get(key).await? };
        Ok(Response::new(GetRatingResponse { rating: Some(wire::rating(rating)) }))
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
        let caller = signed_in(&request);
        let asked: Leaders = request.into_inner().try_into()?;
        self.ensure_may_see(caller, asked.federation).await?;
        let (leaders, next_page_token) = self.0.leaders(&asked).await?;
        let leaders = leaders.into_iter().map(wire::rating).collect();
        Ok(Response::new(ListLeadersResponse { leaders, next_page_token }))
    }

    async fn list_periods(
        &self,
        request: Request<ListPeriodsRequest>,
    ) -> Result<Response<ListPeriodsResponse>, Status> {
        let caller = signed_in(&request);
        let Periods { federation, category, page } = request.into_inner().try_into()?;
        self.ensure_may_see(caller, federation).await?;
        let (periods, next_page_token) = self.0.periods(federation, &category, &page).await?;
        Ok(Response::new(ListPeriodsResponse {
            periods: periods.iter().map(wire::period).collect(),
            next_page_token,
        }))
    }

    async fn get_graph(
        &self,
        request: Request<GetGraphRequest>,
    ) -> Result<Response<GetGraphResponse>, Status> {
        let Graph { key, start, end, steps } = request.into_inner().try_into()?;
        let (changes, curve) = self.0.graph(&key, start, end, steps).await?;
        Ok(Response::new(GetGraphResponse {
            points: changes.iter().map(wire::graph_point).collect(),
            by_history: curve.iter().map(wire::history_point).collect(),
        }))
    }

    async fn get_head_to_head(
        &self,
        request: Request<GetHeadToHeadRequest>,
    ) -> Result<Response<GetHeadToHeadResponse>, Status> {
        let (one, other) = wire::two(request.get_ref())?;
        let tallies = self.0.head_to_head(one, other).await?;
        let records = tallies.into_iter().map(wire::head_to_head).collect();
        Ok(Response::new(GetHeadToHeadResponse { records }))
    }

    async fn list_game_changes(
        &self,
        request: Request<ListGameChangesRequest>,
    ) -> Result<Response<ListGameChangesResponse>, Status> {
        let games = wire::games(request.get_ref())?;
        let changes = self.0.changes_of(games).await?;
        Ok(Response::new(ListGameChangesResponse { changes: changes.iter().map(Into::into).collect() }))
    }

    async fn get_policy(
        &self,
        _request: Request<GetPolicyRequest>,
    ) -> Result<Response<GetPolicyResponse>, Status> {
        Ok(Response::new(wire::policy(&self.0.advantages().await?)))
    }
}
