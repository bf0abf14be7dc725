//! Working an event out again from its log.

use std::{
    fmt::Display,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use api::federation::v1::{EventLogEntry, GetStandingsResponse};
use federation::{audit, core::event::verify::Verified};
use serde::Deserialize;
use serde_json::json;

use super::{log, print, session::Session, tables};
use crate::commands::{regular_file, terminal::say};

/// Something was found.
const FOUND: u8 = 1;
/// The log cannot be believed, or not be read.
const UNREADABLE: u8 = 2;

/// Which log.
#[derive(Debug, clap::Args)]
#[group(id = "log", required = true, multiple = false)]
pub(super) struct Args {
    /// The event's id: its log is read from the server.
    event: Option<String>,
    /// A file that `shoutan event log --output` has written.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The first line of a file.
#[derive(Debug, Deserialize)]
struct Heading {
    event: String,
}

/// Any other line of a file.
#[derive(Debug, Deserialize)]
struct Line {
    sequence: u64,
    hash: String,
    body: String,
}

/// Judges a file, if one is named; nothing is asked of any server.
pub(super) fn file(args: &Args, json: bool) -> anyhow::Result<Option<ExitCode>> {
    let Some(path) = &args.file else { return Ok(None) };
    let judged = match read(path) {
        Ok((event, entries)) => match audit::log(&event, &entries) {
            // Nobody else is there to be held to the table: it is printed.
            Ok(verified) => {
                let table = verified.event.rounds.last();
                let table = table.map(|last| audit::table(&verified.event, last.published.round));
                tell(json, (&event, entries.len()), &verified, table.as_ref())?
            }
            Err(error) => unreadable(json, error)?,
        },
        Err(error) => unreadable(json, format_args!("{}: {error:#}", path.display()))?,
    };
    Ok(Some(judged))
}

/// Judges the log of an event, as far as it may be seen, and holds the tables that the server tells to it.
pub(super) async fn event(session: &Session, args: Args) -> anyhow::Result<ExitCode> {
    let event = args.event.unwrap_or_default();
    let entries = log::entries(session, &event, 0).await?;
    let mut verified = match audit::log(&event, &entries) {
        Ok(verified) => verified,
        Err(error) => return unreadable(session.json, error),
    };
    let differences = tables::differences(session, &event, &verified.event).await?;
    verified.findings.extend(differences);
    tell(session.json, (&event, entries.len()), &verified, None)
}

fn read(path: &Path) -> anyhow::Result<(String, Vec<EventLogEntry>)> {
    let mut lines = BufReader::new(regular_file::open(path)?).lines().enumerate();
    let (_, first) = lines.next().context("it is empty")?;
    let heading: Heading = serde_json::from_str(&first?).context("line 1")?;
    let entry = |(at, line): (usize, std::io::Result<String>)| {
        let read = || -> anyhow::Result<EventLogEntry> {
            let Line { sequence, hash, body } = serde_json::from_str(&line?)?;
            Ok(EventLogEntry { sequence, hash: bytes(&hash)?, body: bytes(&body)? })
        };
        read().with_context(|| format!("line {}", at + 1))
    };
    Ok((heading.event, lines.map(entry).collect::<anyhow::Result<_>>()?))
}

/// Bytes from hexadecimal digits.
fn bytes(text: &str) -> anyhow::Result<Vec<u8>> {
    let digits = text.as_bytes();
    ensure!(digits.len().is_multiple_of(2) && digits.is_ascii(), "bytes are two hexadecimal digits each");
    let byte = |pair: &[u8]| {
        let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok());
        Some(digit(pair[0])? << 4 | digit(pair[1])?)
    };
    digits.chunks_exact(2).map(byte).collect::<Option<_>>().context("no hexadecimal digits")
}

/// Prints what was found in the log of an event of so many entries, and its last table, if it is asked for.
fn tell(
    json: bool,
    (event, entries): (&str, usize),
    verified: &Verified,
    table: Option<&GetStandingsResponse>,
) -> anyhow::Result<ExitCode> {
    let findings: Vec<_> = verified
        .findings
        .iter()
        .map(|it| vec![("sequence", json!(it.sequence)), ("finding", json!(it.detail))])
        .collect();
    let mut summary = vec![
        ("event", json!(event)),
        ("entries", json!(entries)),
        ("rounds", json!(verified.event.rounds.len())),
        ("stage", json!(verified.event.stage.name())),
        ("sound", json!(findings.is_empty())),
    ];
    // Rounds that were published and taken back are checked as well.
    let taken_back = verified.rounds.saturating_sub(verified.event.rounds.len());
    if taken_back > 0 {
        summary.push(("taken_back", json!(taken_back)));
    }
    if json {
        let mut whole = summary;
        whole.extend(table.map(|table| ("table", tables::for_scripts(table))));
        whole.push(("findings", findings.iter().map(print::object).collect()));
        print::one(true, &whole)?;
    } else {
        print::one(false, &summary)?;
        if !verified.event.stage.is_over() {
            say("the log stops before its event is over: what may have been left out after it is not known")?;
        }
        if !findings.is_empty() {
            print::list(false, &findings)?;
        }
        if let Some(table) = table {
            say(format_args!("table after round {}", table.round))?;
            print::list(false, &tables::records(table))?;
        }
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn unreadable(json: bool, error: impl Display) -> anyhow::Result<ExitCode> {
    print::one(json, &vec![("unreadable", json!(error.to_string()))])?;
    Ok(ExitCode::from(UNREADABLE))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_cannot_be_believed_is_told_apart_from_what_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        for text in [
            "",
            "{}",
            "{\"event\":\"none\"}\nwords",
            "{\"event\":\"none\"}\n{\"sequence\":1,\"hash\":\"0\",\"body\":\"\"}",
        ] {
            fs::write(&path, text).expect("it is written");
            assert!(read(&path).is_err(), "{text}");
        }
        let line = "{\"event\":\"none\"}\n{\"sequence\":1,\"hash\":\"00ff\",\"body\":\"0a\"}\n";
        fs::write(&path, line).expect("it is written");
        let (event, entries) = read(&path).expect("it is a file of a log");
        assert_eq!(
            (event.as_str(), entries[0].hash.as_slice(), entries[0].body.as_slice()),
            ("none", &[0, 255][..], &[10][..])
        );
        assert!(audit::log(&event, &entries).is_err());
    }
}
