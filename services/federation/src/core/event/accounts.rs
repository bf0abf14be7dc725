//! Whom an event concerns, by their accounts.

use std::collections::BTreeSet;

use chassis::id::AccountId;

use super::{Entrant, Event, Fact, TeamFact};

impl Event {
    /// The accounts of those who play in it, lead a team or have an office now.
    pub fn accounts(&self) -> BTreeSet<AccountId> {
        let players = self.participants.iter().filter_map(|it| it.entrant.account);
        let captains = self.teams.iter().map(|team| team.entrant.captain);
        self.officials.keys().copied().chain(players).chain(captains).collect()
    }
}

impl Fact {
    /// The accounts that an event concerns from here on.
    pub fn accounts(&self) -> Vec<AccountId> {
        let of_all = |entrants: &[Entrant]| entrants.iter().filter_map(|it| it.account).collect::<Vec<_>>();
        match self {
            Fact::Appointed { account, .. } => vec![*account],
            Fact::Entered(entrant) => of_all(std::slice::from_ref(entrant)),
            Fact::EntryUpdated(update) => update.account.into_iter().collect(),
            Fact::Team(TeamFact::Entered { team, entrants }) => {
                let mut accounts = of_all(entrants);
                accounts.push(team.captain);
                accounts
            }
            Fact::Team(TeamFact::CaptainChanged { captain, .. }) => vec![*captain],
            _ => Vec::new(),
        }
    }
}
