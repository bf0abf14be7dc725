//! Why a call failed, and what of it the caller is told.

mod store;

use std::time::Duration;

use api::{fault::Fault, reason};
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
    Fault(#[from] Fault),
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

impl From<CallError> for Fault {
    fn from(error: CallError) -> Fault {
        let message = error.to_string();
        match error {
            CallError::Fault(fault) => fault,
            CallError::UnknownGame => Fault::new(Code::NotFound, reason::UNKNOWN_GAME, message),
            CallError::NotAPlayer => Fault::new(Code::PermissionDenied, reason::NOT_A_PLAYER, message),
            CallError::Refused(refusal) => refused(&refusal),
            CallError::RequestIdReused => Fault::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
            CallError::GameDiffers => Fault::new(Code::AlreadyExists, reason::GAME_DIFFERS, message),
            CallError::Import(error) => not_imported(&error),
            CallError::ImportQuota(usage) => {
                Fault::new(Code::ResourceExhausted, reason::IMPORT_QUOTA, message)
                    .with("records", usage.records.to_string())
                    .with("bytes", usage.bytes.to_string())
            }
            CallError::NotYourImport => Fault::new(Code::PermissionDenied, reason::NOT_YOUR_IMPORT, message),
            CallError::Chat(refusal) => {
                let (code, reason) = match refusal {
                    ChatRefusal::WrongRoom => (Code::PermissionDenied, reason::WRONG_ROOM),
                    ChatRefusal::GuestsReadOnly => (Code::PermissionDenied, reason::GUESTS_READ_ONLY),
                    ChatRefusal::Off => (Code::FailedPrecondition, reason::CHAT_OFF),
                };
                Fault::new(code, reason, message)
            }
            CallError::ChatTooFast(retry_after) => {
                Fault::new(Code::ResourceExhausted, reason::CHAT_TOO_FAST, message).retry_after(retry_after)
            }
            CallError::ChatFull => Fault::new(Code::FailedPrecondition, reason::CHAT_FULL, message),
            CallError::UnknownMessage => Fault::new(Code::NotFound, reason::UNKNOWN_MESSAGE, message),
            CallError::BadCursor { last, .. } => {
                Fault::new(Code::OutOfRange, reason::BAD_CURSOR, message).with("sequence", last.to_string())
            }
            CallError::NotAnOfficial => Fault::new(Code::PermissionDenied, reason::NOT_AN_OFFICIAL, message),
            CallError::Busy => Fault::unavailable(reason::BUSY, message),
            CallError::Contended => Fault::unavailable(reason::CONTENDED, message),
            CallError::Clock(status) => {
                tracing::warn!(%status, "the clocks did not answer");
                Fault::unavailable(reason::CLOCK_UNAVAILABLE, "the clocks do not answer; try again")
            }
            CallError::Unreachable => Fault::unavailable(reason::UNREACHABLE, message),
            CallError::Journal(JournalError::Failed | JournalError::Unwritten) => {
                Fault::unavailable(reason::LOG_UNAVAILABLE, message)
            }
            CallError::Journal(JournalError::Refused) => Fault::internal(),
            CallError::Live(error) => {
                tracing::warn!(%error, "the live state did not answer");
                Fault::unavailable(
                    reason::LIVE_STATE_UNAVAILABLE,
                    "the live state does not answer; try again",
                )
            }
            CallError::Store(StoreError::Driver(error)) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::error!(%error, held_back, "the database could not be read");
                }
                Fault::unavailable(reason::DATABASE_UNAVAILABLE, "the database does not answer; try again")
            }
            CallError::Store(error) => {
                tracing::error!(%error, "the log of a game is damaged");
                Fault::internal()
            }
        }
    }
}

impl From<CallError> for tonic::Status {
    fn from(error: CallError) -> tonic::Status {
        Fault::from(error).into()
    }
}

fn refused(refusal: &Refusal) -> Fault {
    if refusal.is_malformed() {
        let field = match refusal {
            Refusal::Officials(objection) => objection.field(),
            _ => None,
        };
        return Fault::invalid(refusal.reason(), field.unwrap_or("act"), refusal.to_string());
    }
    let code = match refusal {
        Refusal::Officials(objection) if objection.is_denial() => Code::PermissionDenied,
        _ => Code::FailedPrecondition,
    };
    let fault = Fault::new(code, refusal.reason(), refusal.to_string());
    match refusal {
        Refusal::StalePly { current, .. } => fault.with("ply", current.to_string()),
        Refusal::GraceRunning(until) => fault.with("until", until.unix_timestamp().to_string()),
        Refusal::Rules(rules) if rules.kind.is_against_a_rule() => fault.with("rule", rules.reason),
        _ => fault,
    }
}

fn not_imported(error: &ImportError) -> Fault {
    let message = error.to_string();
    match error {
        ImportError::Unreadable(unreadable) => {
            Fault::invalid(reason::BAD_RECORD, "text", message).with("line", unreadable.line.to_string())
        }
        ImportError::Rules(rules) => {
            Fault::invalid(reason::BAD_RECORD, "text", message).with("option", rules.option.clone())
        }
        ImportError::Illegal { number, refusal, .. } => {
            Fault::invalid(reason::ILLEGAL_RECORD, "text", message)
                .with("act", number.to_string())
                .with("rule", refusal.reason)
        }
    }
}
