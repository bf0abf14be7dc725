//! The gRPC services: protos in, protos out, nothing decided.

mod internal;
mod moderation;
mod public;

pub(crate) use internal::InternalApi;
pub(crate) use moderation::ModerationApi;
pub(crate) use public::PublicApi;
