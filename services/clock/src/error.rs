//! What can go wrong in a call, and how it is told.

use api::{reason, time_control::BadTimeControl};
use live::LiveError;
use tonic::{Code, Status};

use crate::core::InvalidStep;

/// What a call of this service comes to.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller may not call this, or named no game.
    #[error(transparent)]
    Api(#[from] api::Error),
    /// The time control is none.
    #[error(transparent)]
    Control(#[from] BadTimeControl),
    /// A field of the request cannot be read.
    #[error(transparent)]
    Field(#[from] InvalidField),
    /// The event and the reading do not fit.
    #[error(transparent)]
    Step(#[from] InvalidStep),
    /// There is no such variant.
    #[error("no such variant")]
    UnknownVariant,
    /// No clock of the game runs or is held.
    #[error("no clock of this game runs")]
    UnknownClock,
    /// There is nothing to announce again.
    #[error("nothing has been called in this turn")]
    NothingAnnounced,
    /// The live state did not take the flag.
    #[error("the live state failed")]
    Live(#[from] LiveError),
    /// The server ends its streams.
    #[error("the server is shutting down; open it anew")]
    Stopping,
}

/// A field that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct InvalidField {
    /// Its path in the request.
    pub field: &'static str,
    /// One sentence for a person.
    pub detail: &'static str,
}

/// The one place where errors of the service become those of the wire.
impl From<Error> for Status {
    fn from(error: Error) -> Status {
        let text = error.to_string();
        let answer = match error {
            Error::Api(answer) => answer,
            Error::Control(BadTimeControl { field: field @ ("text" | "time_control"), detail }) => {
                api::Error::invalid(reason::BAD_TIME_CONTROL, field, detail)
            }
            Error::Control(BadTimeControl { field, detail }) => {
                api::Error::invalid(reason::BAD_TIME_CONTROL, &format!("time_control.{field}"), detail)
            }
            Error::Field(InvalidField { field, detail }) => {
                api::Error::invalid(reason::BAD_CLOCK_STEP, field, detail)
            }
            Error::Step(bad) => api::Error::invalid(reason::BAD_CLOCK_STEP, field_of(bad), text),
            Error::UnknownVariant => api::Error::unknown_variant("variant"),
            Error::UnknownClock => api::Error::new(Code::NotFound, reason::UNKNOWN_CLOCK, text),
            Error::NothingAnnounced => {
                api::Error::new(Code::FailedPrecondition, reason::NOTHING_CALLED, text)
            }
            Error::Live(error) => chassis::error::live(&error),
            Error::Stopping => api::Error::unavailable(reason::STOPPING, text),
        };
        answer.into()
    }
}

fn field_of(bad: InvalidStep) -> &'static str {
    match bad {
        InvalidStep::AlreadyStarted | InvalidStep::NotStarted => "event",
        InvalidStep::TooManyPeriods => "before",
        InvalidStep::OutageBackwards => "credit.until_time",
    }
}
