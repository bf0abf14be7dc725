//! Events in memory: each is the fold of its log as far as it was read, and is read on before anything is asked of it.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use api::{
    game::v1::event_games_internal_service_client::EventGamesInternalServiceClient, transport::Transport,
};
use chassis::{
    Database, Env, Lifecycle, Vault, background,
    database::{StoreError, Transaction},
    id::EventId,
    maintenance::PlannedMaintenance,
    outbox::Outbox,
};
use live::Live;
use parking_lot::Mutex;
use time::OffsetDateTime;
use tokio::sync::Semaphore;

use super::{boards::WatchedRounds, measure::Measures, people::People, published, queue::Queue};
use crate::{
    app::notices::Notices,
    core::event::{Event, fact::Digest},
    error::{Error, Result},
    store::event::{head, log, person},
};

/// Entries of a log that are read at once.
const PAGE: u64 = 500;
/// As many entries take a while: they are taken over aside.
const ASIDE_FROM: usize = 50;
/// Events that are kept in memory; whoever asks for another waits until it is read. More than a list names at once.
const KEPT: usize = 256;
/// States of events as they were that are kept in memory: whoever looks at the past looks again, and at what follows.
const PAST_KEPT: usize = 16;
/// States of the past that are worked out at once: each is a whole log, and nobody is in a hurry for it.
const PAST_AT_ONCE: usize = 2;

/// Everything that events need.
pub(crate) struct Events {
    pub(super) env: Env,
    pub(super) database: Database,
    pub(super) vault: Vault,
    pub(super) live: Arc<dyn Live>,
    pub(super) lifecycle: Lifecycle,
    pub(super) people: People,
    pub(super) outbox: Outbox,
    pub(super) notices: Arc<Notices>,
    pub(crate) games: EventGamesInternalServiceClient<Transport>,
    pub(super) pairings: Queue,
    pub(super) tables: Queue,
    pub(super) reports: Queue,
    pub(super) watched: WatchedRounds,
    pub(super) measures: Measures,
    /// When the platform is worked on: no round begins then.
    pub(crate) maintenance: PlannedMaintenance,
    /// Events whose rounds wait for its end, and when they are looked at again.
    pub(super) waiting_rounds: Mutex<HashMap<EventId, OffsetDateTime>>,
    kept: Mutex<Kept>,
    past: Mutex<Past>,
    pasts: Semaphore,
}

/// An event as far as its log was read.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    /// The event.
    pub event: Arc<Event>,
    /// The hash of its last entry.
    pub hash: Digest,
    /// Whether an official has just done something in it, who is told what is missing.
    pub by_official: bool,
}

/// The events in memory.
#[derive(Default)]
struct Kept {
    events: HashMap<EventId, KeptEvent>,
    asked: u64,
}

/// An event in memory.
struct KeptEvent {
    current: Current,
    /// As it was seen last by those who are none of its officials and play nowhere.
    seen: Option<Arc<Event>>,
    /// When it was last asked for.
    asked: u64,
}

impl Kept {
    fn find(&mut self, id: EventId) -> Option<Current> {
        self.asked += 1;
        let asked = self.asked;
        self.events.get_mut(&id).map(|kept| {
            kept.asked = asked;
            kept.current.clone()
        })
    }

    /// What is kept of an event at this very entry.
    fn find_at(&mut self, event: &Event) -> Option<&mut KeptEvent> {
        self.events.get_mut(&event.id).filter(|kept| kept.current.event.sequence == event.sequence)
    }

    /// Keeps an event, unless a later state of it is kept.
    fn keep(&mut self, current: &Current) {
        let id = current.event.id;
        let is_later = |kept: &KeptEvent| kept.current.event.sequence >= current.event.sequence;
        if self.events.get(&id).is_some_and(is_later) {
            return;
        }
        if self.events.len() >= KEPT && !self.events.contains_key(&id) {
            let oldest = self.events.iter().min_by_key(|(_, kept)| kept.asked).map(|(id, _)| *id);
            oldest.map(|id| self.events.remove(&id));
        }
        self.events.insert(id, KeptEvent { current: current.clone(), seen: None, asked: self.asked });
    }
}

