//! Which pair is due when, of those whom somebody else keeps.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    ops::Bound,
};

use crate::{Seeker, backlog};

/// The neighbours on either side of whom one may be paired with.
const NEAREST: usize = 8;
/// The neighbours on either side that are looked at for them: some must not meet, and some accept little.
const LOOKED_AT: usize = 64;
/// What it is worth at most that two have earned their game long ago, in milliseconds: so much less than a pair that it outweighs none.
const LONG_MS: i64 = 1 << 26;
/// How much what a second is worth must change for every pair to be reckoned anew, as a part of it.
const CHANGE: f64 = 0.1;

/// Those of whom some wait in an order.
pub trait Crowd<K> {
    /// Who stands under a key; none where nobody does. As long as he waits he is the same.
    fn seeker(&self, key: K) -> Option<Seeker>;

    /// What it costs that two meet beside their ratings, in points; none where they must not. That may change while they wait.
    fn cost(&self, one: &Seeker, other: &Seeker) -> Option<u32>;
}

/// When two are due. Of those whom somebody could play at once he plays the one who has earned it longest: the nearest, or who
/// has waited so much longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    /// At this moment.
    at: u64,
    /// It would have been at this one, had both been there.
    earned: u64,
}

/// Those of a crowd who wait for the same game. It knows keys and ratings alone; who they are says the [`Crowd`], which must be the
/// same each time. Keys may be given to others when those who had them wait no more.
#[derive(Clone, Debug)]
pub struct Order<K> {
    /// What a second of waiting is worth, in points.
    points: f64,
    by_rating: BTreeSet<(i32, K)>,
    /// For each who waits the pair of his that is due first, and some of who waits no more.
    pairs: BinaryHeap<Reverse<(u64, K, K)>>,
}

impl<K: Copy + Ord> Order<K> {
    /// Nobody waits yet, and a second of waiting is worth so many points.
    #[must_use]
    pub const fn new(points: f64) -> Self {
        Order { points, by_rating: BTreeSet::new(), pairs: BinaryHeap::new() }
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_rating.len()
    }

