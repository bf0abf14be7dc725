//! Calendars: made and ended by accounts, and read by whoever knows their addresses.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use catalogue::{Area, Catalogue};
use chassis::{auth::Caller, background, id::FederationId};
use exchange::calendar::{Appointment, calendar};

use super::{Change, Desk, desk::Made, event::Events, languages::own_words, turn::Turn};
use crate::{
    core::{
        calendar::{APPOINTMENTS_MAX, Create, EVENTS_MAX, FEEDS_MAX, Feed, PAST_KEPT, Secret, Words},
        event::{Event, calendar::shown},
        refusal::Refusal,
    },
    error::{BadFile, Error, Result},
    store::{self, event::person},
    wire::{attempt::Attempt, calendar::Delete},
};

/// Where calendars are made, ended and read.
pub(crate) struct Calendars {
    desk: Desk,
    events: Arc<Events>,
}

/// Makes one, opened by this secret.
struct New {
    asked: Create,
    secret: Secret,
}

impl Calendars {
    pub(crate) fn new(desk: Desk, events: Arc<Events>) -> Calendars {
        Calendars { desk, events }
    }

    /// Makes a calendar, with what opens it; none where nothing is written.
    pub(crate) async fn create(&self, attempt: &Attempt, asked: Create) -> Result<(Feed, Option<Secret>)> {
        if attempt.caller.guest {
            return Err(Refusal::Guest.into());
        }
        if let Some(event) = asked.event {
            // It shows what everybody sees, so it is of what everybody may know of.
            self.events.admit(None, event).await?;
        }
        let new = New { asked, secret: Secret::new(&self.desk.env) };
        let feed = self.desk.carry_out(attempt, &new).await?;
        Ok((feed, (!attempt.validate_only).then_some(new.secret)))
    }

    /// The calendars of somebody, the oldest first.
    pub(crate) async fn list(&self, caller: &Caller) -> Result<Vec<Feed>> {
        Ok(store::calendar::list(self.desk.database.read(), caller.id).await?)
    }

    /// Ends one.
    pub(crate) async fn delete(&self, attempt: &Attempt, asked: Delete) -> Result<()> {
        self.desk.carry_out(attempt, &asked).await
    }

    /// The file of the calendar that a secret opens; none where it opens nothing. It has in it what everybody sees of the
    /// events, whoever reads it: an address may be passed on.
    pub(crate) async fn read(&self, secret: &Secret) -> Result<Option<Vec<u8>>> {
        let on = self.desk.database.read();
        let Some(feed) = store::calendar::of_secret(on, secret.digest()).await? else { return Ok(None) };
        let since = self.desk.env.now() - PAST_KEPT;
        let ids = match feed.event {
            Some(event) => vec![event],
            None => person::events_of(on, feed.account, since, EVENTS_MAX).await?,
        };
        let mut events = Vec::with_capacity(ids.len());
        for id in ids {
            events.extend(self.events.seen_by_everybody(id).await?);
        }
        let mut catalogues = BTreeMap::new();
        for federation in events.iter().map(|event| event.federation) {
            if let Entry::Vacant(place) = catalogues.entry(federation) {
                let language = [feed.language.tag().to_owned()];
                place.insert(own_words(on, federation, &[Area::Calendar], &language).await?.0);
            }
        }
        let work = move || file(&feed, &events, &catalogues, since.unix_timestamp());
        let made = background::aside(&self.desk.env, work).await.map_err(|_| Error::Stopping)?;
        Ok(Some(made.map_err(BadFile::from)?))
    }
}

/// The file of a calendar, in which each event says what its federation calls things.
fn file(
    feed: &Feed,
    events: &[Arc<Event>],
    catalogues: &BTreeMap<FederationId, Catalogue>,
    since: i64,
) -> Result<Vec<u8>, exchange::WriteError> {
    let words_of = |federation| Words {
        catalogue: catalogues.get(&federation).unwrap_or(Catalogue::shipped()),
        language: &feed.language,
    };
    let of = feed.event.is_none().then_some(feed.account);
    let found = events.iter().flat_map(|event| event.appointments(of, &words_of(event.federation)));
    let mut found: Vec<Appointment> = found.filter(|it| of.is_none() || it.begins >= since).collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.begins));
    found.truncate(APPOINTMENTS_MAX);
    let name = match events {
        [event] if of.is_none() => shown(&event.name),
        [first, rest @ ..] if rest.iter().all(|event| event.federation == first.federation) => {
            words_of(first.federation).say("mine", &[])
        }
        _ => Words { catalogue: Catalogue::shipped(), language: &feed.language }.say("mine", &[]),
    };
    calendar(&name, zone(events), &found)
}

/// The zone of all events; empty where they have several.
fn zone(events: &[Arc<Event>]) -> &str {
    let mut zones = events.iter().map(|event| event.settings.schedule.zone.as_str());
    let first = zones.next().unwrap_or_default();
    if zones.all(|zone| zone == first) { first } else { "" }
}

impl Change for New {
    type Told = Feed;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let account = turn.caller.id;
        let slot = if let Some(id) = self.asked.replaces {
            let found = store::calendar::find(turn.on, account, id).await?;
            let (slot, _) = found.ok_or(Refusal::UnknownCalendar)?;
            store::calendar::delete(turn.on, id).await?;
            slot
        } else {
            let full = Refusal::Full(FEEDS_MAX as u64, "calendars of an account");
            store::calendar::free_slot(turn.on, account).await?.ok_or(full)?
        };
        let feed = Feed {
            id: turn.desk.env.uuid(),
            account,
            event: self.asked.event,
            language: self.asked.language.clone(),
            made: turn.now(),
        };
        store::calendar::insert(turn.on, &feed, slot, self.secret.digest()).await?;
        Ok(feed.id.into())
    }

    /// Whoever asks again has lost the secret, which nobody else has: there is a new one.
    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Feed> {
        let found = store::calendar::find(turn.on, turn.caller.id, made.id).await?;
        let (_, feed) = found.ok_or(Refusal::UnknownCalendar)?;
        store::calendar::renew(turn.on, feed.id, self.secret.digest()).await?;
        Ok(feed)
    }
}

impl Change for Delete {
    type Told = ();

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let found = store::calendar::find(turn.on, turn.caller.id, self.id).await?;
        found.ok_or(Refusal::UnknownCalendar)?;
        store::calendar::delete(turn.on, self.id).await?;
        Ok(self.id.into())
    }

    async fn tell(&self, _turn: &Turn<'_>, _made: &Made) -> Result<()> {
        Ok(())
    }
}
