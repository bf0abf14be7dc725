//! What the service keeps, all of it in the live state.

mod flags;

pub use flags::{ArmedClock, Flags};
