//! Who waits, as one replica knows it from what it has heard.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    ops::Bound,
    sync::Arc,
};

use chassis::id::{AccountId, TicketId};
use matching::{Arrivals, Estimate, Forecast, Pair, Pool, Promise, Seeker, points_a_second};

use super::block::{Apart, who};

#[cfg(test)]
mod tests;

/// A ticket that waits, as far as it matters to pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub ticket: TicketId,
    /// Whose.
    pub owner: AccountId,
    /// Where, and what it stands for there; one place at least, and none twice.
    pub choices: Vec<(String, Seeker)>,
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
    /// How many wait where he does, he included: in the fullest of his pools.
    pub pool_size: u32,
    /// How long he will still wait; nothing where too little is known.
    pub estimate: Option<Estimate>,
}

/// A pool, and how many wait in it.
pub type PoolSize = (Arc<str>, u32);

/// The fullest pools that are told: more than anybody waits in himself.
const FULLEST: usize = 24;
/// How long they are told as they were, in microseconds.
const FULLEST_FOR: u64 = 1_000_000;

/// Those who wait, by pool. Being told twice of the same changes nothing. All moments are in microseconds.
#[derive(Debug, Default)]
pub struct Mirror {
    pools: BTreeMap<Arc<str>, Waiters>,
    places: HashMap<TicketId, Place>,
    apart: Apart,
    /// The fullest pools by the beginnings of their names, and until when they are told as they are here.
    fullest: HashMap<String, (u64, Vec<PoolSize>)>,
}

/// Where a ticket stands that is not known to have left.
#[derive(Debug)]
struct Place {
    /// Whose it is, by [`Seeker::who`].
    owner: u64,
    /// Its pools.
    pools: Box<[Arc<str>]>,
    /// By which of them it was told how long it will take.
    home: usize,
    /// What it was told.
    promise: Promise,
    /// Whether it may be paired: it is not part of a pair that was proposed.
    is_free: bool,
}

#[derive(Debug)]
struct Waiters {
    pool: Pool<TicketId, Apart>,
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

    /// Somebody who waits, or is about to, does not want to meet just these; all are named by [`Seeker::who`].
    pub fn block(&self, owner: u64, blocked: HashSet<u64>) {
        self.apart.set(owner, blocked);
    }

    /// The same of one more. Of who does not wait it is learnt when he does.
    pub fn block_another(&self, owner: u64, blocked: u64) {
        if self.places.values().any(|place| place.owner == owner) {
            self.apart.add(owner, blocked);
        }
    }

    /// Whose ticket it is that something happened to, by [`Seeker::who`], as far as is known.
    pub fn owner_of(&self, moved: &Moved) -> Option<u64> {
        match moved {
            Moved::Waits(waiting) => Some(who(waiting.owner)),
            Moved::Left { ticket, .. } => self.places.get(ticket).map(|place| place.owner),
        }
    }

    /// Whether anybody has waited in a pool since it was last empty for long.
    pub fn knows(&self, pool: &str) -> bool {
        self.pools.contains_key(pool)
    }

    /// What a ticket that waits since a moment has to expect at another, also one that was not heard of yet: with the rating of its
    /// owner in each of its pools. It is matched where that comes first.
    pub fn outlook<'a>(
        &self,
        ticket: TicketId,
        since: u64,
        choices: impl Iterator<Item = (&'a str, i32)>,
        now: u64,
    ) -> Outlook {
        let place = self.places.get(&ticket);
        let mut outlook = Outlook { pool_size: 1, estimate: None };
        for (pool, rating) in choices {
            let Some(waiters) = self.pools.get(pool) else { continue };
            let promise = match place {
                Some(place) if &*place.pools[place.home] == pool => place.promise,
                _ => waiters.forecast.promise(rating, since, waiters.points(now)),
            };
            outlook.pool_size = outlook.pool_size.max(waiters.size());
            outlook.estimate = sooner(outlook.estimate, waiters.forecast.estimate(&promise, now));
        }
        outlook
    }

    /// The pools in which somebody waits, of those whose names begin so, the fullest first, as they were within the last
    /// second: many ask, and there may be many pools.
    pub fn fullest(&mut self, prefix: &str, now: u64) -> Vec<PoolSize> {
        if let Some((until, pools)) = self.fullest.get(prefix)
            && now < *until
        {
            return pools.clone();
        }
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let pools = self.pools.range::<str, _>(from).take_while(|(name, _)| name.starts_with(prefix));
        let pools = pools.filter(|(_, waiters)| !waiters.pool.is_empty());
        let mut pools: Vec<PoolSize> =
            pools.map(|(name, waiters)| (Arc::clone(name), waiters.size())).collect();
        pools.sort_by_key(|(_, size)| Reverse(*size));
        pools.truncate(FULLEST);
        self.fullest.insert(prefix.to_owned(), (now + FULLEST_FOR, pools.clone()));
        pools
    }

