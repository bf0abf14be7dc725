//! What games look like to those who only look: worked out once, shared by all who ask, and kept within bounds.
//!
//! Nothing here is the only copy of anything. Each entry says up to which event of the log it goes, and is brought up
//! to date from the log, page by page, under a lock of its own; who asks for the same thing meanwhile waits for it
//! instead of working it out again.

mod answers;
mod delayed;
mod finished;
mod game_view;
mod limits;
mod listed;
mod turns;

use std::{
    collections::HashMap,
    hash::{Hash, RandomState},
    sync::Arc,
};

use api::game::v1::PlayedAct;
use chassis::{Database, id::GameId};
use quick_cache::{
    OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use tokio::sync::Mutex;

pub(crate) use finished::{Finished, shown};
pub(crate) use game_view::GameView;
pub(crate) use limits::{LIMITS, PAGES_AT_ONCE};
pub(crate) use listed::Listed;

use self::{
    answers::{Answer, Question},
    delayed::Delayed,
    limits::{ANSWERS_BYTES, DELAYED_GAMES, FINISHED_BYTES, HEADERS, SHEETS_BYTES},
    turns::{Pace, Turns},
};
use crate::{
    core::Sheet,
    error::{Error, Result},
    store::{Entry, LOG_PAGE, lists, log},
    wire::played_act,
};

/// The acts of a game as everybody may read them.
pub(crate) fn acts_of(sheet: &Sheet) -> Vec<PlayedAct> {
    sheet.open().into_iter().map(|(author, text)| played_act(author, &text)).collect()
}

/// All that is remembered of what games look like.
pub(crate) struct ViewCache {
    database: Database,
    sheets: Bounded<GameId, SharedSheet>,
    delayed: Bounded<GameId, Arc<Mutex<Delayed>>>,
    headers: Bounded<GameId, Arc<Listed>>,
    finished: Bounded<GameId, Arc<Finished>>,
    answers: Bounded<(GameId, u64, Question), Arc<Answer>>,
    turns: Turns,
    imports: Turns,
    thoughts: Turns,
    pages: Pace,
}

/// The acts of a game, brought up to date by whoever needs them next. It weighs what it did when it was put into the
/// cache.
#[derive(Clone, Default)]
struct SharedSheet {
    sheet: Arc<Mutex<Sheet>>,
    bytes: u64,
}

/// A cache that is bounded by what is in it.
type Bounded<K, V> = Cache<K, V, ByWeight>;

/// Entries weigh what they say.
#[derive(Clone, Copy, Debug)]
struct ByWeight;

/// What an entry weighs.
trait Weighed {
    fn weight(&self) -> u64;
}

impl<K, V: Weighed> Weighter<K, V> for ByWeight {
    fn weight(&self, _key: &K, value: &V) -> u64 {
        value.weight().max(1)
    }
}

impl Weighed for SharedSheet {
    fn weight(&self) -> u64 {
        self.bytes + size_of::<Self>() as u64
    }
}

/// A cache that holds so much, of entries that are usually so heavy.
fn bounded<K: Eq + Hash, V: Weighed + Clone>(capacity: u64, usual: u64) -> Bounded<K, V> {
    let items = usize::try_from(capacity / usual).unwrap_or(usize::MAX);
    let options = OptionsBuilder::new()
        // One shard: a bound on the whole, also for an entry that is much heavier than others.
        .shards(1)
        .estimated_items_capacity(items)
        .weight_capacity(capacity)
        .build()
        .expect("capacities are given");
    Cache::with_options(options, ByWeight, RandomState::default(), DefaultLifecycle::default())
}

impl ViewCache {
    pub(crate) fn new(database: Database) -> Self {
        ViewCache {
            database,
            sheets: bounded(SHEETS_BYTES, 8 * 1024),
            delayed: bounded(DELAYED_GAMES, 1),
            headers: bounded(HEADERS, 1),
            finished: bounded(FINISHED_BYTES, 64 * 1024),
            answers: bounded(ANSWERS_BYTES, 8 * 1024),
            turns: Turns::new(limits::DEAR_AT_ONCE, limits::DEAR_WAITING),
            imports: Turns::new(limits::IMPORTS_AT_ONCE, limits::IMPORTS_WAITING)
                .resting(limits::IMPORT_RESTS),
            thoughts: Turns::new(limits::THOUGHTS_AT_ONCE, limits::DEAR_WAITING),
            pages: Pace::new(limits::PAGE_EVERY),
        }
    }

    /// Waits for a turn to do something dear.
    ///
    /// # Errors
    /// When too many wait already.
    pub(crate) async fn turn(&self) -> Result<turns::Turn> {
        self.turns.next().await
    }

    /// Waits for a turn to import a record.
    ///
    /// # Errors
    /// When too many wait already.
    pub(crate) async fn import_turn(&self) -> Result<turns::Turn> {
        self.imports.next().await
    }

    /// The same for reading a log of so many events, unless that is no more than a page.
    ///
    /// # Errors
    /// When too many wait already.
    pub(crate) async fn turn_for(&self, events: u64) -> Result<Option<turns::Turn>> {
        if events <= LOG_PAGE as u64 { Ok(None) } else { self.turn().await.map(Some) }
    }

    /// Waits until a stream that is far behind may have its next page of a log.
    pub(crate) async fn page_is_due(&self) {
        self.pages.next().await;
    }

    /// The acts of a game up to an event, as everybody may read them.
    pub(crate) async fn acts(&self, game: GameId, until: u64) -> Result<Vec<PlayedAct>> {
        self.with_sheet(game, until, acts_of).await
    }

    /// What somebody makes of the acts of a game up to an event.
    async fn with_sheet<T>(&self, game: GameId, until: u64, make: impl FnOnce(&Sheet) -> T) -> Result<T> {
        let Ok(shared) = self
            .sheets
            .get_or_insert_with(&game, || Ok::<_, std::convert::Infallible>(SharedSheet::default()));
        let mut sheet = shared.sheet.lock().await;
        if sheet.sequence() > until {
            drop(sheet);
            // Somebody sees the game later than others do, or was slow to ask.
            if let Some(delayed) = self.delayed.get(&game) {
                let delayed = delayed.lock().await;
                if delayed.replay.sequence() == until {
                    return Ok(make(delayed.replay.sheet()));
                }
            }
            let _turn = self.turn_for(until).await?;
            return Ok(make(log::replay(self.database.read(), game, until).await?.sheet()));
        }
        if sheet.sequence() < until {
            self.bring_up_to(&mut sheet, game, until).await?;
            // It weighs more now.
            self.sheets.insert(game, SharedSheet { sheet: Arc::clone(&shared.sheet), bytes: sheet.bytes() });
        }
        Ok(make(&sheet))
    }

    async fn bring_up_to(&self, sheet: &mut Sheet, game: GameId, until: u64) -> Result<()> {
        let _turn = self.turn_for(until - sheet.sequence()).await?;
        while sheet.sequence() < until {
            let page = log::page(self.database.read(), game, sheet.sequence()).await?;
            if page.is_empty() {
                // It has been deleted meanwhile.
                return Err(Error::UnknownGame);
            }
            page.iter().take_while(|event| event.sequence <= until).for_each(|event| sheet.take(event));
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// The headers of games, in their order; those that are known need not be read.
    pub(crate) async fn headers(&self, games: &[Entry]) -> Result<Vec<Arc<Listed>>> {
        let known = |entry: &Entry| {
            self.headers.get(&entry.place.game()).filter(|header| header.sequence == entry.last)
        };
        let mut found: HashMap<GameId, Arc<Listed>> =
            games.iter().filter_map(known).map(|header| (header.info.id, header)).collect();
        let unknown: Vec<Entry> =
            games.iter().filter(|entry| !found.contains_key(&entry.place.game())).copied().collect();
        for (id, header) in lists::headers(self.database.read(), &unknown).await? {
            let header = Arc::new(Listed::from(header));
            self.headers.insert(id, Arc::clone(&header));
            found.insert(id, header);
        }
        Ok(games.iter().filter_map(|entry| found.remove(&entry.place.game())).collect())
    }

    /// Forgets a game that is no more.
    pub(crate) fn forget(&self, game: GameId) {
        self.sheets.remove(&game);
        self.delayed.remove(&game);
        self.headers.remove(&game);
        self.finished.remove(&game);
        self.answers.retain(|(id, ..), _| *id != game);
    }
}
