//! Papers as they are printed, read back by poppler's tools as anybody reads them.

mod back;
mod command;
mod hostile;
mod pages;
mod samples;
#[path = "../../../shared/papers/tests/it/texts.rs"]
mod texts;
