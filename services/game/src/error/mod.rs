//! Why a call failed, and what of it the caller is told.

mod store;

use std::time::Duration;

use api::reason;
use chassis::Throttle;
use prost::DecodeError;
use sea_orm::DbErr;
use tonic::Code;

use crate::core::{Corrupt, ImportError, Refusal, Usage, chat::ChatRefusal};

pub use store::Malformed;
pub(crate) use store::{JournalError, StoreError};

/// A call that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The request itself is at fault.
    #[error(transparent)]
    Api(#[from] api::Error),
    /// There is no such game.
    #[error("there is no such game")]
    UnknownGame,
    /// The caller has no seat in it.
    #[error("the caller has no seat in this game")]
    NotAPlayer,
    /// The game refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The request id was used for something else.
    #[error("the request id was used for something else")]
    RequestIdReused,
    /// The id belongs to another game.
    #[error("the id belongs to another game")]
    GameDiffers,
    /// The record cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Other replicas were faster again and again.
    #[error("too many writers at once")]
    Contended,
    /// The account keeps as many imports as it may.
    #[error("the account keeps {} records with {} bytes; delete some first", .0.records, .0.bytes)]
    ImportQuota(Usage),
    /// The import is somebody else's, or has no owner.
    #[error("the caller has not imported this game")]
    NotYourImport,
    /// The chat refuses.
    #[error(transparent)]
    Chat(#[from] ChatRefusal),
    /// More is said, or reported, than may be in so short a time; when it may be tried again.
    #[error("too much at once")]
    ChatTooFast(Duration),
    /// The room has as many messages as it may.
    #[error("the room is full")]
    ChatFull,
    /// There is no such message.
    #[error("there is no message of this number")]
    UnknownMessage,
    /// A stream is to begin after what is not there yet.
    #[error("the last {what} is {last}")]
    BadCursor {
        /// What the stream is of.
        what: &'static str,
        /// The number of the last.
        last: u64,
    },
    /// The caller has no office in the event or federation.
    #[error("the caller has no office there")]
    NotAnOfficial,
    /// Too many wait for what is dear.
    #[error("too many ask for long games at once; try again")]
    Busy,
    /// The clocks did not answer.
    #[error("the clocks did not answer: {0}")]
    Clock(tonic::Status),
    /// Players cannot reach the platform.
    #[error("no gateway is up, and the clocks stand still")]
    Unreachable,
    /// The log could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The database could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The live state did not answer.
    #[error(transparent)]
    Live(#[from] live::LiveError),
}

impl CallError {
    /// Whether the same call may be taken a moment later: what failed is a part of the platform.
    pub(crate) const fn is_the_platform_s(&self) -> bool {
        matches!(
            self,
            CallError::Contended
                | CallError::Clock(_)
                | CallError::Unreachable
                | CallError::Journal(JournalError::Failed | JournalError::Unwritten)
                | CallError::Store(StoreError::Driver(_))
                | CallError::Live(_)
        )
    }
}

/// What may be wrong when something is stored or read.
macro_rules! from_store {
    ($($cause:ty),+) => {
        $(impl From<$cause> for CallError {
            fn from(cause: $cause) -> Self {
                StoreError::from(cause).into()
            }
        })+
    };
}

from_store!(DbErr, DecodeError, Malformed, Corrupt);

impl From<CallError> for api::Error {
    fn from(error: CallError) -> api::Error {
        let message = error.to_string();
        match error {
            CallError::Api(answer) => answer,
            CallError::UnknownGame => api::Error::new(Code::NotFound, reason::UNKNOWN_GAME, message),
            CallError::NotAPlayer => api::Error::new(Code::PermissionDenied, reason::NOT_A_PLAYER, message),
            CallError::Refused(refusal) => refused(&refusal),
            CallError::RequestIdReused => api::Error::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
            CallError::GameDiffers => api::Error::new(Code::AlreadyExists, reason::GAME_DIFFERS, message),
            CallError::Import(error) => not_imported(&error),
            CallError::ImportQuota(usage) => {
                api::Error::new(Code::ResourceExhausted, reason::IMPORT_QUOTA, message)
                    .with_metadata("records", usage.records.to_string())
                    .with_metadata("bytes", usage.bytes.to_string())
            }
            CallError::NotYourImport => {
                api::Error::new(Code::PermissionDenied, reason::NOT_YOUR_IMPORT, message)
            }
            CallError::Chat(refusal) => {
                let (code, reason) = match refusal {
                    ChatRefusal::WrongRoom => (Code::PermissionDenied, reason::WRONG_ROOM),
                    ChatRefusal::GuestsReadOnly => (Code::PermissionDenied, reason::GUESTS_READ_ONLY),
                    ChatRefusal::Off => (Code::FailedPrecondition, reason::CHAT_OFF),
                };
                api::Error::new(code, reason, message)
            }
            CallError::ChatTooFast(retry_after) => {
                api::Error::new(Code::ResourceExhausted, reason::CHAT_TOO_FAST, message)
                    .retry_after(retry_after)
            }
            CallError::ChatFull => api::Error::new(Code::FailedPrecondition, reason::CHAT_FULL, message),
            CallError::UnknownMessage => api::Error::new(Code::NotFound, reason::UNKNOWN_MESSAGE, message),
            CallError::BadCursor { last, .. } => {
                api::Error::new(Code::OutOfRange, reason::BAD_CURSOR, message)
                    .with_metadata("sequence", last.to_string())
            }
            CallError::NotAnOfficial => {
                api::Error::new(Code::PermissionDenied, reason::NOT_AN_OFFICIAL, message)
            }
            CallError::Busy => api::Error::unavailable(reason::BUSY, message),
            CallError::Contended => api::Error::unavailable(reason::CONTENDED, message),
            CallError::Clock(status) => {
                tracing::warn!(%status, "the clocks did not answer");
                api::Error::unavailable(reason::CLOCK_UNAVAILABLE, "the clocks do not answer; try again")
            }
            CallError::Unreachable => api::Error::unavailable(reason::UNREACHABLE, message),
            CallError::Journal(JournalError::Failed | JournalError::Unwritten) => {
                api::Error::unavailable(reason::LOG_UNAVAILABLE, message)
            }
            CallError::Journal(JournalError::Refused) => api::Error::internal(),
            CallError::Live(error) => {
                tracing::warn!(%error, "the live state did not answer");
                api::Error::unavailable(
                    reason::LIVE_STATE_UNAVAILABLE,
                    "the live state does not answer; try again",
                )
            }
            CallError::Store(StoreError::Driver(error)) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::error!(%error, held_back, "the database could not be read");
                }
                api::Error::unavailable(
                    reason::DATABASE_UNAVAILABLE,
                    "the database does not answer; try again",
                )
            }
            CallError::Store(error) => {
                tracing::error!(%error, "the log of a game is damaged");
                api::Error::internal()
            }
        }
    }
}

