//! Why a call is refused or failed, and what that is on the wire.

mod organisation;

use chassis::database::{Contention, StoreError};
use live::LiveError;
use tonic::Status;

use crate::core::refusal::Refusal;

/// What a use case comes to.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a call is refused or failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A change of an organisation is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The call itself is at fault, or whoever was asked says so.
    #[error(transparent)]
    Call(#[from] api::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The live state failed.
    #[error(transparent)]
    Live(#[from] LiveError),
}

impl From<sea_orm::DbErr> for Error {
    fn from(error: sea_orm::DbErr) -> Self {
        Error::Store(error.into())
    }
}

impl Contention for Error {
    fn is_contended(&self) -> bool {
        matches!(self, Error::Store(StoreError::Contended))
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        match error {
            Error::Refused(refusal) => organisation::told(&refusal).into(),
            Error::Call(error) => error.into(),
            Error::Store(error) => chassis::error::store(&error).into(),
            Error::Live(error) => chassis::error::live(&error).into(),
        }
    }
}
