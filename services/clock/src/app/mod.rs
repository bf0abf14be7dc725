//! What each call does, and what goes on between the calls.

pub mod flag_reporter;
pub mod follow;
pub mod history;
pub mod recovery;
pub mod watcher;
