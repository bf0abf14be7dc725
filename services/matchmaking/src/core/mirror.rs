//! Who waits, as one replica knows it from what it has heard.

mod places;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    ops::Bound,
    sync::Arc,
};

use chassis::id::{AccountId, TicketId};
use matching::{Arrivals, Estimate, Forecast, Order, Promise, Seeker, points_a_second};

use self::places::{Choice, Choices, Place, Places, PoolNumber, Slot, Those};
use super::block::{Apart, who};

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
    numbers: BTreeMap<Arc<str>, PoolNumber>,
    /// By their numbers; those of pools that were forgotten are given to others.
    pools: Vec<Option<Waiters>>,
    vacant: Vec<PoolNumber>,
    places: Places,
    apart: Apart,
    /// The fullest pools by the beginnings of their names, and until when they are told as they are here.
    fullest: HashMap<String, (u64, Vec<PoolSize>)>,
}

#[derive(Debug)]
struct Waiters {
    name: Arc<str>,
    order: Order<Slot>,
    /// How many tickets name the pool, those included that are part of a pair that was proposed.
    tickets: usize,
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
        let known = self.places.iter().map(|place| place.ticket);
        let gone: Vec<TicketId> = known.filter(|ticket| !there.contains(ticket)).collect();
        for ticket in gone {
            self.leave(ticket, None);
        }
        for waiting in waiting {
            self.enter(waiting);
        }
    }

    /// Somebody who waits, or is about to, does not want to meet just these; all are named by [`Seeker::who`].
    pub fn block(&mut self, owner: u64, blocked: HashSet<u64>) {
        self.apart.set(owner, blocked);
    }

    /// The same of one more. Of who does not wait it is learnt when he does.
    pub fn block_another(&mut self, owner: u64, blocked: u64) {
        if self.places.iter().any(|place| place.owner == owner) {
            self.apart.add(owner, blocked);
        }
    }

    /// Whose ticket it is that something happened to, by [`Seeker::who`], as far as is known.
    pub fn owner_of(&self, moved: &Moved) -> Option<u64> {
        match moved {
            Moved::Waits(waiting) => Some(who(waiting.owner)),
            Moved::Left { ticket, .. } => self.places.of(ticket).map(|place| place.owner),
        }
    }

    /// Whether anybody has waited in a pool since it was last empty for long.
    pub fn knows(&self, pool: &str) -> bool {
        self.numbers.contains_key(pool)
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
        let place = self.places.of(&ticket);
        let mut outlook = Outlook { pool_size: 1, estimate: None };
        for (pool, rating) in choices {
            let Some(&number) = self.numbers.get(pool) else { continue };
            let Some(waiters) = waiters(&self.pools, number) else { continue };
            let promise = match place {
                Some(place) if place.home() == Some(number) => place.promise,
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
        let named = self.numbers.range::<str, _>(from).take_while(|(name, _)| name.starts_with(prefix));
        let pools = named.filter_map(|(_, number)| waiters(&self.pools, *number));
        let pools = pools.filter(|waiters| !waiters.order.is_empty());
        let mut pools: Vec<PoolSize> =
            pools.map(|waiters| (Arc::clone(&waiters.name), waiters.size())).collect();
        pools.sort_by_key(|(_, size)| Reverse(*size));
        pools.truncate(FULLEST);
        self.fullest.insert(prefix.to_owned(), (now + FULLEST_FOR, pools.clone()));
        pools
    }

    /// How many wait in each pool.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, u32)> {
        self.pools.iter().flatten().map(|waiters| (&*waiters.name, waiters.size()))
    }

    /// Since when a ticket waits, as far as is known.
    pub fn since(&self, ticket: TicketId) -> Option<u64> {
        self.places.of(&ticket).map(|place| place.promise.since())
    }

    /// The moment at which a pair may be due next in any pool; none where nobody can be paired.
    pub fn next_due(&mut self) -> Option<u64> {
        self.next_dues().map(|(at, _)| at).min()
    }

    /// The pools in which a pair may be due at a moment, those first in which it has been for longest: who waits in several plays
    /// where he is paired first.
    pub fn due_pools(&mut self, now: u64) -> Vec<Arc<str>> {
        let mut due: Vec<(u64, Arc<str>)> = self.next_dues().filter(|(at, _)| *at <= now).collect();
        due.sort();
        due.into_iter().map(|(_, name)| name).collect()
    }

    /// When a pair may be due next in each pool in which somebody can be paired.
    fn next_dues(&mut self) -> impl Iterator<Item = (u64, Arc<str>)> {
        let Mirror { pools, places, apart, .. } = self;
        (0..).zip(pools).filter_map(|(pool, waiters)| {
            let waiters = waiters.as_mut()?;
            let at = waiters.order.next_due(&Those { places, pool, apart })?;
            Some((at.max(waiters.rests_until), Arc::clone(&waiters.name)))
        })
    }

    /// The pairs of a pool that are due at a moment, in each the lower ticket first. They are paired with nobody else until they are
    /// said to wait.
    pub fn due(&mut self, pool: &str, now: u64) -> Vec<[TicketId; 2]> {
        let Some(&pool) = self.numbers.get(pool) else { return Vec::new() };
        let those = Those { places: &self.places, pool, apart: &self.apart };
        let Some(waiters) = waiters_mut(&mut self.pools, pool) else { return Vec::new() };
        waiters.order.value(waiters.points(now), &those);
        let pairs = waiters.order.due(now, &those);
        let mut taken = |slot: Slot| {
            let place = self.places.get_mut(slot)?;
            place.is_free = false;
            remove(&mut self.pools, place, slot);
            Some(place.ticket)
        };
        let pair = |[one, other]: [Slot; 2]| {
            let mut pair = [taken(one)?, taken(other)?];
            pair.sort();
            Some(pair)
        };
        pairs.into_iter().filter_map(pair).collect()
    }

    /// Leaves a pool to somebody else until a moment.
    pub fn rest(&mut self, pool: &str, until: u64) {
        let number = self.numbers.get(pool);
        if let Some(waiters) = number.and_then(|number| waiters_mut(&mut self.pools, *number)) {
            waiters.rests_until = until;
        }
    }

    /// Forgets the pools that no ticket names and to which lately nobody came: so many a second at most.
    pub fn forget(&mut self, now: u64, arrivals: f64) {
        let Mirror { numbers, pools, vacant, .. } = self;
        numbers.retain(|_, number| {
            let Some(pool) = pools.get_mut(*number as usize) else { return false };
            let is_over =
                |waiters: &Waiters| waiters.tickets == 0 && waiters.arrivals.a_second(now) <= arrivals;
            let forgotten = pool.as_ref().is_none_or(is_over);
            if forgotten {
                *pool = None;
                vacant.push(*number);
            }
            !forgotten
        });
    }

    fn enter(&mut self, Waiting { ticket, choices, .. }: Waiting) {
        if self.places.of(&ticket).is_some_and(|place| place.is_free) {
            return;
        }
        let Some(seeker) = choices.first().map(|(_, seeker)| *seeker) else { return };
        let numbered: Vec<(PoolNumber, Seeker)> =
            choices.into_iter().map(|(name, seeker)| (self.number(name), seeker)).collect();
        // What he was told holds also when he waits again, because what was proposed was refused.
        let told = match self.places.remove(&ticket) {
            Some((_, place)) => {
                self.count(&place.choices, |tickets| *tickets -= 1);
                (place.home, place.promise)
            }
            None => match self.arrives(&numbered) {
                Some(told) => told,
                None => return,
            },
        };
        let choices = numbered.iter().map(|(pool, seeker)| Choice::new(*pool, seeker)).collect::<Vec<_>>();
        let choices = Choices::from(choices);
        self.count(&choices, |tickets| *tickets += 1);
        let slot = self.places.insert(Place::new(ticket, &seeker, choices, told));
        for (pool, _) in numbered {
            let those = Those { places: &self.places, pool, apart: &self.apart };
            if let Some(waiters) = waiters_mut(&mut self.pools, pool) {
                waiters.order.insert(slot, &those);
            }
        }
    }

    /// The number of a pool.
    fn number(&mut self, name: String) -> PoolNumber {
        if let Some(number) = self.numbers.get(&*name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        let number = self.vacant.pop().unwrap_or_else(|| {
            self.pools.push(None);
            PoolNumber::try_from(self.pools.len() - 1).expect("there are fewer pools than numbers")
        });
        self.pools[number as usize] = Some(Waiters::none(Arc::clone(&name)));
        self.numbers.insert(name, number);
        number
    }

    /// Changes how many tickets name each of these pools.
    fn count(&mut self, choices: &Choices, change: impl Fn(&mut usize)) {
        for choice in choices.as_slice() {
            if let Some(waiters) = waiters_mut(&mut self.pools, choice.pool) {
                change(&mut waiters.tickets);
            }
        }
    }

    /// Somebody comes, and is told what comes first in any of his pools: in which, and what.
    fn arrives(&mut self, choices: &[(PoolNumber, Seeker)]) -> Option<(u8, Promise)> {
        let Mirror { pools, places, apart, .. } = self;
        let promises = (0_u8..).zip(choices).filter_map(|(at, (pool, seeker))| {
            let those = Those { places, pool: *pool, apart };
            Some((at, waiters_mut(pools, *pool)?.arrives(seeker, &those)))
        });
        let told = |promise: &Promise| promise.told().map_or(u64::MAX, |told| told.p90);
        promises.min_by_key(|(_, promise)| told(promise))
    }

    fn leave(&mut self, ticket: TicketId, matched_at: Option<u64>) {
        let Some((slot, place)) = self.places.remove(&ticket) else { return };
        remove(&mut self.pools, &place, slot);
        self.count(&place.choices, |tickets| *tickets -= 1);
        self.apart.leave(place.owner);
        let home = place.home().and_then(|home| waiters_mut(&mut self.pools, home));
        if let Some((waiters, at)) = home.zip(matched_at) {
            waiters.forecast.settle(&place.promise, at);
        }
    }
}

fn waiters(pools: &[Option<Waiters>], number: PoolNumber) -> Option<&Waiters> {
    pools.get(number as usize)?.as_ref()
}

fn waiters_mut(pools: &mut [Option<Waiters>], number: PoolNumber) -> Option<&mut Waiters> {
    pools.get_mut(number as usize)?.as_mut()
}

/// Takes a ticket out of its pools.
fn remove(pools: &mut [Option<Waiters>], place: &Place, slot: Slot) {
    for choice in place.choices.as_slice() {
        if let Some(waiters) = waiters_mut(pools, choice.pool) {
            waiters.order.remove(slot, choice.rating);
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
    fn none(name: Arc<str>) -> Self {
        Waiters {
            name,
            order: Order::new(points_a_second(0.0)),
            tickets: 0,
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
        u32::try_from(self.order.len()).unwrap_or(u32::MAX)
    }

    /// Somebody comes; what he is told.
    fn arrives(&mut self, seeker: &Seeker, those: &Those<'_>) -> Promise {
        self.arrivals.note(seeker.since);
        let points = self.points(seeker.since);
        self.order.value(points, those);
        self.forecast.arrives(seeker.rating, seeker.since, points)
    }
}
