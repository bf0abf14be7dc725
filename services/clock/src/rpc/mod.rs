//! Proto in, proto out; nothing is decided here.

mod internal;
mod public;

pub use internal::InternalApi;
pub use public::PublicApi;
