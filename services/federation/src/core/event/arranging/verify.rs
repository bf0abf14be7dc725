//! What can be checked of an entry about arranging: that the server did what the settings say, and nobody else did it.

use super::{ArrangingFact, ProposalAnswer};
use crate::core::event::{Actor, Event, Fact, LogEntry, ResultSource};

/// What is wrong with an entry, seen from the event before it.
pub(in crate::core::event) fn faults(event: &Event, entry: &LogEntry) -> Vec<String> {
    let is_of_server = match &entry.fact {
        Fact::Arranging(ArrangingFact::Answered { answer, .. }) => *answer == ProposalAnswer::Lapsed,
        Fact::Arranging(fact) => !matches!(fact, ArrangingFact::Proposed { .. }),
        Fact::Result { result, .. } => result.source == ResultSource::Unarranged,
        _ => false,
    };
    let by_server = entry.actor == Actor::Server;
    let is_about_arranging = is_of_server || matches!(entry.fact, Fact::Arranging(_));
    match () {
        () if !is_about_arranging => Vec::new(),
        () if is_of_server != by_server => {
            vec!["what is due about arranging is done by the server, and nothing else is".to_owned()]
        }
        () if by_server && !event.arranging_done(entry.at).contains(&entry.fact) => {
            vec!["nothing of this was due about the arranging of a board".to_owned()]
        }
        () => answered(event, entry),
    }
}

/// That an answer came in time.
fn answered(event: &Event, entry: &LogEntry) -> Vec<String> {
    let Fact::Arranging(ArrangingFact::Answered { board, number, answer }) = &entry.fact else {
        return Vec::new();
    };
    let until = event.talk(*board).ok().and_then(|it| Some(it.arrangement.proposals.get(number)?.until));
    let is_late = *answer == ProposalAnswer::Accepted && until.is_some_and(|until| entry.at > until + SLACK);
    if is_late { vec!["a proposal was accepted after its time".to_owned()] } else { Vec::new() }
}

/// How long after it was decided an entry is written at most.
const SLACK: std::time::Duration = super::fold::SLACK;
