//! Who waits, kept together with the order in which they are paired.

use std::collections::BTreeMap;

use crate::{Crowd, Order, Seeker};

#[cfg(test)]
mod tests;

/// Says what is between two beside their ratings.
pub trait Between {
    /// What it costs that they meet, in points; none where they must not. That may change while they wait.
    fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32>;
}

impl<F: Fn(&Seeker, &Seeker) -> Option<u32>> Between for F {
    fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32> {
        self(one, other)
    }
}

/// Two who are to meet.
pub type Pair<K> = [(K, Seeker); 2];

/// Those who wait for the same game.
#[derive(Clone, Debug)]
pub struct Pool<K, B> {
    those: Those<K, B>,
    order: Order<K>,
}

#[derive(Clone, Debug)]
struct Those<K, B> {
    waiting: BTreeMap<K, Seeker>,
    between: B,
}

impl<K: Ord, B: Between> Crowd<K> for Those<K, B> {
    fn seeker(&self, key: K) -> Option<Seeker> {
        self.waiting.get(&key).copied()
    }

    fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32> {
        self.between.cost(one, other)
    }
}

impl<K: Copy + Ord, B: Between> Pool<K, B> {
    /// An empty pool, in which a second of waiting is worth so many points.
    pub const fn new(points: f64, between: B) -> Pool<K, B> {
        Pool { those: Those { waiting: BTreeMap::new(), between }, order: Order::new(points) }
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.those.waiting.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.those.waiting.is_empty()
    }

    /// Somebody begins to wait. Whoever waits already stays as he is.
    pub fn insert(&mut self, key: K, seeker: Seeker) {
        self.those.waiting.entry(key).or_insert(seeker);
        self.order.insert(key, &self.those);
    }

    /// Somebody waits no more; what he was.
    pub fn remove(&mut self, key: &K) -> Option<Seeker> {
        let seeker = self.those.waiting.remove(key)?;
        self.order.remove(*key, seeker.rating);
        Some(seeker)
    }

    /// Has a second of waiting be worth so many points from now on. What it is worth a little more or less changes nothing.
    pub fn value(&mut self, points: f64) {
        self.order.value(points, &self.those);
    }

    /// The moment at which a pair may be due next; none where nobody can be paired.
    pub fn next_due(&mut self) -> Option<u64> {
        self.order.next_due(&self.those)
    }

    /// The pairs that are due at a moment, each with the lower key first. They wait no more. Where many are due at once, as
    /// after an outage, they are the best pairs of all of these.
    pub fn due(&mut self, now: u64) -> Vec<Pair<K>> {
        let pairs = self.order.due(now, &self.those);
        let waiting = &mut self.those.waiting;
        let taken = pairs.into_iter().filter_map(|[one, other]| {
            Some([(one, waiting.remove(&one)?), (other, waiting.remove(&other)?)])
        });
        taken.collect()
    }
}
