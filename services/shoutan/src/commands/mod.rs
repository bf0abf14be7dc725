//! The sub-commands, one file or folder each, and what the clients among them share.

pub(crate) mod clocks;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod event;
pub(crate) mod federation;
pub(crate) mod keys;
pub(crate) mod limits;
pub(crate) mod pairing;
pub(crate) mod play;
pub(crate) mod reasons;
pub(crate) mod record;
pub(crate) mod roles;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod up;

mod password;
mod print;
mod ratings;
mod regular_file;
mod render;
mod server;
mod session;
mod terminal;
mod variants;
mod zone;

use std::process::ExitCode;

use api::error::{metadata, reason};

/// Says on standard error why a command failed, with the reason of the server if it was one.
#[expect(clippy::print_stderr, reason = "this is what the person at the terminal reads")]
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("shoutan: {}", sentence(error));
    if let Some(status) = error.chain().find_map(|cause| cause.downcast_ref::<tonic::Status>()) {
        let reason = reason(status);
        if !reason.is_empty() {
            eprintln!("  the server's reason: {reason}");
        }
        if let Some(line) = metadata(status, "line") {
            eprintln!("  line: {line}");
        }
    }
    ExitCode::FAILURE
}

/// What went wrong, from the outside in; of a server's answer only what it says to a person.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut parts = Vec::new();
    for cause in error.chain() {
        if let Some(status) = cause.downcast_ref::<tonic::Status>() {
            let code = status.code().to_string();
            parts.push(if status.message().is_empty() { code } else { status.message().to_owned() });
            break;
        }
        parts.push(cause.to_string());
    }
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn an_error_is_told_in_the_server_s_words() {
        let refused: Result<(), _> = Err(tonic::Status::failed_precondition("a stone stands on this point"));
        let error = refused.context("act 2, W E5").context("game 7").expect_err("it is one");
        assert_eq!(sentence(&error), "game 7: act 2, W E5: a stone stands on this point");
        let silent = anyhow::Error::from(tonic::Status::unavailable(""));
        assert_eq!(sentence(&silent), tonic::Code::Unavailable.to_string());
    }
}