impl From<CallError> for tonic::Status {
    fn from(error: CallError) -> tonic::Status {
        api::Error::from(error).into()
    }
}

fn refused(refusal: &Refusal) -> api::Error {
    if refusal.is_malformed() {
        let field = match refusal {
            Refusal::Officials(objection) => objection.field(),
            _ => None,
        };
        return api::Error::invalid(refusal.reason(), field.unwrap_or("act"), refusal.to_string());
    }
    let code = match refusal {
        Refusal::Officials(objection) if objection.is_denial() => Code::PermissionDenied,
        _ => Code::FailedPrecondition,
    };
    let answer = api::Error::new(code, refusal.reason(), refusal.to_string());
    match refusal {
        Refusal::StalePly { current, .. } => answer.with_metadata("ply", current.to_string()),
        Refusal::GraceRunning(until) => answer.with_metadata("until", until.unix_timestamp().to_string()),
        Refusal::Rules(rules) if rules.kind.is_against_a_rule() => answer.with_metadata("rule", rules.reason),
        _ => answer,
    }
}

fn not_imported(error: &ImportError) -> api::Error {
    let message = error.to_string();
    match error {
        ImportError::Unreadable(unreadable) => api::Error::invalid(reason::BAD_RECORD, "text", message)
            .with_metadata("line", unreadable.line.to_string()),
        ImportError::Rules(rules) => api::Error::invalid(reason::BAD_RECORD, "text", message)
            .with_metadata("option", rules.option.clone()),
        ImportError::Illegal { number, refusal, .. } => {
            api::Error::invalid(reason::ILLEGAL_RECORD, "text", message)
                .with_metadata("act", number.to_string())
                .with_metadata("rule", refusal.reason)
        }
    }
}
