//! Who waits, as one replica knows it from what it has heard.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use chassis::id::TicketId;
use matching::{Arrivals, Estimate, Forecast, Pair, Pool, Promise, Seeker, points_a_second};

#[cfg(test)]
mod tests;

/// A ticket that waits, as far as it matters to pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub ticket: TicketId,
    /// Where.
    pub pool: String,
    /// What it stands for.
    pub seeker: Seeker,
}

/// What happened to a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// It waits from now on.
    Waits(Waiting),
    /// It waits no more.
    Left {
        /// Which.
        ticket: TicketId,
        /// Since when, if it has an opponent; nothing if it was withdrawn or nobody held it.
        matched_at: Option<u64>,
    },
}

/// What somebody who waits has to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// How many wait where he does, he included.
    pub pool_size: u32,
    /// How long he will still wait; nothing where too little is known.
    pub estimate: Option<Estimate>,
}

/// Nothing is between two but what their tickets say: who may not meet does not stand in one pool.
type Free = fn(TicketId, TicketId) -> Option<u32>;

/// Those who wait, by pool. Being told twice of the same changes nothing. All moments are in microseconds.
#[derive(Debug, Default)]
pub struct Mirror {
    pools: BTreeMap<Arc<str>, Waiters>,
    places: HashMap<TicketId, Place>,
}

/// Where a ticket stands that is not known to have left.
#[derive(Debug)]
struct Place {
    pool: Arc<str>,
    promise: Promise,
    /// Whether it may be paired: it is not part of a pair that was proposed.
    is_free: bool,
}

#[derive(Debug)]
struct Waiters {
    pool: Pool<TicketId, Free>,
    arrivals: Arrivals,
    forecast: Forecast,
    /// Until when the pool is somebody else's.
    rests_until: u64,
}

impl Mirror {
    /// Takes note of what happened.
    pub fn note(&mut self, moved: Moved) {
        match moved {
            Moved::Waits(waiting) => self.enter(waiting),
            Moved::Left { ticket, matched_at } => self.leave(ticket, matched_at),
        }
    }

    /// Has just these wait: whoever else was thought to has left, and whoever is missing comes.
    pub fn correct(&mut self, waiting: Vec<Waiting>) {
        let there: HashSet<TicketId> = waiting.iter().map(|waiting| waiting.ticket).collect();
        let gone: Vec<TicketId> =
            self.places.keys().filter(|ticket| !there.contains(ticket)).copied().collect();
        for ticket in gone {
            self.leave(ticket, None);
        }
        for waiting in waiting {
            self.enter(waiting);
        }
    }

    /// Whether anybody has waited in a pool since it was last empty for long.
    pub fn knows(&self, pool: &str) -> bool {
        self.pools.contains_key(pool)
    }

    /// What a ticket of somebody's with a rating has to expect at a moment in a pool, also one that was not heard of yet.
    pub fn outlook(&self, ticket: TicketId, pool: &str, rating: i32, now: u64) -> Outlook {
        let Some(waiters) = self.pools.get(pool) else { return Outlook { pool_size: 1, estimate: None } };
        let points = points_a_second(waiters.arrivals.a_second(now));
        let promise = match self.places.get(&ticket) {
            Some(place) => place.promise,
            None => waiters.forecast.promise(rating, now, points),
        };
        Outlook {
            pool_size: u32::try_from(waiters.pool.len()).unwrap_or(u32::MAX).max(1),
            estimate: waiters.forecast.estimate(&promise, now),
        }
    }

    /// The moment at which a pair may be due next in any pool; none where nobody can be paired.
    pub fn next_due(&mut self) -> Option<u64> {
        self.pools.values_mut().filter_map(Waiters::next_due).min()
    }

    /// The pools in which a pair may be due at a moment.
    pub fn due_pools(&mut self, now: u64) -> Vec<Arc<str>> {
        let due = self.pools.iter_mut().filter_map(|(name, waiters)| Some((name, waiters.next_due()?)));
        due.filter(|(_, at)| *at <= now).map(|(name, _)| Arc::clone(name)).collect()
    }

    /// The pairs of a pool that are due at a moment. They are paired with nobody else until they are said to wait.
    pub fn due(&mut self, pool: &str, now: u64) -> Vec<Pair<TicketId>> {
        let Some(waiters) = self.pools.get_mut(pool) else { return Vec::new() };
        waiters.pool.value(points_a_second(waiters.arrivals.a_second(now)));
        let pairs = waiters.pool.due(now);
        for (ticket, _) in pairs.iter().flatten() {
            if let Some(place) = self.places.get_mut(ticket) {
                place.is_free = false;
            }
        }
        pairs
    }

    /// Leaves a pool to somebody else until a moment.
    pub fn rest(&mut self, pool: &str, until: u64) {
        if let Some(waiters) = self.pools.get_mut(pool) {
            waiters.rests_until = until;
        }
    }

    /// Forgets the pools in which nobody waits and lately nobody came: so many a second at most.
    pub fn forget(&mut self, now: u64, arrivals: f64) {
        self.pools.retain(|_, waiters| !waiters.pool.is_empty() || waiters.arrivals.a_second(now) > arrivals);
    }

    fn enter(&mut self, Waiting { ticket, pool, seeker }: Waiting) {
        if let Some(place) = self.places.get_mut(&ticket) {
            if !place.is_free
                && let Some(waiters) = self.pools.get_mut(&place.pool)
            {
                place.is_free = true;
                waiters.pool.insert(ticket, seeker);
            }
            return;
        }
        let name = match self.pools.get_key_value(&*pool) {
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(pool),
        };
        let waiters = self.pools.entry(Arc::clone(&name)).or_insert_with(Waiters::none);
        waiters.arrivals.note(seeker.since);
        let points = points_a_second(waiters.arrivals.a_second(seeker.since));
        waiters.pool.value(points);
        waiters.pool.insert(ticket, seeker);
        let promise = waiters.forecast.arrives(seeker.rating, seeker.since, points);
        self.places.insert(ticket, Place { pool: name, promise, is_free: true });
    }

    fn leave(&mut self, ticket: TicketId, matched_at: Option<u64>) {
        let Some(Place { pool, promise, .. }) = self.places.remove(&ticket) else { return };
        let Some(waiters) = self.pools.get_mut(&pool) else { return };
        waiters.pool.remove(&ticket);
        if let Some(at) = matched_at {
            waiters.forecast.settle(&promise, at);
        }
    }
}

impl Waiters {
    fn none() -> Self {
        let free: Free = |_, _| Some(0);
        Waiters {
            pool: Pool::new(points_a_second(0.0), free),
            arrivals: Arrivals::default(),
            forecast: Forecast::default(),
            rests_until: 0,
        }
    }

    fn next_due(&mut self) -> Option<u64> {
        self.pool.next_due().map(|at| at.max(self.rests_until))
    }
}
