//! What other services may ask.

use std::sync::Arc;

use api::{
    game::v1::{self as pb, game_internal_service_server::GameInternalService},
    reason,
};
use chassis::{
    auth,
    id::GameId,
    page::{Page, Sizes},
};
use rules::Viewer;
use tonic::{Request, Response, Status};

use crate::{
    app::{App, flags::FlagFall},
    core::Header,
    wire::{audience_to_pb, control_to_pb, reading_from_pb, reading_to_pb, side_from_pb},
};

/// Running games in an answer when the caller does not say, and at most.
const RUNNING: Sizes = Sizes { default: 500, max: 1000 };

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
        let (clock, ended) = self.0.call_flag(flag_fall(&request.into_inner())?).await?;
        Ok(Response::new(pb::CallFlagResponse { clock: clock.as_ref().map(reading_to_pb), ended }))
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
        let request = request.into_inner();
        let page = Page::sized(RUNNING, "running", request.page_size, &request.page_token)?;
        let found = self.0.registry.reader.running(page.after, page.fetch()).await?;
        let (entries, next_page_token) = page.cut(found, |last| last.place);
        // From the ends of their logs: nobody has asked for the games themselves.
        let headers = self.0.queries.views.headers(&entries).await?;
        let clocks = headers.iter().filter_map(|header| running_clock(header)).collect();
        Ok(Response::new(pb::ListRunningClocksResponse { clocks, next_page_token }))
    }
}

/// The clock of a game, unless there is none to be watched.
fn running_clock(header: &Header) -> Option<pb::RunningClock> {
    let (control, clock) = (header.info.time_control?, header.after.clock.as_ref()?);
    (!header.is_over()).then(|| pb::RunningClock {
        game_id: header.info.id.to_string(),
        time_control: Some(control_to_pb(control)),
        reading: Some(reading_to_pb(clock)),
        audience: audience_to_pb(&header.info),
    })
}

fn flag_fall(request: &pb::CallFlagRequest) -> Result<FlagFall, api::Error> {
    let bad = |field: &str| api::Error::invalid(reason::BAD_FLAG, field, "required");
    Ok(FlagFall {
        game: GameId::parse(&request.game_id, "game_id")?,
        revision: request.revision,
        side: side_from_pb(request.side).ok_or_else(|| bad("side"))?,
        time: request.fall_time.as_ref().and_then(api::time::moment).ok_or_else(|| bad("fall_time"))?,
        reading: request
            .reading
            .as_ref()
            .and_then(|reading| reading_from_pb(reading).ok())
            .ok_or_else(|| bad("reading"))?,
    })
}
