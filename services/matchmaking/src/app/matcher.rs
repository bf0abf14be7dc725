//! Pairing those who wait.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chassis::id::TicketId;
use live::Cursor;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{Tickets, micros, sweep::sweep};
use crate::{
    core::{Mirror, Moved, Settings, Waiting},
    error::Error,
    store::{News, Proposal},
};

/// How long a replica is there after it has last said so; it says so three times as often. Nothing rests on it but that replicas
/// do not propose the same pairs, and that somebody does.
const PRESENCE: Duration = Duration::from_secs(3);
/// How long a pool is left alone that another replica pairs in: it is taken over soon after that one has ceased.
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
    /// When the others are to be met again.
    meet_at: OffsetDateTime,
}

impl Matcher {
    /// A matcher of these tickets.
    pub(super) fn new(tickets: Arc<Tickets>) -> Self {
        let now = tickets.env.now();
        let (reread_at, meet_at) = (now + REREAD, now);
        let progress = Progress { place: Cursor::START, reread_at, meet_at };
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
            let called = tokio::time::timeout(soon, self.tickets.arrivals.here.notified());
            if self.tickets.stop.run_until_cancelled(called).await.is_none() {
                return Ok(());
            }
        }
    }

    async fn pass(&self, progress: &mut Progress) -> Result<(), Error> {
        self.catch_up(progress).await?;
        let now = self.tickets.env.now();
        self.meet(progress, now).await?;
        let mut pairs: Vec<(Arc<str>, [TicketId; 2])> = Vec::new();
        {
            let peers = self.tickets.arrivals.peers();
            let mut mirror = self.tickets.mirror.lock();
            for pool in mirror.due_pools(micros(now)) {
                if peers.is_mine(&pool) {
                    let due = mirror.due(&pool, micros(now));
                    pairs.extend(due.into_iter().map(|pair| (Arc::clone(&pool), pair)));
                } else {
                    mirror.rest(&pool, micros(now + REST));
                }
            }
        }
        self.propose(pairs, now).await
    }

    /// Says that this replica pairs, and hears who else does, now and then.
    async fn meet(&self, progress: &mut Progress, now: OffsetDateTime) -> Result<(), Error> {
        if now >= progress.meet_at {
            self.tickets.arrivals.meet(self.tickets.queue.meet(now, now + PRESENCE).await?);
            progress.meet_at = now + PRESENCE / 3;
        }
        Ok(())
    }

    /// Hears what happened to tickets since it last did.
    async fn catch_up(&self, progress: &mut Progress) -> Result<(), Error> {
        loop {
            match self.tickets.queue.news(progress.place).await? {
                News::Known(moves, place, has_more) => {
                    let owner = |moved: &Moved| match moved {
                        Moved::Waits(waiting) => Some(waiting.owner),
                        Moved::Left { .. } => None,
                    };
                    self.tickets.learn_blocks(moves.iter().filter_map(owner).collect()).await?;
                    let mut mirror = self.tickets.mirror.lock();
                    self.tickets.followers.wake(moves.iter().filter_map(|moved| mirror.owner_of(moved)));
                    for moved in moves {
                        match moved {
                            Moved::Waits(waiting) => {
                                if let Some(waiting) = known(&mirror, waiting) {
                                    mirror.note(Moved::Waits(waiting));
                                }
                            }
                            left @ Moved::Left { .. } => mirror.note(left),
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
        let waiting = self.tickets.queue.waiting().await?;
        self.tickets.learn_blocks(waiting.iter().map(|waiting| waiting.owner).collect()).await?;
        let now = self.tickets.env.now();
        let mut mirror = self.tickets.mirror.lock();
        let waiting = waiting.into_iter().filter_map(|waiting| known(&mirror, waiting)).collect();
        mirror.correct(waiting);
        mirror.forget(micros(now), FORGOTTEN);
        drop(mirror);
        progress.reread_at = now + REREAD;
        Ok(())
    }

    async fn propose(&self, pairs: Vec<(Arc<str>, [TicketId; 2])>, now: OffsetDateTime) -> Result<(), Error> {
        if pairs.is_empty() {
            return Ok(());
        }
        let proposal = |(pool, tickets): &(Arc<str>, [TicketId; 2])| Proposal {
            game: self.tickets.env.uuid().into(),
            pool: Arc::clone(pool),
            tickets: *tickets,
        };
        let proposals: Vec<Proposal> = pairs.iter().map(proposal).collect();
        let taken = self.tickets.queue.take(&proposals, now).await?;
        self.count(&pairs, &taken, now);
        if taken.contains(&true) {
            self.tickets.paired.notify_one();
        }
        let refused = pairs.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|((_, pair), _)| pair);
        self.take_back(refused.collect()).await
    }

    /// Counts what has become of proposed pairs.
    fn count(&self, pairs: &[(Arc<str>, [TicketId; 2])], taken: &[bool], now: OffsetDateTime) {
        let (made, lost) = (taken.len() as u64, taken.iter().filter(|taken| !**taken).count() as u64);
        self.tickets.proposals.count(made, lost);
        self.tickets.measures.proposed(made, lost);
        let (mirror, now) = (self.tickets.mirror.lock(), micros(now));
        for ((pool, pair), _) in pairs.iter().zip(taken).filter(|(_, taken)| **taken) {
            for since in pair.iter().filter_map(|ticket| mirror.since(*ticket)) {
                self.tickets.measures.paired(pool, now.saturating_sub(since));
            }
        }
    }

    /// Has those of refused pairs wait on who still do.
    async fn take_back(&self, pairs: Vec<[TicketId; 2]>) -> Result<(), Error> {
        if pairs.is_empty() {
            return Ok(());
        }
        // Whom nobody holds is gone now, not in a while: he would be proposed again and again.
        sweep(Arc::clone(&self.tickets)).await?;
        for ticket in pairs.into_iter().flatten() {
            if let Some(waiting) = self.tickets.queue.still_waits(ticket).await? {
                self.tickets.mirror.lock().note(Moved::Waits(waiting));
            }
        }
        Ok(())
    }
}

/// How many pairs a replica has proposed, and how many of them somebody else was faster with: a ticket of theirs had left.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    made: AtomicU64,
    lost: AtomicU64,
}

/// How often it is said.
pub(super) const SAID: Duration = Duration::from_mins(1);

impl Proposals {
    fn count(&self, made: u64, lost: u64) {
        self.made.fetch_add(made, Ordering::Relaxed);
        self.lost.fetch_add(lost, Ordering::Relaxed);
    }

    /// Says in the log how many there were since it was last said, if there were any.
    pub(super) fn say(&self) {
        let (made, lost) = (self.made.swap(0, Ordering::Relaxed), self.lost.swap(0, Ordering::Relaxed));
        if made > 0 {
            tracing::info!(made, lost, "pairs were proposed");
        }
    }
}

/// Has others pair instead of this replica when it is about to stop.
pub(super) async fn part(tickets: &Tickets) {
    tickets.stop.cancelled().await;
    tickets.proposals.say();
    if let Err(error) = tickets.queue.part().await {
        tracing::debug!(%error, "others will see by themselves that this replica pairs no more");
    }
}

/// A ticket as far as it is for games that this version knows; nothing if it is for none.
fn known(mirror: &Mirror, mut waiting: Waiting) -> Option<Waiting> {
    waiting.choices.retain(|(pool, _)| {
        let is_known = mirror.knows(pool) || pool.parse::<Settings>().is_ok();
        if !is_known {
            tracing::warn!(pool, "a pool of games that this version does not know is left alone");
        }
        is_known
    });
    (!waiting.choices.is_empty()).then_some(waiting)
}
