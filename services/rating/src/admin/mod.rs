//! What an operator does with the database at hand, whether or not the service is running.

mod scrutiny;
mod worths;

pub use ::scrutiny::{Finding, Suspicion};

pub use self::{
    scrutiny::Scrutiny,
    worths::{Found, LEAD, NotSet, Worths},
};
pub use crate::core::report::Reported;