/// Events as they were, in memory; the one that was asked for last comes last.
#[derive(Default)]
struct Past(VecDeque<Current>);

impl Past {
    /// The latest state of an event that is kept, up to an entry.
    fn find(&self, id: EventId, sequence: u64) -> Option<Current> {
        let of_event = |it: &&Current| it.event.id == id && it.event.sequence <= sequence;
        self.0.iter().filter(of_event).max_by_key(|it| it.event.sequence).cloned()
    }

    fn keep(&mut self, then: &Current) {
        let is_same = |it: &Current| it.event.id == then.event.id && it.event.sequence == then.event.sequence;
        self.0.retain(|it| !is_same(it));
        self.0.push_back(then.clone());
        if self.0.len() > PAST_KEPT {
            self.0.pop_front();
        }
    }
}

impl Events {
    /// The events of this database.
    pub(crate) fn new(
        (env, database, vault): (Env, Database, Vault),
        live: Arc<dyn Live>,
        lifecycle: Lifecycle,
        (outbox, notices): (Outbox, Arc<Notices>),
        games: Transport,
    ) -> Arc<Events> {
        let (pairings, tables) = (Queue::of_pairings(&env), Queue::of_tables(&env));
        let (kept, past, pasts) = (Mutex::default(), Mutex::default(), Semaphore::new(PAST_AT_ONCE));
        let reports = Queue::of_reports(&env);
        let people = People(database.clone());
        let games = EventGamesInternalServiceClient::new(games);
        let watched = WatchedRounds::default();
        let maintenance = PlannedMaintenance::new(env.clone());
        let measures = Measures::new(lifecycle.metrics());
        Arc::new(Events {
            env,
            database,
            vault,
            live,
            lifecycle,
            people,
            outbox,
            notices,
            games,
            pairings,
            tables,
            reports,
            watched,
            measures,
            maintenance,
            waiting_rounds: Mutex::default(),
            kept,
            past,
            pasts,
        })
    }

    /// An event as its log is now.
    ///
    /// # Errors
    /// When there is none, or its log cannot be read or believed.
    pub(crate) async fn current(&self, id: EventId) -> Result<Current> {
        let known = self.kept.lock().find(id);
        let read = self.read_on(id, known.clone(), None).await?;
        let current = read.ok_or(Error::UnknownEvent)?;
        if known.is_none_or(|known| known.event.sequence < current.event.sequence) {
            self.kept.lock().keep(&current);
        }
        Ok(current)
    }

    /// An event as everybody sees it who is none of its officials, for who looks at many events, each once: those that are kept
    /// in memory stay.
    pub(crate) async fn glance(&self, id: EventId) -> Result<Event> {
        let known = self.kept.lock().find(id);
        let read = self.read_on(id, known, None).await?.ok_or(Error::UnknownEvent)?;
        Ok(read.event.as_seen(self.env.now(), None))
    }

    /// An event as everybody sees it who is none of its officials and plays at no board that is shown late. It is worked out
    /// once, however many look.
    pub(super) fn seen_by_all(&self, event: &Arc<Event>) -> Arc<Event> {
        let now = self.env.now();
        let last = event.last_seen(now);
        if last == event.sequence {
            return Arc::clone(event);
        }
        let known = self.kept.lock().find_at(event).and_then(|kept| kept.seen.clone());
        if let Some(seen) = known.filter(|seen| seen.sequence == last) {
            return seen;
        }
        let seen = Arc::new(event.as_seen(now, None));
        if let Some(kept) = self.kept.lock().find_at(event) {
            kept.seen = Some(Arc::clone(&seen));
        }
        seen
    }

    /// An event as it was after an entry of its log.
    ///
    /// # Errors
    /// As [`Events::current`], and when the log is not that long.
    pub(crate) async fn at(&self, id: EventId, sequence: u64) -> Result<Arc<Event>> {
        let current = self.current(id).await?;
        if sequence == 0 || sequence == current.event.sequence {
            return Ok(current.event);
        }
        if sequence > current.event.sequence {
            return Err(Error::BadCursor(current.event.sequence));
        }
        self.past(id, sequence).await
    }

