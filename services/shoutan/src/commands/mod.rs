//! The sub-commands, one file or folder each, and what the clients among them share.

pub mod keys;
pub mod play;
pub mod record;
pub mod serve;
pub mod up;

mod draw;
mod password;
mod ratings;
mod server;
mod terminal;

use std::process::ExitCode;

use api::fault::{fact, reason};

/// Says on standard error why a command failed, with the reason of the server if it was one.
#[expect(clippy::print_stderr, reason = "this is what the person at the terminal reads")]
pub fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("shoutan: {error:#}");
    if let Some(status) = error.chain().find_map(|cause| cause.downcast_ref::<tonic::Status>()) {
        let reason = reason(status);
        if !reason.is_empty() {
            eprintln!("  the server's reason: {reason}");
        }
        if let Some(line) = fact(status, "line") {
            eprintln!("  line: {line}");
        }
    }
    ExitCode::FAILURE
}
