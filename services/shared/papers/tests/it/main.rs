//! Papers as they come out: golden pages, every language, what is escaped, and how large they become.

mod escaping;
mod file;
mod golden;
mod large;
mod layout;
mod outline;
mod samples;
mod texts;
