//! The API of the game service: protos in, protos out, nothing decided.

mod arbiter;
mod chat;
mod chat_limits;
mod chat_watch;
mod internal;
mod public;
mod show;
mod watch;

pub(crate) use arbiter::ArbiterApi;
pub(crate) use chat::ChatApi;
pub(crate) use chat_limits::LIMITS as CHAT_LIMITS;
pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;
