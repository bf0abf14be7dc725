//! Messages that are not what they should be.

use crate::Unspecified;

/// A stored or received message that is not what it should be: what of it is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed message: {0}")]
pub struct DecodeError(pub &'static str);

impl From<Unspecified> for DecodeError {
    fn from(_: Unspecified) -> Self {
        DecodeError("an unspecified value")
    }
}
