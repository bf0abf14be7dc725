//! What the service keeps, all of it in the live state.

mod flags;
mod names;

pub(crate) use flags::Flags;
