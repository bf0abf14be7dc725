//! The gRPC services: protos in, protos out, nothing decided.

mod internal;
mod public;

pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;
