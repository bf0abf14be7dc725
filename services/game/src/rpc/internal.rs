//! What other services may ask.

use std::sync::Arc;

use api::game::v1::{self as pb, game_internal_service_server::GameInternalService};
use chassis::auth;
use rules::Viewer;
use tonic::{Request, Response, Status};

use crate::{
    app::App,
    wire::{GamesRequest, running_clock},
};

/// The internal game service.
pub(crate) struct InternalApi(pub Arc<App>);

#[tonic::async_trait]
impl GameInternalService for InternalApi {
    async fn create_game(
        &self,
        request: Request<pb::CreateGameRequest>,
    ) -> Result<Response<pb::CreateGameResponse>, Status> {
        auth::require_service(&request)?;
        let game = self.0.create(request.into_inner().try_into()?).await?;
        let game = self.0.queries.whole_game(&game, Viewer::Spectator).await?;
        Ok(Response::new(pb::CreateGameResponse { game: Some(game) }))
    }

    async fn call_flag(
        &self,
        request: Request<pb::CallFlagRequest>,
    ) -> Result<Response<pb::CallFlagResponse>, Status> {
        auth::require_service(&request)?;
        let (clock, ended) = self.0.call_flag(request.into_inner().try_into()?).await?;
        Ok(Response::new(pb::CallFlagResponse { clock: clock.as_ref().map(Into::into), ended }))
    }

    async fn report_gateway(
        &self,
        request: Request<pb::ReportGatewayRequest>,
    ) -> Result<Response<pb::ReportGatewayResponse>, Status> {
        auth::require_service(&request)?;
        self.0.registry.heartbeat.gateway().await?;
        Ok(Response::new(pb::ReportGatewayResponse {}))
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
