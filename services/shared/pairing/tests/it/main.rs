//! The crate as its users see it.

mod berger;
mod lots;
