//! The service for the other services.

use api::clock::v1::{
    PingRequest, PingResponse, RepeatAnnouncementRequest, RepeatAnnouncementResponse, StepRequest,
    StepResponse, clock_internal_service_server::ClockInternalService,
};
use chassis::{auth, id::GameId};
use tonic::{Request, Response, Status};

use crate::{app::Clocks, core, error::Error, wire};

/// Steps clocks for the game service.
#[derive(Debug)]
pub(crate) struct InternalApi(pub Clocks);

#[tonic::async_trait]
impl ClockInternalService for InternalApi {
    async fn step(&self, request: Request<StepRequest>) -> Result<Response<StepResponse>, Status> {
        auth::require_service(&request)?;
        let request = core::StepRequest::try_from(request.get_ref())?;
        let step = self.0.step(&request).await?;
        Ok(Response::new(wire::step_response(&step, request.control)))
    }

    async fn repeat_announcement(
        &self,
        request: Request<RepeatAnnouncementRequest>,
    ) -> Result<Response<RepeatAnnouncementResponse>, Status> {
        auth::require_service(&request)?;
        let RepeatAnnouncementRequest { game_id, from_time } = request.get_ref();
        let game = GameId::parse(game_id, "game_id")?;
        let from = from_time.as_ref().map(|from| wire::moment(Some(from), "from_time"));
        let from = from.transpose().map_err(Error::from)?;
        Ok(Response::new(RepeatAnnouncementResponse {
            announcements: self.0.repeat_announcements(game, from).await?,
        }))
    }

    async fn ping(&self, request: Request<PingRequest>) -> Result<Response<PingResponse>, Status> {
        auth::require_service(&request)?;
        self.0.prove().await?;
        Ok(Response::new(PingResponse {}))
    }
}
