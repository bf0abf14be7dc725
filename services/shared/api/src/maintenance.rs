//! When the platform is worked on, as the game service says, for services that ask it.

use std::{
    sync::{PoisonError, RwLock},
    time::Duration,
};

use ::time::OffsetDateTime;

use crate::{
    Error,
    clock::v1::Maintenance,
    game::v1::{GetMaintenanceRequest, game_internal_service_client::GameInternalServiceClient},
    reason,
    time::moment,
    transport::Transport,
};

/// How often it is asked for.
pub const LOOK: Duration = Duration::from_secs(5);

/// What was said last.
#[derive(Debug, Default)]
pub struct PlannedMaintenance(RwLock<Option<Maintenance>>);

impl PlannedMaintenance {
    /// Asks for it. While there is no answer the last one is believed; the error is for the log.
    ///
    /// # Errors
    /// When the game service does not answer.
    pub async fn look(&self, mut games: GameInternalServiceClient<Transport>) -> Result<(), tonic::Status> {
        let answer = games.get_maintenance(GetMaintenanceRequest {}).await?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = answer.into_inner().maintenance;
        Ok(())
    }

    /// The maintenance that is under way or comes next.
    pub fn next(&self, now: OffsetDateTime) -> Option<Maintenance> {
        let planned = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        planned.filter(|it| it.end_time.as_ref().and_then(moment).is_some_and(|end| now < end))
    }

    /// The maintenance that is under way.
    pub fn under_way(&self, now: OffsetDateTime) -> Option<Maintenance> {
        self.next(now).filter(|it| it.begin_time.as_ref().and_then(moment).is_some_and(|begin| begin <= now))
    }
}

/// Why something does not begin now: the platform is worked on.
pub fn refusal(maintenance: &Maintenance) -> Error {
    let moment = |time: Option<prost_types::Timestamp>| time.unwrap_or_default().to_string();
    let (begins, ends) = (moment(maintenance.begin_time), moment(maintenance.end_time));
    let text = format!("the platform is worked on from {begins} to {ends}");
    Error::new(tonic::Code::FailedPrecondition, reason::MAINTENANCE_NEAR, text)
        .with_metadata("begin_time", begins)
        .with_metadata("end_time", ends)
}
