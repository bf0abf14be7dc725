//! The crate as its users see it.

mod berger;
mod brackets;
mod events;
mod laws;
mod lots;
mod standings;
mod swiss;
