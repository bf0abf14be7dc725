//! Whole-history ratings of small pools: worked out anew in the background where something has changed.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chassis::{Database, Env, database::StoreError, id::AccountId};
use parking_lot::Mutex;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::{
    core::{
        advantage::Advantages,
        category::Category,
        game::Game,
        whole_history::{GAMES_MAX, PLAYERS_MAX, Point, SETTLED, SWEEPS_MAX, Unsettled, WholeHistory},
    },
    store::{self, rating::Mark},
};

/// How often it is looked where something has changed: it is a rating for the long run.
pub(crate) const WORKED_OUT: Duration = Duration::from_mins(10);

/// The histories of small pools; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct WholeHistories {
    env: Env,
    database: Database,
    stop: CancellationToken,
    /// There are no more categories than games were rated for.
    known: Arc<Mutex<HashMap<Category, Known>>>,
}

#[derive(Clone, Debug)]
struct Known {
    /// What the ratings were when the games were read: other games have come since if it is another now.
    mark: Mark,
    history: Arc<WholeHistory>,
}

impl WholeHistories {
    /// The histories of a database; none is known yet.
    pub(crate) fn new(env: Env, database: Database, stop: CancellationToken) -> Self {
        WholeHistories { env, database, stop, known: Arc::default() }
    }

    /// Where somebody stands now by all games of a category, and when these were read; `None` where he has not played, or the pool
    /// is not small.
    pub(crate) fn of(&self, category: &Category, account: AccountId) -> Option<(Point, OffsetDateTime)> {
        let history = self.history(category)?;
        Some((history.now(account, self.env.now())?, history.read()))
    }

    /// Where somebody stood on each day on which he played.
    pub(crate) fn curve(&self, category: &Category, account: AccountId) -> Vec<Point> {
        self.history(category).map(|history| history.curve(account).to_vec()).unwrap_or_default()
    }

    fn history(&self, category: &Category) -> Option<Arc<WholeHistory>> {
        self.known.lock().get(category).map(|known| Arc::clone(&known.history))
    }

    /// Works out anew where something has changed since it was last.
    ///
    /// # Errors
    /// When the database fails; the rest is worked out the next time.
    pub(crate) async fn work_out(self) -> Result<(), StoreError> {
        let on = self.database.read();
        let marks = store::rating::marks(on).await?;
        let advantages = Advantages::new(store::advantage::all(on).await?);
        self.known.lock().retain(|category, _| marks.get(category).is_some_and(Mark::is_small));
        for (category, mark) in marks {
            let is_known = self.known.lock().get(&category).is_some_and(|known| known.mark == mark);
            if is_known || !mark.is_small() || self.stop.is_cancelled() {
                continue;
            }
            let (read, games) = (self.env.now(), self.games(&category).await?);
            let Some(games) = games else {
                self.known.lock().remove(&category);
                continue;
            };
            let Some(history) = self.settle(&games, &advantages).await else { continue };
            let history = Arc::new(history.history(read));
            self.known.lock().insert(category, Known { mark, history });
        }
        Ok(())
    }

    /// All games of a category; `None` if there are too many.
    async fn games(&self, category: &Category) -> Result<Option<Vec<Game>>, StoreError> {
        let (mut games, mut after) = (Vec::new(), None);
        loop {
            let page = store::game::page(self.database.read(), Some(category), after).await?;
            let Some(last) = page.last() else { return Ok(Some(games)) };
            after = Some(last.place());
            games.extend(page);
            if games.len() > GAMES_MAX {
                return Ok(None);
            }
        }
    }

    /// The history of these games; `None` when it is to stop, or where there is none.
    async fn settle(&self, games: &[Game], advantages: &Advantages) -> Option<Unsettled> {
        let mut unsettled = match Unsettled::new(games, advantages) {
            Ok(unsettled) => unsettled,
            Err(error) => {
                tracing::error!(%error, "a whole history cannot be worked out");
                return None;
            }
        };
        let mut settling = unsettled.settling();
        for _ in 0..SWEEPS_MAX {
            if settling.sweep() <= SETTLED {
                break;
            }
            if self.stop.is_cancelled() {
                return None;
            }
            // A sweep takes some milliseconds at most: others have their turn in between.
            tokio::task::yield_now().await;
        }
        Some(unsettled)
    }
}

impl Mark {
    /// Whether so few play that their whole history is worked out.
    fn is_small(&self) -> bool {
        self.players <= i64::from(PLAYERS_MAX)
    }
}
