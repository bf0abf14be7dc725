//! The API of the game service: protos in, protos out, nothing decided.

mod arbiter;
mod internal;
mod public;
mod show;
mod watch;

pub(crate) use arbiter::ArbiterApi;
pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;
