//! Looking at events.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chassis::{
    auth::Caller,
    id::{EventId, FederationId},
    page::Page,
};
use time::OffsetDateTime;

use super::{Events, command::sees_behind, people::Standing, registry::Current};
use crate::{
    core::event::{Act, Event, Participant, PublishedRound, Role, Stage, Table, role::allowed},
    error::{Error, Result},
    store::event::{draft, head, log},
};

/// Entries of a log that are read at once.
pub(super) const LOG_PAGE: u64 = 200;

/// An event that somebody may look at.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    /// The event.
    pub event: Arc<Event>,
    /// Whether he is an official.
    pub official: bool,
    /// What he is to the event.
    pub roles: BTreeSet<Role>,
}

/// What somebody may see of an event.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The event, with nothing in it that he may not see.
    pub event: Arc<Event>,
    /// Whether anything is held back from him.
    pub delayed: bool,
    /// Whether he is an official.
    pub official: bool,
    /// What he is to the event.
    pub roles: BTreeSet<Role>,
}

/// Which moment of an event is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AsOf {
    /// Now.
    Now,
    /// After an entry.
    Sequence(u64),
    /// At a time.
    Time(OffsetDateTime),
}

impl Events {
    /// An event as somebody sees it. To whoever is no official a log ends before the first entry that is not for everybody
    /// yet, and nothing is told of any moment after that: the delay of the broadcast is that of today, whatever it was then.
    pub(crate) async fn look(&self, caller: Option<&Caller>, id: EventId, as_of: AsOf) -> Result<Sight> {
        let Admitted { event: now, official, roles } = self.admit(caller, id).await?;
        let end = if official { now.sequence } else { now.last_seen(self.env.now()) };
        let sequence = match as_of {
            AsOf::Now => return Ok(self.sight(caller, Admitted { event: now, official, roles })),
            AsOf::Sequence(sequence) => sequence,
            AsOf::Time(time) => log::sequence_at(self.database.read(), id, time).await?.min(end),
        };
        if !(1..=end).contains(&sequence) {
            return Err(Error::BadCursor(end));
        }
        let event = self.at(id, sequence).await?;
        Ok(Sight { event, delayed: false, official, roles })
    }

    /// An event as everybody sees it; none where nobody may know of it yet.
    pub(crate) async fn seen_by_everybody(&self, id: EventId) -> Result<Option<Arc<Event>>> {
        match self.look(None, id, AsOf::Now).await {
            Ok(sight) => Ok(Some(sight.event)),
            Err(Error::UnknownEvent) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Now.
    pub(crate) fn now(&self) -> OffsetDateTime {
        self.env.now()
    }

    fn sight(&self, caller: Option<&Caller>, admitted: Admitted) -> Sight {
        let Admitted { event, official, roles } = admitted;
        let now = self.env.now();
        let own = caller.and_then(|caller| event.of_account(caller.id)).map(Participant::number);
        let delayed = !official && event.holds_back(now, own);
        let event = match own {
            _ if official => event,
            Some(player) if event.has_unseen_of(now, player) => Arc::new(event.as_seen(now, own)),
            _ => self.seen_by_all(&event),
        };
        Sight { event, delayed, official, roles }
    }

    /// An event as it is, for whoever may look at it at all. What happens at its boards is not for everybody: see
    /// [`Events::look`].
    pub(crate) async fn admit(&self, caller: Option<&Caller>, id: EventId) -> Result<Admitted> {
        let Current { event, .. } = self.current(id).await?;
        let roles = match caller {
            Some(caller) => self.roles(&event, caller.id).await?.0,
            None => [Role::Public].into(),
        };
        let official = sees_behind(&roles, &event);
        if event.stage == Stage::Draft && !official {
            return Err(Error::UnknownEvent);
        }
        Ok(Admitted { event, official, roles })
    }

    /// Events of a federation, newest first.
    pub(crate) async fn list(
        &self,
        caller: Option<&Caller>,
        (federation, stage): (FederationId, Option<Stage>),
        page: &Page<head::Place>,
    ) -> Result<(Vec<Arc<Event>>, String)> {
        let standing = match caller {
            Some(caller) => self.people.standing(federation, caller.id).await?.unwrap_or_default(),
            None => Standing::default(),
        };
        let drafts = allowed(Act::ReadDraft, &standing.roles, Stage::Draft).is_ok();
        let on = self.database.read();
        let found = head::list(on, federation, stage, drafts, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, |(_, place)| *place);
        let mut events = Vec::with_capacity(found.len());
        for (id, _) in found {
            let event = self.current(id).await?.event;
            let mut roles = caller.map(|caller| event.roles_of(caller.id)).unwrap_or_default();
            roles.extend(&standing.roles);
            let official = sees_behind(&roles, &event);
            events.push(self.sight(caller, Admitted { event, official, roles }).event);
        }
        Ok((events, next))
    }

    /// The draft of the next round, for officials.
    pub(crate) async fn draft_for(&self, sight: &Sight, round: u16) -> Result<Option<PublishedRound>> {
        if !sight.official {
            return Ok(None);
        }
        let draft = draft::find(self.database.read(), sight.event.id).await?;
        Ok(draft
            .map(|draft| draft.round)
            .filter(|draft| draft.round == round && round == sight.event.next_round()))
    }

    /// The table after a round, with some readings in the place of the event's. It is worked out aside: that of ten
    /// thousand players takes a while.
    pub(crate) async fn table(
        &self,
        sight: Sight,
        round: u16,
        others: BTreeMap<String, String>,
    ) -> Result<Table> {
        let event = sight.event;
        let mut readings = event.settings.readings.clone();
        for (name, value) in &others {
            readings.set(name, value)?;
        }
        let last = event.next_round() - 1;
        let round = if round == 0 { last } else { round.min(last) };
        let work = move || event.table_under(round, &readings.standings());
        self.tables.work(work).await
    }

    /// Entries of a log that somebody may see, with the number of the last of them: it ends before the first that is not for
    /// everybody yet, wherever he begins.
    pub(crate) async fn entries(
        &self,
        caller: Option<&Caller>,
        id: EventId,
        after: u64,
        at_most: u64,
    ) -> Result<(Vec<log::Stored>, u64)> {
        let Admitted { event, official, .. } = self.admit(caller, id).await?;
        let last = if official { event.sequence } else { event.last_seen(self.env.now()) };
        let at_most = at_most.min(last.saturating_sub(after));
        if at_most == 0 {
            return Ok((Vec::new(), last));
        }
        Ok((log::after(self.database.read(), id, after, at_most).await?, last))
    }
}
