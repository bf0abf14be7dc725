//! What stands beside a log about one person: his own words, and what officials have written about him.

use std::collections::BTreeSet;

use chassis::id::{AccountId, MemberId};
use pairing::Number;

use super::{
    Event, Fact, LogEntry, Participant, Sealed, TeamFact, fact::IncidentFact, fair_play::FairPlayFact,
};

/// One person in an event, as far as its log has been read.
#[derive(Clone, Debug, Default)]
pub struct InEvent {
    numbers: BTreeSet<Number>,
    account: Option<AccountId>,
    /// Incidents that are about him, or that he reported.
    incidents: BTreeSet<u32>,
}

/// What a note has to do with somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// He has written it.
    Own,
    /// It is why an instance ruled as it did on an incident of his: everybody reads that.
    Ruling,
    /// It is about him, and for officials.
    About,
}

impl InEvent {
    /// Somebody by every id that he has or had, and his account; none where the event knows neither.
    pub fn of(event: &Event, ids: &BTreeSet<MemberId>, account: Option<AccountId>) -> Option<InEvent> {
        let his = event.participants.iter().filter(|it| ids.contains(&it.entrant.member));
        let numbers: BTreeSet<Number> = his.map(Participant::number).collect();
        let has_part = account.is_some_and(|account| !event.roles_of(account).is_empty());
        (!numbers.is_empty() || has_part).then_some(InEvent { numbers, account, incidents: BTreeSet::new() })
    }

    /// His numbers.
    pub const fn numbers(&self) -> &BTreeSet<Number> {
        &self.numbers
    }

    /// What the note beside the next entry of the log has to do with him; none where there is no note, or nothing.
    pub fn read(&mut self, entry: &LogEntry) -> Option<(Sealed, Note)> {
        let text = entry.fact.sealed()?;
        let is_he = |number: &Number| self.numbers.contains(number);
        let is_his = |account: AccountId| self.account == Some(account);
        let note = match &entry.fact {
            Fact::Incident(IncidentFact::Reported(report)) => {
                let own = report.reporter.as_ref().is_some_and(is_he);
                let about = report.accused.as_ref().is_some_and(is_he);
                if own || about {
                    self.incidents.insert(report.number);
                }
                if own { Some(Note::Own) } else { about.then_some(Note::About) }
            }
            Fact::Incident(IncidentFact::Ruled { number, .. }) => {
                self.incidents.contains(number).then_some(Note::Ruling)
            }
            Fact::Incident(IncidentFact::Appealed { number, appellant, .. }) => {
                let about = self.incidents.contains(number);
                if is_he(appellant) { Some(Note::Own) } else { about.then_some(Note::About) }
            }
            Fact::FairPlay(FairPlayFact::Stated(statement)) => {
                let own = statement.number.as_ref().is_some_and(is_he);
                let about = statement.incident.is_some_and(|it| self.incidents.contains(&it));
                if own { Some(Note::Own) } else { about.then_some(Note::About) }
            }
            Fact::StatusAdded { number, .. } => is_he(number).then_some(Note::About),
            Fact::Prohibited { pair, .. } => pair.iter().any(is_he).then_some(Note::About),
            Fact::Dismissed { account, .. } | Fact::ArbiterAssessed { account, .. } => {
                is_his(*account).then_some(Note::About)
            }
            Fact::Team(TeamFact::CaptainChanged { captain, .. }) => is_his(*captain).then_some(Note::About),
            _ => None,
        };
        note.map(|note| (text, note))
    }
}
