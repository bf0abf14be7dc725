//! `RatingService`: ratings, history and leaderboards, for everybody.

use api::{
    fault::Fault,
    rating::v1::{
        GetRatingRequest, GetRatingResponse, ListHistoryRequest, ListHistoryResponse, ListLeadersRequest,
        ListLeadersResponse, ListRatingsRequest, ListRatingsResponse, rating_service_server::RatingService,
    },
    reason,
};
use chassis::{Ambient, Database, id::AccountId, page::Page};
use serde::{Deserialize, Serialize};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{core::standing::Standing, error::Error, store, wire};

/// Tells ratings.
#[derive(Clone, Debug)]
pub struct Public {
    pub ambient: Ambient,
    pub database: Database,
}

/// Where a page of a leaderboard ends. The rating is kept by its bits: as a decimal it might come back as its
/// neighbour.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place {
    rating_bits: u64,
    account: Uuid,
}

#[tonic::async_trait]
impl RatingService for Public {
    async fn get_rating(
        &self,
        request: Request<GetRatingRequest>,
    ) -> Result<Response<GetRatingResponse>, Status> {
        let request = request.into_inner();
        let key = wire::key(&request.account_id, &request.variant, request.speed_class())?;
        let standing = store::one(&self.database, &key).await.map_err(Error::from)?;
        let standing = standing.unwrap_or(Standing::INITIAL).at(self.ambient.now());
        Ok(Response::new(GetRatingResponse { rating: Some(wire::rating(&key, standing)) }))
    }

    async fn list_ratings(
        &self,
        request: Request<ListRatingsRequest>,
    ) -> Result<Response<ListRatingsResponse>, Status> {
        let account = AccountId::parse(&request.into_inner().account_id, "account_id")?;
        let standings = store::of_account(&self.database, account).await.map_err(Error::from)?;
        let now = self.ambient.now();
        let ratings = standings.into_iter().map(|(key, standing)| wire::rating(&key, standing.at(now)));
        Ok(Response::new(ListRatingsResponse { ratings: ratings.collect() }))
    }

    async fn list_history(
        &self,
        request: Request<ListHistoryRequest>,
    ) -> Result<Response<ListHistoryResponse>, Status> {
        let request = request.into_inner();
        let key = wire::key(&request.account_id, &request.variant, request.speed_class())?;
        let filters = format!("history/{}/{}/{}", key.0, request.variant, request.speed_class);
        let page = Page::of(filters, request.page_size, &request.page_token)?;
        let found =
            store::history(&self.database, &key, page.after, page.fetch()).await.map_err(Error::from)?;
        let (changes, next_page_token) = page.cut(found, |last| last.after.games);
        let changes = changes.iter().map(wire::change).collect();
        Ok(Response::new(ListHistoryResponse { changes, next_page_token }))
    }

    async fn list_leaders(
        &self,
        request: Request<ListLeadersRequest>,
    ) -> Result<Response<ListLeadersResponse>, Status> {
        let request = request.into_inner();
        let category = wire::category(&request.variant, request.speed_class())?;
        let filters = format!("leaders/{}/{}", request.variant, request.speed_class);
        let page = Page::of(filters, request.page_size, &request.page_token)?;
        let below = page.after.map(place).transpose()?;
        let now = self.ambient.now();
        let found =
            store::ranked(&self.database, &category, now, below, page.fetch()).await.map_err(Error::from)?;
        let (leaders, next_page_token) = page.cut(found, |((account, _), standing)| Place {
            rating_bits: standing.rating.value().to_bits(),
            account: account.uuid(),
        });
        let leaders = leaders.into_iter().map(|(key, standing)| wire::rating(&key, standing.at(now)));
        Ok(Response::new(ListLeadersResponse { leaders: leaders.collect(), next_page_token }))
    }
}

/// A rating and an account from a token, which may be forged: NaN must not reach the database.
fn place(place: Place) -> Result<(f64, Uuid), Fault> {
    let rating = f64::from_bits(place.rating_bits);
    if rating.is_finite() {
        return Ok((rating, place.account));
    }
    Err(Fault::invalid(reason::BAD_PAGE_TOKEN, "page_token", "not a token from the list before"))
}
