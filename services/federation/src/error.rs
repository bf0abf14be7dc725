//! Why a call is refused or failed, and what that is on the wire.

mod event;
mod league;
mod organisation;
mod rating_list;

use api::reason;
use chassis::{
    Throttle,
    database::{Contention, StoreError},
};
use live::LiveError;
use pairing::trf::{EventError, TrfError};
use tonic::{Code, Status};

use crate::core::{
    document::DocumentFault,
    event::{CorruptLog, Refusal as EventRefusal, readings::BadReading, settings::EVENTS_OPEN_MAX},
    league::Refusal as LeagueRefusal,
    notice::STREAMS_MAX,
    rating_list::{Refusal as RatingListRefusal, plan::Broken},
    refusal::Refusal,
};

/// What a use case comes to.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call is refused or failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A change of an organisation is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A rating list refuses.
    #[error(transparent)]
    RatingList(#[from] RatingListRefusal),
    /// An event refuses.
    #[error(transparent)]
    Event(#[from] EventRefusal),
    /// There is no such event, as far as the caller may know.
    #[error("there is no such event")]
    UnknownEvent,
    /// There is no such round, or it is not public.
    #[error("there is no such round")]
    UnknownRound,
    /// No round waits to be published.
    #[error("no such round waits to be published")]
    NoDraft,
    /// The draft was changed while it was to be published.
    #[error("the draft has changed meanwhile")]
    DraftChanged,
    /// The federation has too many events.
    #[error("the federation has {EVENTS_OPEN_MAX} events under way")]
    TooManyEvents,
    /// The event has gone on.
    #[error("the event has gone on, to entry {0}")]
    SequenceMoved(u64),
    /// There is no such paper.
    #[error(transparent)]
    Document(#[from] DocumentFault),
    /// Too many wait for what takes long.
    #[error("too many ask for what takes long: come again later")]
    Busy,
    /// A file is no event, or an event no such file.
    #[error(transparent)]
    File(#[from] BadFile),
    /// A report cannot be judged.
    #[error(transparent)]
    Report(#[from] BadReport),
    /// The log, or what an account was told, is not that long.
    #[error("the last is number {0}")]
    BadCursor(u64),
    /// The account follows its notices often enough.
    #[error("an account follows its notices in {STREAMS_MAX} streams at most")]
    TooManyNoticeStreams,
    /// Who plays may not watch others until his own game is over.
    #[error("who plays in an event watches nobody else while his own game runs (Art. 15.4)")]
    PlaysInEvent,
    /// There is no such reading.
    #[error(transparent)]
    Reading(#[from] BadReading),
    /// A log cannot be believed.
    #[error(transparent)]
    Corrupt(#[from] CorruptLog),
    /// The process is about to stop.
    #[error("this server is stopping; call again")]
    Stopping,
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

/// Why a report of a tournament cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadReport {
    /// A line of it cannot be read.
    #[error(transparent)]
    Line(#[from] TrfError),
    /// It contradicts itself.
    #[error(transparent)]
    Event(#[from] EventError),
}

/// Why a file is no event, or an event no such file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadFile {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] exchange::ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] exchange::WriteError),
}

impl From<BadFile> for api::Error {
    fn from(bad: BadFile) -> api::Error {
        let text = bad.to_string();
        match bad {
            BadFile::Read(error) => api::Error::invalid(reason::BAD_EVENT_FILE, "file_id", text)
                .with_metadata("what", error.fault.name())
                .with_metadata("line", error.line.to_string())
                .with_metadata("column", error.column.to_string()),
            BadFile::Write(error) => {
                api::Error::new(Code::FailedPrecondition, reason::NOT_IN_THIS_FORMAT, text)
                    .with_metadata("what", error.refusal.name())
                    .with_metadata("place", error.place.to_string())
            }
        }
    }
}

impl From<BadReport> for api::Error {
    fn from(bad: BadReport) -> api::Error {
        let refused = api::Error::invalid(reason::BAD_REPORT, "report", bad.to_string());
        match bad {
            BadReport::Line(TrfError { line, column, fault }) => refused
                .with_metadata("what", fault.name())
                .with_metadata("line", line.to_string())
                .with_metadata("column", column.to_string()),
            BadReport::Event(error) => refused.with_metadata("what", error.reason()),
        }
    }
}

impl From<LeagueRefusal> for Error {
    fn from(refusal: LeagueRefusal) -> Self {
        Error::Refused(refusal.into())
    }
}

/// What is stored of a list and makes no sense is for the operator to look at.
impl From<Broken> for Error {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Refused(refusal) => refusal.into(),
            Broken::Fault(_) | Broken::Bytes(_) => StoreError::Corrupt("rating_steps").into(),
        }
    }
}

impl From<sea_orm::DbErr> for Error {
    fn from(error: sea_orm::DbErr) -> Self {
        Error::Store(error.into())
    }
}

impl Contention for Error {
    fn is_contended(&self) -> bool {
        matches!(self, Error::Store(StoreError::Contended) | Error::DraftChanged)
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        let text = error.to_string();
        let not_found = |reason| api::Error::new(Code::NotFound, reason, text.clone());
        let told = match error {
            Error::Refused(refusal) => organisation::told(&refusal),
            Error::Event(refusal) => event::refused(&refusal),
            Error::RatingList(refusal) => rating_list::told(&refusal),
            Error::UnknownEvent => not_found(reason::UNKNOWN_EVENT),
            Error::UnknownRound => not_found(reason::UNKNOWN_ROUND),
            Error::NoDraft => api::Error::new(Code::FailedPrecondition, reason::NO_DRAFT, text),
            Error::TooManyEvents => api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_EVENTS, text),
            Error::SequenceMoved(at) => api::Error::new(Code::Aborted, reason::SEQUENCE_MOVED, text)
                .with_metadata("sequence", at.to_string()),
            Error::Document(fault) => match fault {
                DocumentFault::Unknown => not_found(reason::UNKNOWN_DOCUMENT),
                DocumentFault::Bad(field, _) => api::Error::invalid(reason::BAD_DOCUMENT, field, text),
                DocumentFault::TooLarge => {
                    api::Error::new(Code::FailedPrecondition, reason::DOCUMENT_TOO_LARGE, text)
                }
            },
            Error::Busy => api::Error::new(Code::ResourceExhausted, reason::BUSY, text),
            Error::File(bad) => bad.into(),
            Error::Report(bad) => bad.into(),
            Error::BadCursor(_) => api::Error::new(Code::OutOfRange, reason::BAD_CURSOR, text),
            Error::TooManyNoticeStreams => {
                api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_NOTICE_STREAMS, text)
            }
            Error::PlaysInEvent => api::Error::new(Code::PermissionDenied, reason::PLAYS_IN_EVENT, text),
            Error::Reading(_) => api::Error::invalid(reason::BAD_READING, "readings", text),
            Error::Corrupt(corrupt) => unbelievable(&corrupt),
            Error::Stopping => api::Error::unavailable(reason::STOPPING, text),
            Error::Call(error) => error,
            Error::DraftChanged => chassis::error::store(&StoreError::Contended),
            Error::Store(error) => chassis::error::store(&error),
            Error::Live(error) => chassis::error::live(&error),
        };
        told.into()
    }
}

/// A log that makes no sense is for the operator to look at.
fn unbelievable(corrupt: &CorruptLog) -> api::Error {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        let error = corrupt as &dyn std::error::Error;
        tracing::error!(error, held_back, "the log of an event makes no sense");
    }
    api::Error::new(Code::DataLoss, reason::CORRUPT_EVENT, "the log of the event cannot be believed")
}
