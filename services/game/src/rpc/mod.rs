//! The API of the game service: protos in, protos out, nothing decided.

mod arbiter;
mod chat;
mod internal;
mod public;
mod show;

pub(crate) use arbiter::ArbiterApi;
pub(crate) use chat::ChatApi;
pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;
