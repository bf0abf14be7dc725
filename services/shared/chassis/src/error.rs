//! What a failure of the stores is to a caller, in every service alike: what he may try again is UNAVAILABLE with a
//! time to come again; what makes no sense is INTERNAL. The cause is logged here and not told.

use std::error::Error;

use api::reason;
use live::LiveError;

use crate::{Throttle, database::StoreError};

/// What is answered at a failure of the database.
pub fn store(error: &StoreError) -> api::Error {
    static COMPLAINTS: Throttle = Throttle::new();
    match error {
        StoreError::Database(cause) => {
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(error = cause as &dyn Error, held_back, "the database does not answer");
            }
            api::Error::unavailable(reason::DATABASE_UNAVAILABLE, "the database does not answer; try again")
        }
        StoreError::Contended => {
            api::Error::unavailable(reason::CONTENDED, "too many write the same at once; try again")
        }
        StoreError::Stopped => {
            api::Error::unavailable(reason::STOPPING, "this server is stopping; call again")
        }
        StoreError::Corrupt(_) | StoreError::Vault(_) => {
            tracing::error!(error = error as &dyn Error, "what the database holds cannot be used");
            api::Error::internal()
        }
    }
}

/// What is answered at a failure of live state.
pub fn live(error: &LiveError) -> api::Error {
    static COMPLAINTS: Throttle = Throttle::new();
    match error {
        LiveError::Unavailable(_) | LiveError::Refused(_) | LiveError::Full { .. } => {
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(error = error as &dyn Error, held_back, "the live state does not do its work");
            }
            api::Error::unavailable(
                reason::LIVE_STATE_UNAVAILABLE,
                "the live state does not answer; try again",
            )
        }
        error => {
            tracing::error!(error = error as &dyn Error, "the live state failed");
            api::Error::internal()
        }
    }
}
