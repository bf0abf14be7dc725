//! Why a call failed, and what of it the caller is told.

use std::time::Duration;

use api::{DecodeError, reason};
use chassis::database::StoreError;
use live::LiveError;
use sea_orm::DbErr;
use tonic::{Code, Status};

use crate::core::{CommandError, Corrupt, ImportError, ImportUsage, MaintenanceError, chat::ChatError};

/// What a call of this service comes to.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// What an operator wanted of a maintenance, and did not get.
#[derive(Debug, thiserror::Error)]
pub enum MaintenanceFailure {
    /// It cannot be.
    #[error(transparent)]
    Refused(#[from] MaintenanceError),
    /// The database does not answer.
    #[error("the database does not answer")]
    Database(#[from] DbErr),
}

/// A call that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The request itself is at fault.
    #[error(transparent)]
    Api(#[from] api::Error),
    /// There is no such game.
    #[error("there is no such game")]
    UnknownGame,
    /// The caller has no seat in it.
    #[error("the caller has no seat in this game")]
    NotAPlayer,
    /// The caller plays in the event of this game, and his own game is not over.
    #[error("who plays in an event watches no other game of it until his own is over")]
    PlaysInEvent,
    /// The game refuses.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The request id was used for something else.
    #[error("the request id was used for something else")]
    RequestIdReused,
    /// The id belongs to another game.
    #[error("the id belongs to another game")]
    GameDiffers,
    /// The rules are not such.
    #[error(transparent)]
    RuleSet(#[from] rules::OptionError),
    /// The record cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Other replicas were faster again and again.
    #[error("too many writers at once")]
    Contended,
    /// The account keeps as many imports as it may.
    #[error("the account keeps {} records with {} bytes; delete some first", .0.records, .0.bytes)]
    ImportQuota(ImportUsage),
    /// The import is somebody else's, or has no owner.
    #[error("the caller has not imported this game")]
    NotYourImport,
    /// The chat refuses.
    #[error(transparent)]
    Chat(#[from] ChatError),
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
    Clock(Status),
    /// Players cannot reach the platform.
    #[error("no gateway is up, and the clocks stand still")]
    Unreachable,
    /// A stream ends that another replica goes on with.
    #[error("the server is shutting down; go on with the last sequence number")]
    Stopping,
    /// Nobody reads a stream, which has come to this number.
    #[error("nothing was read for a minute; go on with the last sequence number")]
    ReaderStalled(u64),
    /// The account has as many streams as it may.
    #[error("the account has as many streams of its own games as it may")]
    TooManyStreams,
    /// The log could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database, or another service, says what nobody can read.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The log of a game makes no sense.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// The live state failed.
    #[error(transparent)]
    Live(#[from] LiveError),
}

/// Why an append is not known to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JournalError {
    /// The database could not be written to. Nothing of the append is in the log, nor will be.
    #[error("the log could not be written")]
    Unwritten,
    /// The database failed while it wrote. Whether the events are in the log, or will be, is not known.
    #[error("the log could not be written")]
    Failed,
    /// The database refuses this append and no other: it would do so again. Nothing of it is written.
    #[error("the log does not take this event")]
    Refused,
}

impl Error {
    /// Whether the same call may be taken a moment later: what failed is a part of the platform.
    pub(crate) const fn is_the_platform_s(&self) -> bool {
        matches!(
            self,
            Error::Contended
                | Error::Clock(_)
                | Error::Unreachable
                | Error::Journal(JournalError::Failed | JournalError::Unwritten)
                | Error::Store(StoreError::Database(_) | StoreError::Contended)
                | Error::Live(_)
        )
    }
}

impl From<prost::DecodeError> for Error {
    fn from(_: prost::DecodeError) -> Self {
        DecodeError("its encoding").into()
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        StoreError::from(error).into()
    }
}

impl From<Error> for api::Error {
    fn from(error: Error) -> api::Error {
        let message = error.to_string();
        match error {
            Error::Api(answer) => answer,
            Error::UnknownGame => api::Error::new(Code::NotFound, reason::UNKNOWN_GAME, message),
            Error::NotAPlayer => api::Error::new(Code::PermissionDenied, reason::NOT_A_PLAYER, message),
            Error::PlaysInEvent => api::Error::new(Code::PermissionDenied, reason::PLAYS_IN_EVENT, message),
            Error::Command(error) => command(&error),
            Error::RequestIdReused => api::Error::new(Code::Aborted, reason::REQUEST_ID_REUSED, message),
            Error::GameDiffers => api::Error::new(Code::AlreadyExists, reason::GAME_DIFFERS, message),
            Error::RuleSet(_) => api::Error::invalid(reason::BAD_RULE_SET, "options", message),
            Error::Import(error) => not_imported(&error),
            Error::ImportQuota(usage) => {
                api::Error::new(Code::ResourceExhausted, reason::IMPORT_QUOTA, message)
                    .with_metadata("records", usage.records.to_string())
                    .with_metadata("bytes", usage.bytes.to_string())
            }
            Error::NotYourImport => api::Error::new(Code::PermissionDenied, reason::NOT_YOUR_IMPORT, message),
            Error::Chat(refusal) => {
                let (code, reason) = match refusal {
                    ChatError::WrongRoom => (Code::PermissionDenied, reason::WRONG_ROOM),
                    ChatError::GuestsReadOnly => (Code::PermissionDenied, reason::GUESTS_READ_ONLY),
                    ChatError::Off => (Code::FailedPrecondition, reason::CHAT_OFF),
                };
                api::Error::new(code, reason, message)
            }
            Error::ChatTooFast(retry_after) => {
                api::Error::new(Code::ResourceExhausted, reason::CHAT_TOO_FAST, message)
                    .retry_after(retry_after)
            }
            Error::ChatFull => api::Error::new(Code::FailedPrecondition, reason::CHAT_FULL, message),
            Error::UnknownMessage => api::Error::new(Code::NotFound, reason::UNKNOWN_MESSAGE, message),
            Error::BadCursor { last, .. } => api::Error::new(Code::OutOfRange, reason::BAD_CURSOR, message)
                .with_metadata("sequence", last.to_string()),
            Error::NotAnOfficial => api::Error::new(Code::PermissionDenied, reason::NOT_AN_OFFICIAL, message),
            Error::Busy => api::Error::unavailable(reason::BUSY, message),
            Error::Contended => api::Error::unavailable(reason::CONTENDED, message),
            Error::Clock(status) => {
                tracing::warn!(%status, "the clocks did not answer");
                api::Error::unavailable(reason::CLOCK_UNAVAILABLE, "the clocks do not answer; try again")
            }
            Error::Unreachable => api::Error::unavailable(reason::UNREACHABLE, message),
            Error::Journal(JournalError::Failed | JournalError::Unwritten) => {
                api::Error::unavailable(reason::LOG_UNAVAILABLE, message)
            }
            Error::Journal(JournalError::Refused) => api::Error::internal(),
            Error::Stopping => api::Error::unavailable(reason::STOPPING, message),
            Error::ReaderStalled(sequence) => api::Error::unavailable(reason::READER_STALLED, message)
                .with_metadata("sequence", sequence.to_string()),
            Error::TooManyStreams => {
                api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_STREAMS, message)
            }
            Error::Live(error) => chassis::error::live(&error),
            Error::Store(error) => chassis::error::store(&error),
            Error::Decode(_) | Error::Corrupt(_) => {
                tracing::error!(%error, "the log of a game is damaged");
                api::Error::internal()
            }
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        api::Error::from(error).into()
    }
}

fn command(error: &CommandError) -> api::Error {
    if error.is_malformed() {
        let field = match error {
            CommandError::Ruling(error) => error.field(),
            _ => None,
        };
        return api::Error::invalid(error.reason(), field.unwrap_or("act"), error.to_string());
    }
    let code = match error {
        CommandError::Ruling(error) if error.is_permission_denied() => Code::PermissionDenied,
        _ => Code::FailedPrecondition,
    };
    let answer = api::Error::new(code, error.reason(), error.to_string());
    match error {
        CommandError::StalePly { current, .. } => answer.with_metadata("ply", current.to_string()),
        CommandError::GraceRunning(until) => {
            answer.with_metadata("until", until.unix_timestamp().to_string())
        }
        CommandError::Rules(rules) if rules.kind.is_against_a_rule() => {
            answer.with_metadata("rule", rules.reason)
        }
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
