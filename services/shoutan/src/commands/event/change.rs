//! What all changes of an event have in common.

use anyhow::Context as _;
use api::federation::v1::{Event, EventLogBody, GetEventRequest, ListLogRequest};
use prost::Message as _;
use serde_json::json;

use super::{
    collisions::Collision,
    people::member_name,
    print,
    session::{Session, ask},
    shown,
};
use crate::commands::terminal::say;

/// Which event is changed, and how carefully.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    /// The event's id.
    pub event: String,
    /// Refuses to act if the log of the event has gone on since this entry.
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
    pub expect: u64,
    /// Only says whether it could be done; nothing is written.
    #[arg(long)]
    pub dry_run: bool,
}

/// For whom a proxy acts.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct OnBehalf {
    /// The number of who is acted for, by a proxy of several or one who has entered himself; when it is not said the
    /// account acts for itself, or for the only one whose proxy it is.
    #[arg(long = "for", value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub as_number: u32,
}

/// Calls a method of changes.
macro_rules! answered {
    ($session:expr, $target:expr, $method:ident($request:ident { $($field:ident $(: $value:expr)?),* $(,)? })) => {{
        let request = api::federation::v1::$request {
            event_id: $target.event.clone(),
            request_id: $session.new_id(),
            expected_sequence: $target.expect,
            validate_only: $target.dry_run,
            $($field $(: $value)?,)*
        };
        $crate::commands::session::ask!($session.events(), $method, request)
    }};
}
pub(super) use answered;

/// The same, and answers with the event after it.
macro_rules! change {
    ($($call:tt)*) => {{
        let answer = $crate::commands::event::change::answered!($($call)*);
        anyhow::Context::context(answer?.event, "the server's answer lacks the event")
    }};
}
pub(super) use change;

/// An event as it stands.
pub(super) async fn event(session: &Session, event: &str) -> anyhow::Result<Event> {
    let request = GetEventRequest { event_id: event.to_owned(), ..Default::default() };
    let answer = ask!(session.events(), get_event, request)?;
    answer.event.context("the server's answer lacks the event")
}

/// Says what an event is after a change: in one line, with what is missing before its next stage, and for whom it was done
/// where the account acted as a proxy.
pub(super) async fn told(session: &Session, target: &Target, event: &Event) -> anyhow::Result<()> {
    told_with(session, target, event, &[]).await
}

/// The same, with what is played at the same time as it.
pub(super) async fn told_with(
    session: &Session,
    target: &Target,
    event: &Event,
    collisions: &[Collision],
) -> anyhow::Result<()> {
    let principal = if target.dry_run { None } else { principal(session, event).await? };
    if session.json {
        let mut record = shown::event(session, event);
        record.push(("only_checked", json!(target.dry_run)));
        record.extend(principal.map(|member| ("on_behalf_of", json!(member))));
        if !collisions.is_empty() {
            let all: Vec<_> = collisions.iter().map(|it| it.value(session)).collect();
            record.push(("collides_with", json!(all)));
        }
        return print::one(true, &record);
    }
    if target.dry_run {
        say(format_args!("{}: it can be done; nothing is written", shown::name(event)))?;
    } else {
        say(shown::line(event))?;
        if let Some(member) = principal {
            let name = member_name(session, &member).await?;
            say(format_args!("done as a proxy, for {}", shown::both(Some(&name))))?;
        }
    }
    collisions.iter().try_for_each(|it| say(it.line(session)))
}

/// The id of the member for whom the account has written the last entry of the log.
async fn principal(session: &Session, event: &Event) -> anyhow::Result<Option<String>> {
    let after_sequence = event.sequence.saturating_sub(1);
    let request = ListLogRequest { event_id: event.id.clone(), after_sequence, page_size: 1 };
    let last = ask!(session.events(), list_log, request)?.entries.pop();
    let last = last.map(|entry| EventLogBody::decode(&*entry.body)).transpose()?;
    let own = last.filter(|body| session.account_id() == Some(&*body.account_id));
    Ok(own.map(|body| body.on_behalf_of).filter(|member| !member.is_empty()))
}
