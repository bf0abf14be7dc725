//! The gRPC services: protos in, protos out, nothing decided.

mod internal;
mod public;

pub use internal::Internal;
pub use public::Public;
