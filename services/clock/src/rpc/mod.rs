//! Proto in, proto out; nothing is decided here.

mod internal;
mod public;

pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;
