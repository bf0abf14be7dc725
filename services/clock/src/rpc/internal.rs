//! The service for the other services.

use api::{
    clock::v1::{
        PingRequest, PingResponse, RepeatCallRequest, RepeatCallResponse, StepRequest, StepResponse,
        clock_internal_service_server::ClockInternalService, watch_calls_response,
    },
    fault::Fault,
};
use async_trait::async_trait;
use chassis::{Ambient, auth, id::GameId};
use tonic::{Request, Response, Status};

use crate::{
    core::{Event, announcements_to_repeat, step},
    error::ClockError,
    store::Flags,
    wire::{self, Asked, platform_moment},
};

/// Steps clocks for the game service.
#[derive(Debug)]
pub struct Internal {
    ambient: Ambient,
    flags: Flags,
}

impl Internal {
    /// The service on this time, which has flags watched there.
    pub fn new(ambient: Ambient, flags: Flags) -> Self {
        Internal { ambient, flags }
    }

    async fn take(&self, request: &StepRequest) -> Result<StepResponse, ClockError> {
        let asked = Asked::try_from(request)?;
        let step = step(asked.control, asked.before.as_ref(), &asked.event, asked.now)?;
        if asked.event == Event::Watch {
            // Whoever asks to watch again has just read the log. A flag of a higher revision can then only come
            // from an append that was lost, and must give way.
            self.flags.forget(asked.game, u64::MAX).await?;
        }
        self.flags.follow(&asked, &step).await?;
        Ok(wire::answer(&step, asked.control))
    }

    async fn repeat(&self, request: &RepeatCallRequest) -> Result<RepeatCallResponse, ClockError> {
        let game = GameId::parse(&request.game_id, "game_id")?;
        let from = request.from_time.as_ref().map(|from| wire::moment(Some(from), "from_time"));
        let from = from.transpose()?;
        let watched = self.flags.current(game).await?.ok_or(ClockError::UnknownClock)?;
        let now = platform_moment(self.ambient.now());
        let due = announcements_to_repeat(watched.control, &watched.reading, from, now);
        if due.is_empty() {
            return Err(ClockError::NothingAnnounced);
        }
        let revision = watched.reading.revision;
        let calls: Vec<_> = due.iter().map(|due| wire::call_proto(due, revision, true)).collect();
        for call in &calls {
            self.flags.tell(game, &watch_calls_response::Step::Call(*call)).await;
        }
        Ok(RepeatCallResponse { calls })
    }
}

#[async_trait]
impl ClockInternalService for Internal {
    async fn step(&self, request: Request<StepRequest>) -> Result<Response<StepResponse>, Status> {
        auth::require_service(&request)?;
        Ok(Response::new(self.take(request.get_ref()).await.map_err(Fault::from)?))
    }

    async fn repeat_call(
        &self,
        request: Request<RepeatCallRequest>,
    ) -> Result<Response<RepeatCallResponse>, Status> {
        auth::require_service(&request)?;
        Ok(Response::new(self.repeat(request.get_ref()).await.map_err(Fault::from)?))
    }

    async fn ping(&self, request: Request<PingRequest>) -> Result<Response<PingResponse>, Status> {
        auth::require_service(&request)?;
        self.flags.prove().await.map_err(|error| Fault::from(ClockError::from(error)))?;
        Ok(Response::new(PingResponse {}))
    }
}
