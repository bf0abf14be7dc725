//! Who waits, as one replica knows it from what it has heard.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use chassis::id::TicketId;
use matching::{Arrivals, Pair, Pool, Seeker, points_a_second};

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
    Left(TicketId),
}

/// Nothing is between two but what their tickets say: who may not meet does not stand in one pool.
type Free = fn(TicketId, TicketId) -> Option<u32>;

/// Those who wait, by pool. Being told twice of the same changes nothing. All moments are in microseconds.
#[derive(Debug, Default)]
pub struct Mirror {
    pools: BTreeMap<Arc<str>, Waiters>,
    places: HashMap<TicketId, Arc<str>>,
}

#[derive(Debug)]
struct Waiters {
    pool: Pool<TicketId, Free>,
    arrivals: Arrivals,
    /// Until when the pool is somebody else's.
    rests_until: u64,
}

impl Mirror {
    /// Takes note of what happened.
    pub fn note(&mut self, moved: Moved) {
        match moved {
            Moved::Waits(waiting) => self.enter(waiting),
            Moved::Left(ticket) => self.leave(ticket),
        }
    }

    /// Has just these wait: whoever else was thought to has left, and whoever is missing comes.
    pub fn correct(&mut self, waiting: Vec<Waiting>) {
        let there: HashSet<TicketId> = waiting.iter().map(|waiting| waiting.ticket).collect();
        let gone: Vec<TicketId> =
            self.places.keys().filter(|ticket| !there.contains(ticket)).copied().collect();
        for ticket in gone {
            self.leave(ticket);
        }
        for waiting in waiting {
            self.enter(waiting);
        }
    }

    /// Whether anybody has waited in a pool since it was last empty for long.
    pub fn knows(&self, pool: &str) -> bool {
        self.pools.contains_key(pool)
    }

    /// The pools in which somebody waits, by name, and how many.
    pub fn sizes(&self) -> Vec<(String, u32)> {
        let sizes = self.pools.iter().filter(|(_, waiters)| !waiters.pool.is_empty());
        sizes
            .map(|(name, waiters)| (name.to_string(), u32::try_from(waiters.pool.len()).unwrap_or(u32::MAX)))
            .collect()
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

    /// The pairs of a pool that are due at a moment. They wait no more.
    pub fn due(&mut self, pool: &str, now: u64) -> Vec<Pair<TicketId>> {
        let Some(waiters) = self.pools.get_mut(pool) else { return Vec::new() };
        waiters.pool.value(points_a_second(waiters.arrivals.a_second(now)));
        let pairs = waiters.pool.due(now);
        for (ticket, _) in pairs.iter().flatten() {
            self.places.remove(ticket);
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
        if self.places.contains_key(&ticket) {
            return;
        }
        let name = match self.pools.get_key_value(&*pool) {
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(pool),
        };
        let waiters = self.pools.entry(Arc::clone(&name)).or_insert_with(Waiters::none);
        waiters.arrivals.note(seeker.since);
        waiters.pool.value(points_a_second(waiters.arrivals.a_second(seeker.since)));
        waiters.pool.insert(ticket, seeker);
        self.places.insert(ticket, name);
    }

    fn leave(&mut self, ticket: TicketId) {
        let Some(pool) = self.places.remove(&ticket) else { return };
        if let Some(waiters) = self.pools.get_mut(&pool) {
            waiters.pool.remove(&ticket);
        }
    }
}

impl Waiters {
    fn none() -> Self {
        let free: Free = |_, _| Some(0);
        Waiters { pool: Pool::new(points_a_second(0.0), free), arrivals: Arrivals::default(), rests_until: 0 }
    }

    fn next_due(&mut self) -> Option<u64> {
        self.pool.next_due().map(|at| at.max(self.rests_until))
    }
}
