//! Where players stand among others: counted by points now and then, so that asking costs little however many there are.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chassis::{Database, Env, database::StoreError};
use parking_lot::Mutex;

use crate::{
    core::{
        category::Category,
        player_rating::{Key, PlayerRating},
        standing::{Histogram, Standing, points},
    },
    store,
};

/// How often players are counted anew where somebody asks: a game moves few of them, and by little.
pub(crate) const COUNTED: Duration = Duration::from_mins(1);
/// Counts that are older are not shown.
const OLDEST: Duration = Duration::from_mins(3);

/// The counts of each category; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    env: Env,
    database: Database,
    /// Of categories in which somebody has a rating: there are no more than games were rated for.
    counts: Arc<Mutex<HashMap<Category, Arc<Counts>>>>,
}

#[derive(Debug, Default)]
struct Counts {
    last: Mutex<Option<Last>>,
    /// Whoever counts holds it: others wait, and then need not.
    counting: tokio::sync::Mutex<()>,
}

#[derive(Clone, Debug)]
struct Last {
    histogram: Arc<Histogram>,
    /// Whether somebody asked since.
    asked: bool,
}

impl Standings {
    /// The standings of a database.
    pub(crate) fn new(env: Env, database: Database) -> Self {
        Standings { env, database, counts: Arc::default() }
    }

    /// Where a player stands whose rating is as it is now; `None` while that is provisional.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn of(&self, key: &Key, player: &PlayerRating) -> Result<Option<Standing>, StoreError> {
        if player.updated.is_none() || player.rating.is_provisional() {
            return Ok(None);
        }
        let histogram = self.histogram(&key.category).await?;
        let rating = player.rating.value();
        let between = (rating, f64::from(points(rating)) + 1.0);
        let on = self.database.read();
        let higher = store::rating::count_between(on, &key.category, between, self.env.now()).await?;
        Ok(Some(histogram.standing(rating, higher)))
    }

    /// The players of a category, counted not long ago.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn histogram(&self, category: &Category) -> Result<Arc<Histogram>, StoreError> {
        if let Some(known) = self.known(category) {
            return Ok(known);
        }
        let counts = self.counts.lock().get(category).cloned().unwrap_or_default();
        let _counting = counts.counting.lock().await;
        match self.known(category) {
            Some(known) => Ok(known),
            None => self.count(category, &counts).await,
        }
    }

    fn known(&self, category: &Category) -> Option<Arc<Histogram>> {
        let counts = self.counts.lock().get(category).cloned()?;
        let mut last = counts.last.lock();
        let last = last.as_mut().filter(|last| self.env.now() - last.histogram.counted() < OLDEST)?;
        last.asked = true;
        Some(Arc::clone(&last.histogram))
    }

    async fn count(&self, category: &Category, counts: &Arc<Counts>) -> Result<Arc<Histogram>, StoreError> {
        let now = self.env.now();
        let counted = store::rating::count(self.database.read(), category, now).await?;
        let histogram = Arc::new(Histogram::new(counted, now));
        // Nothing is kept of what nobody plays: anybody may ask for it by any name.
        if histogram.ranked() > 0 {
            *counts.last.lock() = Some(Last { histogram: Arc::clone(&histogram), asked: false });
            self.counts.lock().insert(category.clone(), Arc::clone(counts));
        }
        Ok(histogram)
    }

    /// Counts anew where somebody has asked since it was counted last.
    ///
    /// # Errors
    /// When the database fails; the rest is counted the next time.
    pub(crate) async fn count_anew(self) -> Result<(), StoreError> {
        let all: Vec<(Category, Arc<Counts>)> = self
            .counts
            .lock()
            .iter()
            .map(|(category, counts)| (category.clone(), Arc::clone(counts)))
            .collect();
        for (category, counts) in all {
            let asked = counts.last.lock().as_ref().is_some_and(|last| last.asked);
            if asked {
                let _counting = counts.counting.lock().await;
                self.count(&category, &counts).await?;
            }
        }
        Ok(())
    }
}