    /// Whether nobody waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_rating.is_empty()
    }

    /// Somebody of the crowd begins to wait.
    pub fn insert(&mut self, key: K, crowd: &impl Crowd<K>) {
        if let Some(seeker) = crowd.seeker(key)
            && self.by_rating.insert((seeker.rating, key))
        {
            self.link(key, crowd);
        }
    }

    /// Somebody of this rating waits no more; whether he did.
    pub fn remove(&mut self, key: K, rating: i32) -> bool {
        self.by_rating.remove(&(rating, key))
    }

    /// Has a second of waiting be worth so many points from now on. What it is worth a little more or less changes nothing.
    pub fn value(&mut self, points: f64, crowd: &impl Crowd<K>) {
        if (points - self.points).abs() <= self.points * CHANGE {
            return;
        }
        self.points = points;
        self.pairs.clear();
        let keys: Vec<K> = self.by_rating.iter().map(|(_, key)| *key).collect();
        for key in keys {
            self.link(key, crowd);
        }
    }

    /// The moment at which a pair may be due next; none where nobody can be paired.
    pub fn next_due(&mut self, crowd: &impl Crowd<K>) -> Option<u64> {
        while let Some(Reverse((at, key, _))) = self.pairs.peek().copied() {
            if self.waiting(key, crowd).is_some() {
                return Some(at);
            }
            self.pairs.pop();
        }
        None
    }

    /// The pairs that are due at a moment, each with the lower key first. They wait no more. Where many are due at once, as
    /// after an outage, they are the best pairs of all of these.
    pub fn due(&mut self, now: u64, crowd: &impl Crowd<K>) -> Vec<[K; 2]> {
        let mut found = Vec::new();
        loop {
            let due = self.due_keys(now, crowd);
            let Some(first) = due.first().copied() else { return found };
            let before = found.len();
            if due.len() > 1 {
                self.pair_best(&due, now, crowd, &mut found);
            }
            if found.len() == before {
                // It is one pair, or all who may meet are farther apart than the best are looked for.
                self.take(first.0, first.1, crowd, &mut found);
            }
            for (key, _) in due {
                self.link(key, crowd);
            }
        }
    }

    /// Who waits under a key.
    fn waiting(&self, key: K, crowd: &impl Crowd<K>) -> Option<Seeker> {
        crowd.seeker(key).filter(|seeker| self.by_rating.contains(&(seeker.rating, key)))
    }

    /// Those who have somebody with whom they are due at a moment, and that one, as far as both wait; the earliest first.
    fn due_keys(&mut self, now: u64, crowd: &impl Crowd<K>) -> Vec<(K, K)> {
        let mut due = Vec::new();
        while let Some(Reverse((at, key, other))) = self.pairs.peek().copied() {
            if at > now {
                break;
            }
            self.pairs.pop();
            // What is between them may have changed since they were linked, and so may who has the key.
            if self.is_due(key, other, now, crowd) {
                due.push((key, other));
            } else {
                self.link(key, crowd);
            }
        }
        due
    }

    fn pair_best(&mut self, due: &[(K, K)], now: u64, crowd: &impl Crowd<K>, found: &mut Vec<[K; 2]>) {
        let mut seekers: Vec<(i32, K, Seeker)> = due
            .iter()
            .flat_map(|(key, other)| [key, other])
            .filter_map(|key| self.waiting(*key, crowd).map(|seeker| (seeker.rating, *key, seeker)))
            .collect();
        seekers.sort_unstable_by_key(|(rating, key, _)| (*rating, *key));
        seekers.dedup_by_key(|(_, key, _)| *key);
        let pairs = backlog::best(seekers.len(), |one, other| {
            let ((_, _, seeker), (_, _, opponent)) = (&seekers[one], &seekers[other]);
            let due = self.due_together(seeker, opponent, crowd)?;
            // The longer ago it was earned, the better.
            (due.at <= now).then(|| {
                i64::try_from(now.saturating_sub(due.earned) / 1000).unwrap_or(i64::MAX).min(LONG_MS)
            })
        });
        for (one, other) in pairs {
            self.take(seekers[one].1, seekers[other].1, crowd, found);
        }
    }

    fn take(&mut self, one: K, other: K, crowd: &impl Crowd<K>, found: &mut Vec<[K; 2]>) {
        if let (Some(seeker), Some(opponent)) = (self.waiting(one, crowd), self.waiting(other, crowd)) {
            self.remove(one, seeker.rating);
            self.remove(other, opponent.rating);
            found.push(if one < other { [one, other] } else { [other, one] });
        }
    }

    /// Notes the pair of somebody that is due first.
    fn link(&mut self, key: K, crowd: &impl Crowd<K>) {
        let Some(seeker) = self.waiting(key, crowd) else { return };
        let place = (seeker.rating, key);
        let lower = self.by_rating.range(..place).rev();
        let upper = self.by_rating.range((Bound::Excluded(place), Bound::Unbounded));
        let lower = self.first_due(&seeker, lower, crowd);
        let upper = self.first_due(&seeker, upper, crowd);
        if let Some((due, other)) = lower.into_iter().chain(upper).min() {
            self.pairs.push(Reverse((due.at, key, other)));
        }
    }

    fn first_due<'a>(
        &self,
        seeker: &Seeker,
        others: impl Iterator<Item = &'a (i32, K)>,
        crowd: &impl Crowd<K>,
    ) -> Option<(Due, K)>
    where
        K: 'a,
    {
        let within = |(rating, _): &&(i32, K)| rating.abs_diff(seeker.rating) <= seeker.window;
        let due = |(_, other): &(i32, K)| {
            let found = crowd.seeker(*other)?;
            Some((self.due_together(seeker, &found, crowd)?, *other))
        };
        others.take_while(within).take(LOOKED_AT).filter_map(due).take(NEAREST).min()
    }

    /// Whether two wait and are due.
    fn is_due(&self, one: K, other: K, now: u64, crowd: &impl Crowd<K>) -> bool {
        let two = self.waiting(one, crowd).zip(self.waiting(other, crowd));
        let due = two.and_then(|(seeker, opponent)| self.due_together(&seeker, &opponent, crowd));
        due.is_some_and(|due| due.at <= now)
    }

    /// When two are due; none where they must not meet.
    fn due_together(&self, seeker: &Seeker, opponent: &Seeker, crowd: &impl Crowd<K>) -> Option<Due> {
        let cost = seeker.accepts(opponent).then(|| crowd.cost(seeker, opponent))??;
        Some(self.due_of(seeker, opponent, cost))
    }

    /// When waiting has cost two as much as their distance: `α · (wᵢ + wⱼ) = d`.
    fn due_of(&self, one: &Seeker, other: &Seeker, cost: u32) -> Due {
        let distance = f64::from(one.distance(other).saturating_add(cost));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "distances are of some thousand points"
        )]
        let both = (distance / self.points * 1e6).ceil() as u64;
        let earned = one.since.saturating_add(other.since).saturating_add(both).div_ceil(2);
        // One of the two may have waited long enough for both before the other came.
        let at = earned.max(one.since).max(other.since).max(one.rest(other).unwrap_or(0));
        Due { at, earned }
    }

    /// When two would be due whose meeting costs so much.
    #[cfg(test)]
    pub(crate) fn due_at(&self, one: &Seeker, other: &Seeker, cost: u32) -> u64 {
        self.due_of(one, other, cost).at
    }
}
