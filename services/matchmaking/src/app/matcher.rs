//! Pairing those who wait.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chassis::{
    id::{GameId, TicketId},
    time::to_micros,
};
use live::Cursor;
use matching::Pair;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{Tickets, sweep::sweep};
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

/// What a replica knows of who waits.
#[derive(Debug)]
struct Progress {
    mirror: Mirror,
    /// Up to where the mirror has heard.
    place: Cursor,
    /// When who waits was last read anew.
    read_at: OffsetDateTime,
    /// Until when this replica may pair in which pool.
    turns: HashMap<Arc<str>, OffsetDateTime>,
}

impl Matcher {
    /// A matcher of these tickets.
    pub(super) fn new(tickets: Arc<Tickets>) -> Self {
        let progress = Arc::new(Mutex::new(Progress::none(tickets.env.now())));
        Matcher { tickets, progress }
    }

    /// Pairs whoever is due, as long as somebody is about to be.
    pub(super) async fn run(self) -> Result<(), Error> {
        let timings = self.tickets.timings;
        let mut progress = self.progress.lock().await;
        loop {
            if let Err(error) = self.pass(&mut progress).await {
                // What became of pairs that were proposed is not known: all is read anew.
                *progress = Progress::none(self.tickets.env.now());
                return Err(error);
            }
            // Arrivals in the pause are paired together: fewer round trips in a flood.
            tokio::time::sleep(timings.pause).await;
            let now = micros(self.tickets.env.now());
            let due = progress.mirror.next_due().map(|at| Duration::from_micros(at.saturating_sub(now)));
            let Some(soon) = due.filter(|due| *due < timings.pass) else { return Ok(()) };
            let called = tokio::time::timeout(soon, self.tickets.arrived.notified());
            if self.tickets.stop.run_until_cancelled(called).await.is_none() {
                return Ok(());
            }
        }
    }

    async fn pass(&self, progress: &mut Progress) -> Result<(), Error> {
        self.catch_up(progress).await?;
        self.tickets.pool_stats.note_sizes(&progress.mirror.sizes());
        for pool in progress.mirror.due_pools(micros(self.tickets.env.now())) {
            if self.has_turn(progress, &pool).await? {
                self.pair(progress, &pool).await?;
            } else {
                progress.mirror.rest(&pool, micros(self.tickets.env.now() + REST));
            }
        }
        Ok(())
    }

    /// Hears what happened to tickets since it last did.
    async fn catch_up(&self, progress: &mut Progress) -> Result<(), Error> {
        loop {
            match self.tickets.queue.news(progress.place).await? {
                News::Known(moves, place, has_more) => {
                    for moved in moves {
                        let is_foreign =
                            matches!(&moved, Moved::Waits(waiting) if !is_known(progress, waiting));
                        if !is_foreign {
                            progress.mirror.note(moved);
                        }
                    }
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
        if self.tickets.env.now() >= progress.read_at + REREAD {
            self.read_anew(progress).await?;
        }
        Ok(())
    }

    async fn read_anew(&self, progress: &mut Progress) -> Result<(), Error> {
        let mut waiting = self.tickets.queue.waiting().await?;
        waiting.retain(|waiting| is_known(progress, waiting));
        let now = self.tickets.env.now();
        progress.mirror.correct(waiting);
        progress.mirror.forget(micros(now), FORGOTTEN);
        progress.turns.retain(|_, until| *until > now);
        progress.read_at = now;
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

    async fn pair(&self, progress: &mut Progress, pool: &str) -> Result<(), Error> {
        let now = self.tickets.env.now();
        let pairs = progress.mirror.due(pool, micros(now));
        let proposals: Vec<(GameId, [TicketId; 2])> = pairs
            .iter()
            .map(|pair| (self.tickets.env.uuid().into(), pair.map(|(ticket, _)| ticket)))
            .collect();
        let taken = self.tickets.queue.take(pool, &proposals, now).await?;
        let (taken, refused): (Vec<_>, Vec<_>) = pairs.into_iter().zip(taken).partition(|(_, taken)| *taken);
        if !taken.is_empty() {
            self.tickets.paired.notify_one();
            let seekers = taken.iter().flat_map(|(pair, _)| pair).map(|(_, seeker)| seeker);
            let waits = seekers.map(|seeker| Duration::from_micros(micros(now).saturating_sub(seeker.since)));
            self.tickets.pool_stats.note_waits(pool, waits);
        }
        if !refused.is_empty() {
            self.take_back(progress, refused.into_iter().map(|(pair, _)| pair)).await?;
        }
        Ok(())
    }

    /// Has those of refused pairs wait on who still do.
    async fn take_back(
        &self,
        progress: &mut Progress,
        pairs: impl Iterator<Item = Pair<TicketId>>,
    ) -> Result<(), Error> {
        // Whom nobody holds is gone now, not in a while: he would be proposed again and again.
        sweep(Arc::clone(&self.tickets)).await?;
        for (ticket, _) in pairs.flatten() {
            if let Some(waiting) = self.tickets.queue.still_waits(ticket).await? {
                progress.mirror.note(Moved::Waits(waiting));
            }
        }
        Ok(())
    }
}

impl Progress {
    /// Nothing was heard of yet.
    fn none(now: OffsetDateTime) -> Self {
        Progress { mirror: Mirror::default(), place: Cursor::START, read_at: now, turns: HashMap::new() }
    }
}

/// Whether a ticket is for games that this version knows.
fn is_known(progress: &Progress, waiting: &Waiting) -> bool {
    let is_known = progress.mirror.knows(&waiting.pool) || waiting.pool.parse::<Settings>().is_ok();
    if !is_known {
        let pool = &*waiting.pool;
        tracing::warn!(pool, "a pool of games that this version does not know is left alone");
    }
    is_known
}

fn micros(moment: OffsetDateTime) -> u64 {
    u64::try_from(to_micros(moment)).unwrap_or_default()
}
