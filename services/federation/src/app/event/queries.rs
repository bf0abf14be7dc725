//! Looking at events.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chassis::{
    auth::Caller,
    background,
    id::{EventId, FederationId},
    page::Page,
};
use time::OffsetDateTime;

use super::{Events, command::sees_behind, registry::Current};
use crate::{
    core::event::{
        Act, BoardId, Event, Fact, LogEntry, Participant, PublishedRound, ResultSource, Role, Stage, Table,
        fact::IncidentFact, role::allowed,
    },
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

/// What somebody may see of an event and its results.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The event.
    pub event: Arc<Event>,
    /// Boards whose results he may not see yet.
    pub hidden: Vec<BoardId>,
    /// Whether he is an official.
    pub official: bool,
}

impl Sight {
    /// Whether the result of a board may be seen.
    pub(crate) fn sees(&self, board: BoardId) -> bool {
        !self.hidden.contains(&board)
    }

    /// The event with nothing in it that may not be seen.
    pub(crate) fn shown(&self) -> Arc<Event> {
        if self.hidden.is_empty() {
            Arc::clone(&self.event)
        } else {
            Arc::new(self.event.without(&self.hidden))
        }
    }
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
    /// An event with what somebody may see of its results.
    pub(crate) async fn look(&self, caller: Option<&Caller>, id: EventId, as_of: AsOf) -> Result<Sight> {
        let Admitted { event, official, .. } = self.admit(caller, id, as_of).await?;
        let hidden = if official { Vec::new() } else { self.hidden(&event, caller).await? };
        Ok(Sight { event, hidden, official })
    }

    /// Now.
    pub(crate) fn now(&self) -> OffsetDateTime {
        self.env.now()
    }

    /// An event, for whoever may look at it at all. Its results are not for everybody: see [`Events::look`].
    pub(crate) async fn admit(&self, caller: Option<&Caller>, id: EventId, as_of: AsOf) -> Result<Admitted> {
        let Current { event: now, .. } = self.current(id).await?;
        let roles = match caller {
            Some(caller) => self.roles(&now, caller.id).await?.0,
            None => [Role::Public].into(),
        };
        let official = sees_behind(&roles, &now);
        if now.stage == Stage::Draft && !official {
            return Err(Error::UnknownEvent);
        }
        let event = match as_of {
            AsOf::Now => now,
            AsOf::Sequence(sequence) => self.at(id, sequence).await?,
            AsOf::Time(time) => match log::sequence_at(self.database.read(), id, time).await? {
                0 => return Err(Error::BadCursor(now.sequence)),
                sequence => self.at(id, sequence).await?,
            },
        };
        Ok(Admitted { event, official, roles })
    }

    /// The boards whose results are younger than the delay of the broadcast. Who plays at a board sees what came of it.
    async fn hidden(&self, event: &Event, caller: Option<&Caller>) -> Result<Vec<BoardId>> {
        let own = caller.and_then(|caller| event.of_account(caller.id)).map(Participant::number);
        let plays = |board| {
            let seats = event.find_board(board).map(|(_, seat, _)| seat.players);
            own.zip(seats.ok()).is_some_and(|(own, seats)| seats.contains(&own))
        };
        let young = self.young_results(event).await?;
        Ok(young.into_keys().filter(|board| !plays(*board)).collect())
    }

    /// The boards whose results are younger than the delay of the broadcast, and since when they are known.
    pub(super) async fn young_results(&self, event: &Event) -> Result<BTreeMap<BoardId, OffsetDateTime>> {
        let (delay, mut young) = (event.settings.broadcast_delay, BTreeMap::new());
        if delay.is_zero() || event.stage.is_over() {
            return Ok(young);
        }
        let since = self.env.now() - delay;
        let mut after = log::sequence_at(self.database.read(), event.id, since).await?;
        loop {
            let page = log::after(self.database.read(), event.id, after, LOG_PAGE).await?;
            let Some(last) = page.last() else { return Ok(young) };
            after = last.entry.sequence;
            let results = page.iter().filter_map(|stored| Some((result_of(&stored.entry)?, stored.entry.at)));
            young.extend(results);
        }
    }

    /// Events of a federation, newest first.
    pub(crate) async fn list(
        &self,
        caller: Option<&Caller>,
        (federation, stage): (FederationId, Option<Stage>),
        page: &Page<head::Place>,
    ) -> Result<(Vec<Arc<Event>>, String)> {
        let drafts = match caller {
            Some(caller) => {
                let standing = self.people.standing(federation, caller.id).await?.unwrap_or_default();
                allowed(Act::ReadDraft, &standing.roles, Stage::Draft).is_ok()
            }
            None => false,
        };
        let on = self.database.read();
        let found = head::list(on, federation, stage, drafts, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, |(_, place)| *place);
        let mut events = Vec::with_capacity(found.len());
        for (id, _) in found {
            events.push(self.current(id).await?.event);
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
            .map(|(draft, _)| draft)
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
        let event = sight.shown();
        let mut readings = event.settings.readings.clone();
        for (name, value) in &others {
            readings.set(name, value)?;
        }
        let last = event.next_round() - 1;
        let round = if round == 0 { last } else { round.min(last) };
        let work = move || event.table_under(round, &readings.standings());
        background::aside(&self.env, work).await.map_err(|_| Error::Stopping)
    }

    /// Entries of a log that somebody may see: up to the first that he may not.
    pub(crate) async fn entries(
        &self,
        caller: Option<&Caller>,
        id: EventId,
        after: u64,
        at_most: u64,
    ) -> Result<(Vec<log::Stored>, u64)> {
        let Admitted { event, official, .. } = self.admit(caller, id, AsOf::Now).await?;
        let mut found = log::after(self.database.read(), id, after, at_most).await?;
        let mut last = event.sequence;
        let delay = event.settings.broadcast_delay;
        if !official && !delay.is_zero() && !event.stage.is_over() {
            let since = self.env.now() - delay;
            let is_hidden = |stored: &log::Stored| stored.entry.at > since && is_of_board(&stored.entry);
            if let Some(at) = found.iter().position(is_hidden) {
                last = found[at].entry.sequence - 1;
                found.truncate(at);
            }
        }
        Ok((found, last))
    }
}

/// The board of which an entry tells what came of it. Boards that somebody left are no secret.
fn result_of(entry: &LogEntry) -> Option<BoardId> {
    match &entry.fact {
        Fact::Result { board, result } if result.source != ResultSource::Departure => Some(*board),
        _ => None,
    }
}

/// Whether an entry tells of what happens at a board.
fn is_of_board(entry: &LogEntry) -> bool {
    result_of(entry).is_some() || matches!(entry.fact, Fact::Incident(IncidentFact::Noticed { .. }))
}
