//! Games that are entered though nobody asks about them: because something is due in them, because it is not known what
//! of them was written, or because nobody could act for a while.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use chassis::id::GameId;
use futures::{
    StreamExt as _,
    stream::{self, FuturesUnordered},
};

use super::registry::Registry;
use crate::store::lists;

/// How often it is looked whether anything is due.
pub(crate) const LOOK: Duration = Duration::from_secs(1);
/// Games that are looked after at one look.
const LOOK_MAX: u64 = 500;
/// Games that are entered at the same time: as many as keep the clocks and the journal busy, so that one that is slow
/// holds up no other, and few enough to leave the connections of the database to those who play.
const VISITS_AT_ONCE: usize = 32;
/// Running games read at a time.
const RUNNING_PAGE: u64 = 500;

impl Registry {
    /// Does what is due, in every game in which anything is, until the service stops. Each game is under way once at
    /// most, however often it is found, and the slow ones hold up no other.
    pub(crate) async fn visit_due(self: Arc<Self>) {
        let stop = self.lifecycle.stopping();
        let mut looks = tokio::time::interval_at(tokio::time::Instant::now() + LOOK, LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (mut known, mut waiting) = (BTreeSet::new(), VecDeque::new());
        let mut visits = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(id) = visits.next() => {
                    known.remove(&id);
                }
                _tick = looks.tick() => {
                    waiting.extend(self.due_now().await.into_iter().filter(|id| known.insert(*id)));
                }
            }
            while visits.len() < VISITS_AT_ONCE
                && let Some(id) = waiting.pop_front()
            {
                visits.push(self.touch_one(id));
            }
        }
        // What is written is also told.
        visits.for_each(|_| std::future::ready(())).await;
    }

    async fn due_now(&self) -> Vec<GameId> {
        let due = lists::due_by(self.database.read(), self.env.now(), LOOK_MAX).await;
        due.inspect_err(|error| tracing::warn!(%error, "what is due could not be read")).unwrap_or_default()
    }

    async fn touch_one(&self, id: GameId) -> GameId {
        if let Err(error) = self.touch(id).await {
            tracing::warn!(game.id = %id, %error, "what is due was not done; it will be tried again");
        }
        id
    }

    /// Enters every running game, so that it is credited with the outages that it has not been given back, and rests while a
    /// maintenance is under way; whether they could be listed.
    pub(crate) async fn touch_all(&self) -> bool {
        let mut after = None;
        loop {
            let page = match lists::running(self.database.read(), after, RUNNING_PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(%error, "running games could not be listed; what is owed to them is done when they are entered");
                    return false;
                }
            };
            let Some(last) = page.last() else { return true };
            after = Some(last.place);
            stream::iter(page)
                .for_each_concurrent(VISITS_AT_ONCE, |entry| async move {
                    let id = entry.place.game();
                    if let Err(error) = self.touch(id).await {
                        tracing::warn!(game.id = %id, %error, "what is owed to a game was not done; it is when it is entered");
                    }
                })
                .await;
        }
    }
}
