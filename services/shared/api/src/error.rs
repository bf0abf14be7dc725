//! Errors as they cross the wire: a gRPC status with `google.rpc` details (AIP-193).

use std::{collections::HashMap, time::Duration};

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::reason::{self, Reason};

/// The `domain` of every reason: the name of the platform as AIP-193 wants it, whoever runs it and wherever.
pub const DOMAIN: &str = "shoutan.org";

/// A refused or failed call; it becomes a [`Status`] whose reason is stable.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}: {message}")]
pub struct Error {
    /// The gRPC code.
    pub code: Code,
    /// The stable reason.
    pub reason: Reason,
    /// One sentence for a person, lower case and without a full stop.
    pub message: String,
    /// What else a program may want to know.
    pub metadata: HashMap<String, String>,
    /// The fields of the request that are at fault, with one sentence each.
    pub fields: Vec<(String, String)>,
    /// When to try again.
    pub retry_after: Option<Duration>,
}

impl Error {
    /// An error with a code, a reason and a sentence.
    pub fn new(code: Code, reason: Reason, message: impl Into<String>) -> Self {
        Error {
            code,
            reason,
            message: message.into(),
            metadata: HashMap::new(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// A request that is wrong whatever the state of things; `field` names the part at fault.
    pub fn invalid(reason: Reason, field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let mut error = Error::new(Code::InvalidArgument, reason, message.clone());
        error.fields.push((field.to_owned(), message));
        error
    }

    /// The field names a variant that there is not.
    pub fn unknown_variant(field: &str) -> Self {
        Error::invalid(reason::UNKNOWN_VARIANT, field, "no such variant")
    }

    /// Something went wrong that the caller cannot help; the cause belongs in the log, not in the answer.
    pub fn internal() -> Self {
        Error::new(Code::Internal, reason::INTERNAL, "something went wrong on the server")
    }

    /// The call may be repeated as it is.
    pub fn unavailable(reason: Reason, message: impl Into<String>) -> Self {
        let mut error = Error::new(Code::Unavailable, reason, message);
        error.retry_after = Some(Duration::from_millis(200));
        error
    }

    /// The same error with one more entry of metadata.
    #[must_use]
    pub fn with_metadata(mut self, name: &str, value: impl Into<String>) -> Self {
        self.metadata.insert(name.to_owned(), value.into());
        self
    }

    /// The same error with the time after which to try again.
    #[must_use]
    pub fn retry_after(mut self, delay: Duration) -> Self {
        self.retry_after = Some(delay);
        self
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        let mut details = ErrorDetails::with_error_info(error.reason.name(), DOMAIN, error.metadata);
        for (field, description) in error.fields {
            details.add_bad_request_violation(field, description);
        }
        if let Some(delay) = error.retry_after {
            details.set_retry_info(Some(delay));
        }
        Status::with_error_details(error.code, error.message, details)
    }
}

/// The stable reason of a status; empty when it carries none, as when the network failed.
pub fn reason(status: &Status) -> String {
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

/// An entry of the metadata of a status by its name.
pub fn metadata(status: &Status, name: &str) -> Option<String> {
    status.get_details_error_info().and_then(|info| info.metadata.get(name).cloned())
}
