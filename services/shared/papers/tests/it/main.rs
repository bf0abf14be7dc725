//! Papers as they come out: golden pages, every language, what is escaped, and how large they become.

mod escaping;
mod golden;
mod large;
mod layout;
mod samples;