    /// A state of the past, read on from the one before it that is kept. Few are worked out at once, and what many ask for
    /// once.
    async fn past(&self, id: EventId, sequence: u64) -> Result<Arc<Event>> {
        let is_known = |it: &Current| it.event.sequence == sequence;
        if let Some(known) = self.past.lock().find(id, sequence).filter(is_known) {
            return Ok(known.event);
        }
        let _turn = self.pasts.acquire().await.map_err(|_| Error::Stopping)?;
        let known = self.past.lock().find(id, sequence);
        let then = match known {
            Some(known) if is_known(&known) => known,
            earlier => self.read_on(id, earlier, Some(sequence)).await?.ok_or(Error::UnknownEvent)?,
        };
        self.past.lock().keep(&then);
        Ok(then.event)
    }

    /// Reads a log on from what is known of it, to its end or to an entry.
    async fn read_on(
        &self,
        id: EventId,
        known: Option<Current>,
        until: Option<u64>,
    ) -> Result<Option<Current>> {
        let mut current = known;
        loop {
            let after = current.as_ref().map_or(0, |current| current.event.sequence);
            let most = until.map_or(PAGE, |until| PAGE.min(until - after));
            let page = log::after(self.database.read(), id, after, most).await?;
            let is_last = (page.len() as u64) < most || until == Some(after + page.len() as u64);
            current = self.fold(id, current, page).await?;
            if is_last {
                return Ok(current);
            }
        }
    }

    /// Takes a page of a log over, a long one aside.
    async fn fold(
        &self,
        id: EventId,
        known: Option<Current>,
        page: Vec<log::Stored>,
    ) -> Result<Option<Current>> {
        if page.len() < ASIDE_FROM {
            return fold(id, known, page);
        }
        let work = move || fold(id, known, page);
        background::aside(&self.env, work).await.map_err(|_| Error::Stopping)?
    }

    /// Writes what comes next in the log of an event, with whatever else belongs to it. Whoever was faster makes it
    /// [`StoreError::Contended`].
    pub(super) async fn append<F: Future<Output = Result<(), StoreError>>>(
        &self,
        next: &Current,
        entries: &[log::Stored],
        digest: Option<&Digest>,
        beside: impl FnOnce(Arc<Transaction>) -> F,
    ) -> Result<(), StoreError> {
        let transaction = Arc::new(self.database.begin().await?);
        let written = async {
            log::append(&*transaction, next.event.id, entries, digest).await?;
            match entries.first() {
                Some(first) if first.entry.sequence == 1 => {
                    head::insert(&*transaction, &next.event, first.entry.at).await?;
                    person::put_all(&*transaction, &next.event).await?;
                }
                _ => {
                    head::update(&*transaction, &next.event).await?;
                    let concerned = entries.iter().flat_map(|it| it.entry.fact.accounts()).collect();
                    person::put(&*transaction, next.event.id, concerned).await?;
                }
            }
            beside(Arc::clone(&transaction)).await
        };
        let written = written.await;
        let transaction = Arc::into_inner(transaction).ok_or(StoreError::Stopped)?;
        transaction.finish(written).await?;
        self.measures.written(entries.iter().map(|it| &it.entry.fact));
        self.kept.lock().keep(next);
        self.outbox.call();
        published::tell(&*self.live, next.event.id, next.event.sequence).await;
        Ok(())
    }
}

/// Takes a page of a log over.
fn fold(id: EventId, known: Option<Current>, page: Vec<log::Stored>) -> Result<Option<Current>> {
    let mut entries = page.into_iter();
    let mut current = match known {
        Some(current) => current,
        None => match entries.next() {
            None => return Ok(None),
            Some(first) => Current {
                event: Arc::new(Event::begin(id, &first.entry)?),
                hash: first.hash,
                by_official: false,
            },
        },
    };
    for stored in entries {
        Arc::make_mut(&mut current.event).apply(&stored.entry)?;
        current.hash = stored.hash;
    }
    Ok(Some(current))
}
