//! Proto in, proto out; nothing is decided here.

mod internal;
mod public;

pub use internal::Internal;
pub use public::Public;
