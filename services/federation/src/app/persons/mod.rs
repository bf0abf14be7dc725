//! What concerns a person as a whole, wherever it is kept: what is known of him, given to him; and all of it, forgotten.

mod forget;
mod own;

use std::{collections::BTreeSet, sync::Arc};

use chassis::id::{AccountId, EventId, FederationId, MemberId};

use super::{Desk, event::Events};
use crate::{
    core::{
        event::{
            Event, Sealed,
            person::{InEvent, Note},
        },
        member::Member,
    },
    error::Result,
    store::{
        self,
        event::{head, log},
    },
};

/// Events that are looked for at once.
const EVENTS_PAGE: u64 = 200;
/// Entries of a log that are read at once.
const LOG_PAGE: u64 = 500;

/// Where a person has what is his.
pub(crate) struct Persons {
    desk: Desk,
    events: Arc<Events>,
}

/// A member by everything that he is or was known by.
struct Him {
    member: Member,
    /// Those who were merged into him.
    doubles: Vec<Member>,
}

impl Persons {
    pub(crate) fn new(desk: Desk, events: Arc<Events>) -> Persons {
        Persons { desk, events }
    }

    async fn him(&self, member: Member) -> Result<Him> {
        let doubles = store::member::doubles(self.desk.database.read(), &member).await?;
        Ok(Him { member, doubles })
    }

    /// The events of a federation that know somebody, the newest first, and as whom.
    async fn events_of(
        &self,
        federation: FederationId,
        ids: &BTreeSet<MemberId>,
        account: Option<AccountId>,
    ) -> Result<Vec<(Arc<Event>, InEvent)>> {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page =
                head::list(self.desk.database.read(), federation, None, true, after, EVENTS_PAGE).await?;
            let Some((_, last)) = page.last() else { return Ok(found) };
            after = Some(*last);
            for (id, _) in page {
                let event = self.events.current(id).await?.event;
                let as_whom = InEvent::of(&event, ids, account);
                found.extend(as_whom.map(|as_whom| (event, as_whom)));
            }
        }
    }

    /// What stands beside the log of an event and has to do with somebody.
    async fn notes_of(&self, event: EventId, mut as_whom: InEvent) -> Result<Vec<(u64, Sealed, Note)>> {
        let (mut notes, mut after) = (Vec::new(), 0);
        loop {
            let page = log::after(self.desk.database.read(), event, after, LOG_PAGE).await?;
            let Some(last) = page.last() else { return Ok(notes) };
            after = last.entry.sequence;
            let read = page.iter().filter_map(|stored| {
                as_whom.read(&stored.entry).map(|(text, note)| (stored.entry.sequence, text, note))
            });
            notes.extend(read);
        }
    }
}

impl Him {
    fn ids(&self) -> BTreeSet<MemberId> {
        self.everybody().map(|it| it.id).collect()
    }

    fn everybody(&self) -> impl Iterator<Item = &Member> {
        std::iter::once(&self.member).chain(&self.doubles)
    }
}
