//! Pairing those who wait.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chassis::id::{GameId, TicketId};
use live::Cursor;
use matching::Pair;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{Tickets, micros, sweep::sweep};
use crate::{
    core::{Mirror, Moved, Settings, Waiting},
    error::Error,
    store::News,
};

/// How long a replica keeps a pool to itself unless it pairs in it again. Nothing rests on it but that replicas do not
/// propose the same pairs.
const LEASE: Duration = Duration::from_secs(2);
/// How long a pool is left alone that another replica keeps to itself: it is taken over soon after that one has ceased.
const REST: Duration = Duration::from_millis(500);
/// How often who waits is read anew: a live state that fails over may lose what it has told already.
const REREAD: Duration = Duration::from_mins(1);
/// How few come a second to an empty pool when it is forgotten: about nobody in two minutes.
const FORGOTTEN: f64 = 0.001;

/// Pairs tickets, and leaves the pairs to the creator of games.
#[derive(Clone)]
pub(super) struct Matcher {
    tickets: Arc<Tickets>,
    progress: Arc<Mutex<Progress>>,
}

/// How far a replica has come.
#[derive(Debug)]
struct Progress {
    /// Up to where the mirror has heard.
    place: Cursor,
    /// When who waits is to be read anew.
    reread_at: OffsetDateTime,
    /// Until when this replica may pair in which pool.
    turns: HashMap<Arc<str>, OffsetDateTime>,
}

impl Matcher {
    /// A matcher of these tickets.
    pub(super) fn new(tickets: Arc<Tickets>) -> Self {
        let reread_at = tickets.env.now() + REREAD;
        let progress = Progress { place: Cursor::START, reread_at, turns: HashMap::new() };
        Matcher { tickets, progress: Arc::new(Mutex::new(progress)) }
    }

    /// Pairs whoever is due, as long as somebody is about to be.
    pub(super) async fn run(self) -> Result<(), Error> {
        let timings = self.tickets.timings;
        let mut progress = self.progress.lock().await;
        loop {
            if let Err(error) = self.pass(&mut progress).await {
                // What became of pairs that were proposed is not known.
                progress.reread_at = self.tickets.env.now();
                return Err(error);
            }
            // Arrivals in the pause are paired together: fewer round trips in a flood.
            tokio::time::sleep(timings.pause).await;
            let now = micros(self.tickets.env.now());
            let due = self.tickets.mirror.lock().next_due();
            let due = due.map(|at| Duration::from_micros(at.saturating_sub(now)));
            let Some(soon) = due.filter(|due| *due < timings.pass) else { return Ok(()) };
            let called = tokio::time::timeout(soon, self.tickets.arrived.notified());
            if self.tickets.stop.run_until_cancelled(called).await.is_none() {
                return Ok(());
            }
        }
    }

    async fn pass(&self, progress: &mut Progress) -> Result<(), Error> {
        self.catch_up(progress).await?;
        let due = self.tickets.mirror.lock().due_pools(micros(self.tickets.env.now()));
        for pool in due {
            if self.has_turn(progress, &pool).await? {
                self.pair(&pool).await?;
            } else {
                let until = micros(self.tickets.env.now() + REST);
                self.tickets.mirror.lock().rest(&pool, until);
            }
        }
        Ok(())
    }

    /// Hears what happened to tickets since it last did.
    async fn catch_up(&self, progress: &mut Progress) -> Result<(), Error> {
        loop {
            match self.tickets.queue.news(progress.place).await? {
                News::Known(moves, place, has_more) => {
                    let mut mirror = self.tickets.mirror.lock();
                    for moved in moves {
                        let is_foreign =
                            matches!(&moved, Moved::Waits(waiting) if !is_known(&mirror, waiting));
                        if !is_foreign {
                            mirror.note(moved);
                        }
                    }
                    drop(mirror);
                    progress.place = place;
                    if !has_more {
                        break;
                    }
                }
                News::Lost(place) => {
                    progress.place = place;
                    self.read_anew(progress).await?;
                }
            }
        }
        if self.tickets.env.now() >= progress.reread_at {
            self.read_anew(progress).await?;
        }
        Ok(())
    }

    async fn read_anew(&self, progress: &mut Progress) -> Result<(), Error> {
        let mut waiting = self.tickets.queue.waiting().await?;
        let now = self.tickets.env.now();
        let mut mirror = self.tickets.mirror.lock();
        waiting.retain(|waiting| is_known(&mirror, waiting));
        mirror.correct(waiting);
        mirror.forget(micros(now), FORGOTTEN);
        drop(mirror);
        progress.turns.retain(|_, until| *until > now);
        progress.reread_at = now + REREAD;
        Ok(())
    }

    /// Whether this replica may pair in a pool now.
    async fn has_turn(&self, progress: &mut Progress, pool: &Arc<str>) -> Result<bool, Error> {
        let now = self.tickets.env.now();
        if progress.turns.get(pool).is_some_and(|until| *until > now + LEASE / 2) {
            return Ok(true);
        }
        let has_turn = self.tickets.queue.lease_pool(pool, now, LEASE).await?;
        if has_turn {
            progress.turns.insert(Arc::clone(pool), now + LEASE);
        } else {
            progress.turns.remove(pool);
        }
        Ok(has_turn)
    }

    async fn pair(&self, pool: &str) -> Result<(), Error> {
        let now = self.tickets.env.now();
        let pairs = self.tickets.mirror.lock().due(pool, micros(now));
        let proposals: Vec<(GameId, [TicketId; 2])> = pairs
            .iter()
            .map(|pair| (self.tickets.env.uuid().into(), pair.map(|(ticket, _)| ticket)))
            .collect();
        let taken = self.tickets.queue.take(pool, &proposals, now).await?;
        if taken.contains(&true) {
            self.tickets.paired.notify_one();
        }
        let refused = pairs.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(pair, _)| pair);
        self.take_back(refused.collect()).await
    }

    /// Has those of refused pairs wait on who still do.
    async fn take_back(&self, pairs: Vec<Pair<TicketId>>) -> Result<(), Error> {
        if pairs.is_empty() {
            return Ok(());
        }
        // Whom nobody holds is gone now, not in a while: he would be proposed again and again.
        sweep(Arc::clone(&self.tickets)).await?;
        for (ticket, _) in pairs.into_iter().flatten() {
            if let Some(waiting) = self.tickets.queue.still_waits(ticket).await? {
                self.tickets.mirror.lock().note(Moved::Waits(waiting));
            }
        }
        Ok(())
    }
}

/// Whether a ticket is for games that this version knows.
fn is_known(mirror: &Mirror, waiting: &Waiting) -> bool {
    let is_known = mirror.knows(&waiting.pool) || waiting.pool.parse::<Settings>().is_ok();
    if !is_known {
        let pool = &*waiting.pool;
        tracing::warn!(pool, "a pool of games that this version does not know is left alone");
    }
    is_known
}
