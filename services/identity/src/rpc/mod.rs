//! What is answered: gRPC to everybody, gRPC to sister services, and the key set over plain HTTP.
//!
//! Nothing is decided here but which token a call needs.

mod internal;
mod jwks;
mod public;

pub use internal::Internal;
pub use jwks::{JWKS_PATH, jwks};
pub use public::PublicService;

use tonic::Status;

use crate::error::{IdentityError, fault};

/// The status of an error.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn status(error: IdentityError) -> Status {
    fault(&error).into()
}
