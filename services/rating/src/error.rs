//! What a failure of the store is to a caller.

use api::{fault::Fault, reason};
use chassis::throttle::Throttle;
use tonic::Status;

use crate::store::StoreError;

impl From<StoreError> for Status {
    fn from(error: StoreError) -> Status {
        fault(&error).into()
    }
}

/// The fault for an error; what the caller cannot help is logged here and not told.
fn fault(error: &StoreError) -> Fault {
    match error {
        StoreError::Contradiction(contradiction) => {
            Fault::invalid(reason::BAD_RESULT, "game_id", contradiction.to_string())
        }
        StoreError::Contended => {
            Fault::unavailable(reason::CONTENDED, "too many results at once for these players")
        }
        StoreError::Stopped => Fault::unavailable(reason::STOPPING, "the service is stopping"),
        StoreError::Failed | StoreError::Database(_) => {
            static COMPLAINTS: Throttle = Throttle::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                let error = error as &dyn std::error::Error;
                tracing::warn!(error, held_back, "the database does not answer");
            }
            Fault::unavailable(reason::DATABASE_UNAVAILABLE, "the database does not answer; try again")
        }
        StoreError::Inconsistent(_) => {
            tracing::error!(error = error as &dyn std::error::Error, "the store of the ratings failed");
            Fault::internal()
        }
    }
}
