//! The sub-commands, one file or folder each, and what the clients among them share.

pub(crate) mod account;
pub(crate) mod advantages;
pub(crate) mod backup;
mod blocks;
pub(crate) mod calendar;
pub(crate) mod challenge;
pub(crate) mod clocks;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod document;
pub(crate) mod event;
pub(crate) mod federation;
mod files;
pub(crate) mod follow;
mod games;
pub(crate) mod keys;
pub(crate) mod league;
pub(crate) mod limits;
pub(crate) mod maintenance;
pub(crate) mod metrics;
pub(crate) mod moderate;
pub(crate) mod notices;
pub(crate) mod pack;
pub(crate) mod pairing;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod rating_lists;
pub(crate) mod reasons;
pub(crate) mod record;
pub(crate) mod regular_file;
pub(crate) mod roles;
pub(crate) mod rules;
pub(crate) mod scrutiny;
pub(crate) mod serve;
pub(crate) mod terminal;
pub(crate) mod titles;
pub(crate) mod up;
pub(crate) mod variants;

mod own_data;
mod paper;
mod password;
mod pauses;
mod press;
mod print;
mod ratings;
mod render;
mod server;
mod session;
mod speed;
mod zone;

use std::{io, process::ExitCode};

use api::error::{metadata, reason};
use serde_json::{Value, json};
use tonic_types::StatusExt;

use crate::speech;

/// How a command ends whose reader has gone, as `head` goes: as one that the system ended for it (128 and SIGPIPE's 13).
const NOBODY_READS: u8 = 141;

/// The labels of what is told below why a command failed.
const WORDS: &str = "the server's words";
const REASON: &str = "the server's reason";
const LINE: &str = "line";

/// Says on standard error why a command failed, with the reason of the server if it was one; for scripts as an object.
#[expect(clippy::print_stderr, reason = "this is what the person at the terminal reads")]
pub(crate) fn failed(error: &anyhow::Error, json: bool) -> ExitCode {
    if error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_broken_pipe) {
        return ExitCode::from(NOBODY_READS);
    }
    if json {
        eprintln!("{}", for_scripts(error));
        return ExitCode::FAILURE;
    }
    let speech = speech::current();
    eprintln!("shoutan: {}", speech.map_or_else(|| sentence(error), |speech| speech.failure(error)));
    for (label, value) in beside(error, speech) {
        let line = format!("{label}: {value}");
        eprintln!("  {}", speech.and_then(|speech| speech.sentence(&line)).unwrap_or(line));
    }
    ExitCode::FAILURE
}

/// What is told below the sentence, each with its label. A sentence in another language says what a reason means, and the
/// server's own words may say more: of what, how many.
fn beside(error: &anyhow::Error, speech: Option<&speech::Speech>) -> Vec<(&'static str, String)> {
    let Some(status) = error.chain().find_map(|cause| cause.downcast_ref::<tonic::Status>()) else {
        return Vec::new();
    };
    let is_said_otherwise = speech.is_some_and(|speech| speech.refusal(status).is_some());
    let words = if is_said_otherwise { status.message().to_owned() } else { String::new() };
    let lines =
        [(WORDS, words), (REASON, reason(status)), (LINE, metadata(status, "line").unwrap_or_default())];
    lines.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// What went wrong, for scripts. Of what the server has not said there is no reason, and of what is no field's no field.
fn for_scripts(error: &anyhow::Error) -> Value {
    let status = error.chain().find_map(|cause| cause.downcast_ref::<tonic::Status>());
    let field = status.and_then(StatusExt::get_details_bad_request);
    let field = field.and_then(|found| found.field_violations.into_iter().next()).map(|it| it.field);
    let line = status.and_then(|status| metadata(status, "line"));
    json!({
        "reason": status.map(reason).unwrap_or_default(),
        "message": sentence(error),
        "field": field.unwrap_or_default(),
        "line": line,
    })
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
    fn scripts_are_told_the_reason_and_the_field() {
        let refused = api::error::Error::invalid(api::reason::BAD_ID, "event_id", "not a UUID");
        let error = anyhow::Error::from(tonic::Status::from(refused)).context("asking");
        let told =
            json!({ "reason": "BAD_ID", "message": "asking: not a UUID", "field": "event_id", "line": null });
        assert_eq!(for_scripts(&error), told);
        let gone = io::Error::from(io::ErrorKind::BrokenPipe);
        let gone = anyhow::Error::from(gone).context("printing");
        assert!(gone.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_broken_pipe));
    }

    #[test]
    fn an_error_is_told_in_the_server_s_words() {
        let refused: Result<(), _> = Err(tonic::Status::failed_precondition("a stone stands on this point"));
        let error = refused.context("act 2, W E5").context("game 7").expect_err("it is one");
        assert_eq!(sentence(&error), "game 7: act 2, W E5: a stone stands on this point");
        let refused = for_scripts(&error);
        assert_eq!((&refused["reason"], &refused["message"]), (&json!(""), &json!(sentence(&error))));
        let silent = anyhow::Error::from(tonic::Status::unavailable(""));
        assert_eq!(sentence(&silent), tonic::Code::Unavailable.to_string());
    }
}
