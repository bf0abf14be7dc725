//! What is answered: gRPC to everybody, gRPC to other services, and the key set over plain HTTP.
//!
//! Nothing is decided here but which token a call needs.

mod internal;
mod jwks;
mod public;

pub use internal::InternalApi;
pub use jwks::{JWKS_PATH, jwks};
pub use public::PublicApi;
