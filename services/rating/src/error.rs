//! Why a call is refused or failed, and what that is on the wire.

use api::reason;
use chassis::database::StoreError;
use tonic::{Code, Status};

use crate::core::telling::Contradiction;

/// Why a call is refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The game is known otherwise.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// Nothing was kept of a month.
    #[error("no leaderboard was kept of that month")]
    NoSuchPeriod,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for api::Error {
    fn from(error: Error) -> api::Error {
        match error {
            Error::Contradiction(error) => {
                api::Error::invalid(reason::BAD_RESULT, "game_id", error.to_string())
            }
            Error::NoSuchPeriod => api::Error::new(Code::NotFound, reason::NO_SUCH_PERIOD, error.to_string()),
            Error::Store(error) => chassis::error::store(&error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        api::Error::from(error).into()
    }
}
