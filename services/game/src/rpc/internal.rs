//! What other services may ask.

use std::sync::Arc;

use api::{
    game::v1::{self as pb, game_internal_service_server::GameInternalService},
    reason,
};
use chassis::{auth, id::AccountId};
use futures::{StreamExt as _, TryStreamExt as _, future::join_all, stream::BoxStream};
use rules::Viewer;
use tonic::{Request, Response, Status};

use crate::{
    app::{App, follow_own},
    wire::{GamesRequest, named_games, running_clock},
};

/// Games that are made in one call: enough that a flood costs few calls, not so many that the first waits for long.
const CREATED_MAX: usize = 64;

/// The internal game service.
pub(crate) struct InternalApi(pub Arc<App>);

#[tonic::async_trait]
impl GameInternalService for InternalApi {
    type FollowGamesStream = BoxStream<'static, Result<pb::FollowGamesResponse, Status>>;

    async fn create_game(
        &self,
        request: Request<pb::CreateGameRequest>,
    ) -> Result<Response<pb::CreateGameResponse>, Status> {
        auth::require_service(&request)?;
        let game = self.0.create(request.into_inner().try_into()?).await?;
        let game = self.0.queries.whole_game(&game, Viewer::Spectator).await?;
        Ok(Response::new(pb::CreateGameResponse { game: Some(game) }))
    }

    async fn create_games(
        &self,
        request: Request<pb::CreateGamesRequest>,
    ) -> Result<Response<pb::CreateGamesResponse>, Status> {
        auth::require_service(&request)?;
        let pb::CreateGamesRequest { games } = request.into_inner();
        if games.len() > CREATED_MAX {
            let message = format!("{CREATED_MAX} at most");
            return Err(api::Error::invalid(reason::BAD_BATCH, "games", message).into());
        }
        let create = async |game: pb::CreateGameRequest| self.0.create(game.try_into()?).await;
        let made = join_all(games.into_iter().map(create)).await;
        let refusals = (0..).zip(made).filter_map(|(index, made)| {
            let status = Status::from(made.err()?);
            let (code, reason) = (status.code().into(), api::error::reason(&status));
            Some(pb::GameRefusal { index, code, reason, message: status.message().to_owned() })
        });
        Ok(Response::new(pb::CreateGamesResponse { refusals: refusals.collect() }))
    }

    async fn call_flag(
        &self,
        request: Request<pb::CallFlagRequest>,
    ) -> Result<Response<pb::CallFlagResponse>, Status> {
        auth::require_service(&request)?;
        let (clock, ended) = self.0.call_flag(request.into_inner().try_into()?).await?;
        Ok(Response::new(pb::CallFlagResponse { clock: clock.as_ref().map(Into::into), ended }))
    }

    async fn follow_games(
        &self,
        request: Request<pb::FollowGamesRequest>,
    ) -> Result<Response<Self::FollowGamesStream>, Status> {
        auth::require_service(&request)?;
        let pb::FollowGamesRequest { account_id, known_game_ids } = request.into_inner();
        let account = AccountId::parse(&account_id, "account_id")?;
        let told =
            follow_own::watch(Arc::clone(&self.0), account, named_games(&known_game_ids)?, None).await?;
        let told = told.map_ok(|pb::WatchOwnGamesResponse { games, caught_up, .. }| {
            pb::FollowGamesResponse { games, caught_up }
        });
        Ok(Response::new(told.boxed()))
    }

    async fn report_gateway(
        &self,
        request: Request<pb::ReportGatewayRequest>,
    ) -> Result<Response<pb::ReportGatewayResponse>, Status> {
        auth::require_service(&request)?;
        self.0.registry.heartbeat.gateway().await?;
        Ok(Response::new(pb::ReportGatewayResponse {}))
    }

    async fn get_maintenance(
        &self,
        request: Request<pb::GetMaintenanceRequest>,
    ) -> Result<Response<pb::GetMaintenanceResponse>, Status> {
        auth::require_service(&request)?;
        let next = self.0.registry.next_maintenance().await?;
        Ok(Response::new(pb::GetMaintenanceResponse { maintenance: next.as_deref().map(Into::into) }))
    }

    async fn list_running_clocks(
        &self,
        request: Request<pb::ListRunningClocksRequest>,
    ) -> Result<Response<pb::ListRunningClocksResponse>, Status> {
        auth::require_service(&request)?;
        let GamesRequest { page, .. } = request.into_inner().try_into()?;
        let (headers, next_page_token) = self.0.queries.running(&page).await?;
        let clocks = headers.iter().filter_map(|header| running_clock(header)).collect();
        Ok(Response::new(pb::ListRunningClocksResponse { clocks, next_page_token }))
    }
}
