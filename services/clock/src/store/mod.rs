//! What the service keeps, all of it in the live state.

mod flags;
mod listeners;

pub use flags::{Flags, Watched};
pub use listeners::Listeners;