    /// The moment at which a pair may be due next in any pool; none where nobody can be paired.
    pub fn next_due(&mut self) -> Option<u64> {
        self.pools.values_mut().filter_map(Waiters::next_due).min()
    }

    /// The pools in which a pair may be due at a moment, those first in which it has been for longest: who waits in several plays
    /// where he is paired first.
    pub fn due_pools(&mut self, now: u64) -> Vec<Arc<str>> {
        let due = self.pools.iter_mut().filter_map(|(name, waiters)| Some((waiters.next_due()?, name)));
        let mut due: Vec<(u64, &Arc<str>)> = due.filter(|(at, _)| *at <= now).collect();
        due.sort();
        due.into_iter().map(|(_, name)| Arc::clone(name)).collect()
    }

    /// The pairs of a pool that are due at a moment. They are paired with nobody else until they are said to wait.
    pub fn due(&mut self, pool: &str, now: u64) -> Vec<Pair<TicketId>> {
        let Some(waiters) = self.pools.get_mut(pool) else { return Vec::new() };
        waiters.pool.value(waiters.points(now));
        let pairs = waiters.pool.due(now);
        for (ticket, _) in pairs.iter().flatten() {
            if let Some(place) = self.places.get_mut(ticket) {
                place.is_free = false;
                remove(&mut self.pools, place, ticket);
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

    fn enter(&mut self, Waiting { ticket, owner, choices }: Waiting) {
        if self.places.get(&ticket).is_some_and(|place| place.is_free) {
            return;
        }
        let is_new = !self.places.contains_key(&ticket);
        let mut pools = Vec::with_capacity(choices.len());
        let mut promises = Vec::new();
        for (name, seeker) in choices {
            let name = self
                .pools
                .get_key_value(&*name)
                .map_or_else(|| Arc::from(name), |(name, _)| Arc::clone(name));
            let waiters =
                self.pools.entry(Arc::clone(&name)).or_insert_with(|| Waiters::none(self.apart.clone()));
            if is_new {
                promises.push(waiters.arrives(&seeker));
            }
            waiters.pool.insert(ticket, seeker);
            pools.push(name);
        }
        match self.places.get_mut(&ticket) {
            Some(place) => place.is_free = true,
            None => self.place(ticket, who(owner), pools, &promises),
        }
    }

    /// Notes where a ticket stands, and what it is told: what comes first in any of its pools.
    fn place(&mut self, ticket: TicketId, owner: u64, pools: Vec<Arc<str>>, promises: &[Promise]) {
        let told = |promise: &Promise| promise.told().map_or(u64::MAX, |told| told.p90);
        let first = promises.iter().enumerate().min_by_key(|(_, promise)| told(promise));
        let Some((home, promise)) = first else { return };
        let place = Place { owner, pools: pools.into(), home, promise: *promise, is_free: true };
        self.places.insert(ticket, place);
    }

    fn leave(&mut self, ticket: TicketId, matched_at: Option<u64>) {
        let Some(place) = self.places.remove(&ticket) else { return };
        remove(&mut self.pools, &place, &ticket);
        self.apart.leave(place.owner);
        if let Some((waiters, at)) = self.pools.get_mut(&place.pools[place.home]).zip(matched_at) {
            waiters.forecast.settle(&place.promise, at);
        }
    }
}

/// Takes a ticket out of its pools.
fn remove(pools: &mut BTreeMap<Arc<str>, Waiters>, place: &Place, ticket: &TicketId) {
    for pool in &place.pools {
        if let Some(waiters) = pools.get_mut(pool) {
            waiters.pool.remove(ticket);
        }
    }
}

/// What comes first of two estimates.
fn sooner(one: Option<Estimate>, other: Option<Estimate>) -> Option<Estimate> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.p90 < one.p90 { other } else { one }),
        (one, other) => one.or(other),
    }
}

impl Waiters {
    fn none(apart: Apart) -> Self {
        Waiters {
            pool: Pool::new(points_a_second(0.0), apart),
            arrivals: Arrivals::default(),
            forecast: Forecast::default(),
            rests_until: 0,
        }
    }

    /// What a second of waiting is worth here.
    fn points(&self, now: u64) -> f64 {
        points_a_second(self.arrivals.a_second(now))
    }

    fn size(&self) -> u32 {
        u32::try_from(self.pool.len()).unwrap_or(u32::MAX)
    }

    /// Somebody comes; what he is told.
    fn arrives(&mut self, seeker: &Seeker) -> Promise {
        self.arrivals.note(seeker.since);
        let points = self.points(seeker.since);
        self.pool.value(points);
        self.forecast.arrives(seeker.rating, seeker.since, points)
    }

    fn next_due(&mut self) -> Option<u64> {
        self.pool.next_due().map(|at| at.max(self.rests_until))
    }
}
