//! What is answered: gRPC to everybody, gRPC to other services, and the key set over plain HTTP.
//!
//! Nothing is decided here but which token a call needs.

mod internal;
mod jwks;
mod public;

pub(crate) use internal::InternalApi;
pub(crate) use jwks::{JWKS_PATH, jwks};
pub(crate) use public::PublicApi;
