//! Events that were held elsewhere, written whole.

use std::sync::Arc;

use chassis::{
    auth::Caller,
    database::{StoreError, Transaction},
    id::{EventId, FederationId},
};

use super::{Events, obligations::obligations, registry::Current};
use crate::{
    core::{
        event::{
            Act, Actor, Event, Held, LogEntry, Origin, Refusal, Settings, Stage, imported, role::allowed,
        },
        member::Member,
        name::Name,
        refusal::Refusal::{RequestIdReused, UnknownFederation},
        team::Team,
    },
    error::{Error, Result},
    store::{self, event::log},
};

/// An event that was held elsewhere, as it is to be written.
#[derive(Clone, Debug)]
pub(crate) struct FromElsewhere {
    /// The id that it shall have.
    pub id: EventId,
    /// Who vouches for it: the federation, and what the event is called there.
    pub of: (FederationId, Name),
    /// What it was.
    pub settings: Settings,
    /// Where it comes from.
    pub origin: Origin,
    /// What was played.
    pub held: Held,
    /// Persons of it who are not known yet.
    pub strangers: Vec<Member>,
    /// Teams of it that are not known yet.
    pub teams: Vec<Team>,
}

impl Events {
    /// Writes an event that was held elsewhere, unless it is written; or only says what it would be.
    pub(crate) async fn import(
        &self,
        caller: &Caller,
        event: FromElsewhere,
        validate_only: bool,
    ) -> Result<Current> {
        let FromElsewhere { id, of, settings, origin, held, strangers, teams } = event;
        let standing = self.people.standing(of.0, caller.id).await?.ok_or(UnknownFederation)?;
        let role = allowed(Act::Cancel, &standing.roles, Stage::Draft).map_err(Refusal::from)?;
        if let Some(current) = self.imported_before(id, &origin).await? {
            return self.told_again(caller, current).await;
        }
        let facts = imported(of, settings, (caller.id, origin.clone()), held)?;
        let now = self.env.now();
        let actor = Actor::Person { account: caller.id, role, on_behalf_of: None };
        let entry = |(sequence, fact)| LogEntry { sequence, at: now, actor, request: None, fact };
        let entries: Vec<LogEntry> = (1..).zip(facts).map(entry).collect();
        let event = Event::replay(id, &entries)?;
        let owed = entries.iter().flat_map(|entry| obligations(&event, &entry.fact)).collect();
        let stored = log::sealed(id, entries, None);
        let hash = stored.last().map_or([0; 32], |last| last.hash);
        let next = Current { event: event.into(), hash, by_official: true };
        if validate_only {
            return Ok(next);
        }
        let beside = |transaction: Arc<Transaction>| async move {
            store::member::insert(&*transaction, &strangers).await?;
            for team in &teams {
                store::team::insert(&*transaction, team).await?;
            }
            self.outbox.insert(&*transaction, owed).await.map_err(StoreError::from)
        };
        match self.append(&next, &stored, None, beside).await {
            Ok(()) => Ok(next),
            // The same call, sent twice, was faster; or another event has the id.
            Err(StoreError::Contended) => {
                let current = self.imported_before(id, &origin).await?.ok_or(StoreError::Contended)?;
                self.told_again(caller, current).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The event of this id, if it was taken over from the same file before.
    ///
    /// # Errors
    /// When it is another event.
    pub(crate) async fn imported_before(&self, id: EventId, origin: &Origin) -> Result<Option<Current>> {
        let current = match self.current(id).await {
            Err(Error::UnknownEvent) => return Ok(None),
            current => current?,
        };
        let is_same = current.event.origin.as_deref().is_some_and(|it| it.file == origin.file);
        if is_same { Ok(Some(current)) } else { Err(RequestIdReused.into()) }
    }
}
