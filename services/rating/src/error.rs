//! Why a call is refused or failed, and what that is on the wire.

use api::reason;
use chassis::{
    database::{Contention, StoreError},
    id::GameId,
};
use sea_orm::DbErr;
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
    /// The caller is no moderator.
    #[error("only moderators of the platform may call this")]
    NotModerator,
    /// The caller is no arbiter of the event.
    #[error("you are no arbiter of this event")]
    NotAnOfficial,
    /// There is no such report that the caller may see.
    #[error("there is no such report")]
    UnknownReport,
    /// It was decided otherwise.
    #[error("the report was decided about, and otherwise")]
    ReportSettled,
    /// The caller does not belong to the federation.
    #[error("only members with an account and officials of the federation may call this")]
    NotAMember,
    /// The federation service does not tell who its members are.
    #[error("the members of federations are not known now: {0}")]
    Federation(Status),
    /// A game is not rated.
    #[error("game {0} is not rated")]
    UnknownGame(GameId),
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
            Error::NotAMember => {
                api::Error::new(Code::PermissionDenied, reason::NOT_A_MEMBER, error.to_string())
            }
            Error::Federation(_) => {
                api::Error::unavailable(reason::FEDERATION_UNAVAILABLE, error.to_string())
            }
            Error::NoSuchPeriod => api::Error::new(Code::NotFound, reason::NO_SUCH_PERIOD, error.to_string()),
            Error::NotModerator => {
                api::Error::new(Code::PermissionDenied, reason::NOT_MODERATOR, error.to_string())
            }
            Error::NotAnOfficial => {
                api::Error::new(Code::PermissionDenied, reason::NOT_AN_OFFICIAL, error.to_string())
            }
            Error::UnknownReport => {
                api::Error::new(Code::NotFound, reason::UNKNOWN_REPORT, error.to_string())
            }
            Error::ReportSettled => {
                api::Error::new(Code::FailedPrecondition, reason::REPORT_SETTLED, error.to_string())
            }
            Error::UnknownGame(game) => {
                api::Error::new(Code::NotFound, reason::UNKNOWN_GAME, error.to_string())
                    .with_metadata("game_id", game.to_string())
            }
            Error::Store(error) => chassis::error::store(&error),
        }
    }
}

impl Contention for Error {
    fn is_contended(&self) -> bool {
        matches!(self, Error::Store(error) if error.is_contended())
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Error {
        StoreError::from(error).into()
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        api::Error::from(error).into()
    }
}
