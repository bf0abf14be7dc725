//! The service for the other services.

use api::{
    clock::v1::{
        PingRequest, PingResponse, StepRequest, StepResponse,
        clock_internal_service_server::ClockInternalService,
    },
    fault::Fault,
};
use async_trait::async_trait;
use chassis::auth;
use tonic::{Request, Response, Status};

use crate::{
    convert::{self, Asked},
    core::{Event, step},
    error::ClockError,
    store::Flags,
};

/// Steps clocks for the game service.
#[derive(Debug)]
pub struct Internal {
    flags: Flags,
}

impl Internal {
    /// The service, which has flags watched there.
    pub fn new(flags: Flags) -> Self {
        Internal { flags }
    }

    async fn take(&self, request: &StepRequest) -> Result<StepResponse, ClockError> {
        let asked = Asked::try_from(request)?;
        let step = step(asked.control, asked.before.as_ref(), &asked.event, asked.now)?;
        if asked.event == Event::Watch {
            // Whoever asks to watch again has just read the log. A flag of a higher revision can then only come
            // from an append that was lost, and must give way.
            self.flags.forget(asked.game, u64::MAX).await?;
        }
        self.flags.follow(asked.game, asked.control, asked.before.as_ref(), &step).await?;
        Ok(convert::answer(&step, asked.control))
    }
}

#[async_trait]
impl ClockInternalService for Internal {
    async fn step(&self, request: Request<StepRequest>) -> Result<Response<StepResponse>, Status> {
        auth::require_service(&request)?;
        Ok(Response::new(self.take(request.get_ref()).await.map_err(Fault::from)?))
    }

    async fn ping(&self, request: Request<PingRequest>) -> Result<Response<PingResponse>, Status> {
        auth::require_service(&request)?;
        self.flags.ping().await.map_err(|error| Fault::from(ClockError::from(error)))?;
        Ok(Response::new(PingResponse {}))
    }
}
