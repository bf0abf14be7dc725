//! What can be checked of an entry about leave: that it was taken as the settings allow, by who may, and that games rested when
//! it held.

use std::time::Duration;

use super::{LeaveFact, NewLeave};
use crate::core::event::{Actor, Event, Fact, LogEntry, Role};

/// How long after it was decided an entry is written at most.
const SLACK: Duration = Duration::from_mins(1);

/// What is wrong with an entry about leave, seen from the event before it.
pub(in crate::core::event) fn faults(event: &Event, entry: &LogEntry) -> Vec<String> {
    let Fact::Leave(fact) = &entry.fact else { return Vec::new() };
    let fault = match fact {
        LeaveFact::Begun { .. } | LeaveFact::Over { .. } => due(event, entry),
        LeaveFact::Taken { whose, span, reason, .. } => {
            let new = NewLeave { whose: *whose, from: Some(span.from), until: span.until, reason: *reason };
            let refused = |now| event.take_leave(new, now).err();
            let refused = refused(entry.at).and_then(|_| refused(entry.at - SLACK));
            refused
                .map(|why| format!("leave was taken though: {why}"))
                .or_else(|| by_whom(entry, reason.is_some()))
        }
        LeaveFact::Ended { leave, until, reason } => {
            let held = event.leaves.find(*leave);
            let is_known =
                held.is_some_and(|it| (it.span.from..=it.span.until).contains(until) && it.over.is_none());
            let is_now = held
                .is_some_and(|it| *until == it.span.from || (entry.at - SLACK..=entry.at).contains(until));
            let wrong =
                (!is_known || !is_now).then(|| "leave was ended at a time when it was not".to_owned());
            wrong.or_else(|| by_whom(entry, reason.is_some()))
        }
    };
    fault.into_iter().collect()
}

fn due(event: &Event, entry: &LogEntry) -> Option<String> {
    let is_due = entry.actor == Actor::Server && event.leave_done(entry.at).contains(&entry.fact);
    (!is_due).then(|| "no leave began or was over then, or somebody else than the server says so".to_owned())
}

/// Leave is granted, with a reason, by the chief arbiter, and taken by nobody of an office.
fn by_whom(entry: &LogEntry, with_reason: bool) -> Option<String> {
    let Actor::Person { role, .. } = entry.actor else {
        return Some("the server takes and ends no leave".to_owned());
    };
    let may =
        if with_reason { role == Role::ChiefArbiter } else { matches!(role, Role::Player | Role::Captain) };
    (!may).then(|| "leave is one's own, or of the chief arbiter to grant with a reason".to_owned())
}
