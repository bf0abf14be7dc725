//! The crate as its users see it.

mod calendars;
mod described;
mod events;
mod fuzzed;
mod goldens;
mod hostile;
mod laws;
mod names;
mod reports;
mod tables;
