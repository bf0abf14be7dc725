//! The gRPC services: protos in, protos out, nothing decided.

mod internal;
mod public;

pub use internal::InternalApi;
pub use public::PublicApi;
