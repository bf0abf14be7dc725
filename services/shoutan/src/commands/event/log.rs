//! The log of an event: listed, kept in a file, followed.

use std::{
    fs::File,
    io::{BufWriter, ErrorKind, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use api::{
    client::RetryPolicy,
    federation::v1::{EventLogBody, EventLogEntry, ListLogRequest, WatchEventRequest, event_log_body::Fact},
};
use prost::Message as _;
use serde_json::{Value, json};

use super::{
    change::event,
    people::People,
    print,
    session::{Session, ask},
    shown::hex,
    told, words,
};
use crate::commands::{federation::shown, render::planned_maintenance, terminal::say};

/// How long to wait before asking again for a stream that broke.
const PAUSE: Duration = Duration::from_millis(200);

/// What is done with logs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Prints the log of an event in words, or keeps it in a file that `verify` reads.
    Log {
        /// The event's id.
        event: String,
        /// Only the entries after this one.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
        after: u64,
        /// Writes the whole log to this file, as it was hashed: a line of JSON for each entry.
        #[arg(long, value_name = "FILE", conflicts_with = "after")]
        output: Option<PathBuf>,
        /// Writes it although there is such a file, whose contents are lost.
        #[arg(long, requires = "output")]
        force: bool,
    },
    /// Follows the log of an event: a line for each entry, in words. It goes on until it is interrupted.
    Watch {
        /// The event's id.
        event: String,
        /// Only the entries after this one; 0 for all.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
        after: u64,
        /// Ends after this entry.
        #[arg(long, value_name = "SEQUENCE")]
        until: Option<u64>,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Log { event: id, after: _, output: Some(path), force } => {
            let entries = entries(session, &id, 0).await?;
            write(&path, force, &id, &entries).with_context(|| format!("writing {}", path.display()))?;
            let count = vec![("entries", json!(entries.len())), ("file", json!(path.display().to_string()))];
            print::one(session.json, &count)
        }
        Command::Log { event: id, after, output: None, .. } => list(session, &id, after).await,
        Command::Watch { event: id, after, until } => watch(session, &id, after, until).await,
    }
}

/// All entries after one that may be seen.
pub(super) async fn entries(
    session: &Session,
    event: &str,
    after: u64,
) -> anyhow::Result<Vec<EventLogEntry>> {
    let mut found: Vec<EventLogEntry> = Vec::new();
    loop {
        let after_sequence = found.last().map_or(after, |last| last.sequence);
        let request = ListLogRequest { event_id: event.to_owned(), after_sequence, page_size: 200 };
        let page = ask!(session.events(), list_log, request)?;
        found.extend(page.entries);
        if found.last().map_or(after, |last| last.sequence) <= after_sequence {
            return Ok(found);
        }
    }
}

/// Writes a log as it was hashed. The first line says which event it is of. A file that is there is kept, but by force.
fn write(path: &Path, force: bool, event: &str, entries: &[EventLogEntry]) -> anyhow::Result<()> {
    let file = if force { File::create(path) } else { File::create_new(path) };
    let file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            anyhow::bail!("there is such a file; --force writes over it")
        }
        file => file?,
    };
    let mut file = BufWriter::new(file);
    writeln!(file, "{}", json!({ "event": event }))?;
    for it in entries {
        let line = json!({ "sequence": it.sequence, "hash": hex(&it.hash), "body": hex(&it.body) });
        writeln!(file, "{line}")?;
    }
    file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    Ok(())
}

async fn list(session: &Session, id: &str, after: u64) -> anyhow::Result<()> {
    let entries = entries(session, id, after).await?;
    let mut people = People::of(session, &event(session, id).await?).await?;
    let bodies = entries.iter().map(body).collect::<anyhow::Result<Vec<_>>>()?;
    people.look_up(session, bodies.iter().flat_map(told::accounts)).await?;
    if session.json {
        let all: Vec<Value> = entries
            .iter()
            .zip(&bodies)
            .map(|(entry, body)| for_scripts(session, entry, body, &people))
            .collect();
        return say(serde_json::to_string_pretty(&all)?);
    }
    bodies.iter().try_for_each(|body| say(line(session, body, &people)))
}

async fn watch(session: &Session, id: &str, after: u64, until: Option<u64>) -> anyhow::Result<()> {
    let mut people = People::of(session, &event(session, id).await?).await?;
    let mut last = after;
    let events = session.events();
    loop {
        let request = WatchEventRequest { event_id: id.to_owned(), after_sequence: last };
        let call = || async { events.clone().watch_event(request.clone()).await };
        let mut stream = api::client::with_retry(RetryPolicy::default(), call).await?;
        // What broke is asked for again; what is refused for good is refused by that call.
        while let Ok(Some(told)) = stream.message().await {
            if let (Some(planned), false) = (&told.maintenance_notice, session.json) {
                say(planned_maintenance(planned))?;
            }
            let Some(entry) = told.entry else { continue };
            let body = body(&entry)?;
            match body.fact.clone() {
                Some(Fact::Entered(it)) => people.learn(session, it.entrant).await?,
                Some(Fact::TeamEntered(it)) => {
                    people.learn(session, it.entrants).await?;
                    people.learn_team(session, it.team).await?;
                }
                _ => {}
            }
            people.look_up(session, told::accounts(&body)).await?;
            if session.json {
                say(for_scripts(session, &entry, &body, &people))?;
            } else {
                say(line(session, &body, &people))?;
            }
            last = entry.sequence;
            if until.is_some_and(|until| last >= until) {
                return Ok(());
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

pub(super) fn body(entry: &EventLogEntry) -> anyhow::Result<EventLogBody> {
    EventLogBody::decode(&*entry.body).with_context(|| format!("entry {} cannot be read", entry.sequence))
}

/// `12  2026-11-23 17:00:00 +08:00  Anna, chief-arbiter: round 1 begins`.
fn line(session: &Session, body: &EventLogBody, people: &People) -> String {
    let moment = session.told(body.time.as_ref());
    format!(
        "{:>5}  {moment}  {}: {}",
        body.sequence,
        who(body, people),
        told::fact(body, people, &session.zone)
    )
}

/// Who did it, and in which role.
pub(super) fn who(body: &EventLogBody, people: &People) -> String {
    if body.account_id.is_empty() {
        return "the server".to_owned();
    }
    let who = format!("{}, {}", people.account(&body.account_id), words::role(body.role));
    if body.on_behalf_of.is_empty() {
        return who;
    }
    format!("{who} for {}", people.member(&body.on_behalf_of))
}

fn for_scripts(session: &Session, entry: &EventLogEntry, body: &EventLogBody, people: &People) -> Value {
    json!({
        "sequence": entry.sequence,
        "time": shown::time(body.time.as_ref()),
        "account": body.account_id,
        "role": words::role(body.role),
        "on_behalf_of": body.on_behalf_of,
        "request": body.request_id,
        "fact": told::name(body),
        "text": told::fact(body, people, &session.zone),
        "hash": hex(&entry.hash),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_not_written_over_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        write(&path, false, "first", &[]).expect("it is written");
        let refused = write(&path, false, "second", &[]).expect_err("it is there");
        assert!(refused.to_string().contains("--force"), "{refused}");
        assert!(std::fs::read_to_string(&path).expect("it is read").contains("first"));
        write(&path, true, "second", &[]).expect("by force");
        assert!(std::fs::read_to_string(&path).expect("it is read").contains("second"));
    }
}
