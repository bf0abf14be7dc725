//! The events of a season as their logs begin: made, with their officials, adopted, open for registration, and entered by
//! everybody who plays in them.
//!
//! They are made in the name of whoever has the season go on. He is in the committee of each, as whoever makes an event by
//! himself is, because somebody must answer for the adoption of its supplement (31.1) and for who is let in. What nobody does
//! by hand, that the supplement was laid before the committee, which has read it as the rules of the league, is the server's.

use chassis::id::{AccountId, EventId, FederationId};
use time::OffsetDateTime;

use crate::core::{
    event::{
        Actor, CheckItem, Event, Fact, LogEntry, NewTeam, Refusal, Role, Settings, create, fact::Entrant,
    },
    name::Name,
};

/// An event that is to be made.
#[derive(Clone, Debug)]
pub struct Founding {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    pub federation: FederationId,
    /// What it is called.
    pub name: Name,
    /// What it is.
    pub settings: Settings,
    /// Who officiates.
    pub officials: Vec<(AccountId, Role)>,
    /// Who has it made.
    pub by: AccountId,
    /// Who plays.
    pub entries: Entries,
}

/// Who enters, in the order of their numbers.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Teams.
    Teams(Vec<NewTeam>),
    /// Players for themselves.
    Players(Vec<Entrant>),
}

impl Entries {
    /// These and then those. Of one kind are all events of a season.
    #[must_use]
    pub fn and(self, other: Entries) -> Entries {
        match (self, other) {
            (Entries::Teams(mut one), Entries::Teams(other)) => {
                one.extend(other);
                Entries::Teams(one)
            }
            (Entries::Players(mut one), Entries::Players(other)) => {
                one.extend(other);
                Entries::Players(one)
            }
            (one, _) => one,
        }
    }
}

/// An event under way, and its log so far.
struct Begun {
    event: Event,
    log: Vec<LogEntry>,
    now: OffsetDateTime,
}

impl Begun {
    fn add(&mut self, actor: Actor, facts: Vec<Fact>) -> Result<(), Refusal> {
        for fact in facts {
            let sequence = self.event.sequence + 1;
            let entry = LogEntry { sequence, at: self.now, actor, request: None, fact };
            self.event.apply(&entry).map_err(|corrupt| Refusal::Status(corrupt.detail))?;
            self.log.push(entry);
        }
        Ok(())
    }
}

impl Founding {
    /// The event, and the whole log with which it begins.
    ///
    /// # Errors
    /// What the event refuses.
    pub fn found(self, now: OffsetDateTime) -> Result<(Event, Vec<LogEntry>), Refusal> {
        let actor = Actor::Person { account: self.by, role: Role::Committee, on_behalf_of: None };
        let created = create(self.federation, self.name, self.settings, now)?;
        let created = created.into_iter().next().ok_or(Refusal::NoReason)?;
        let first = LogEntry { sequence: 1, at: now, actor, request: None, fact: created };
        let event = Event::begin(self.id, &first).map_err(|corrupt| Refusal::Status(corrupt.detail))?;
        let mut begun = Begun { event, log: vec![first], now };
        let officials = std::iter::once((self.by, Role::Committee)).chain(self.officials);
        for (account, role) in officials {
            begun.add(actor, begun.event.appoint(account, role)?)?;
        }
        let presented = begun.event.check_off(CheckItem::SupplementPresented, true)?;
        begun.add(Actor::Server, presented)?;
        begun.add(actor, begun.event.adopt(now)?)?;
        begun.add(actor, begun.event.advance(now)?)?;
        match self.entries {
            Entries::Teams(teams) => {
                for team in teams {
                    begun.add(actor, begun.event.enter_team(&team, now)?)?;
                }
            }
            Entries::Players(players) => {
                for player in players {
                    begun.add(actor, begun.event.enter(player, now)?)?;
                }
            }
        }
        Ok((begun.event, begun.log))
    }
}
