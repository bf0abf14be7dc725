//! Chance: one seed, and a stream of its own for every purpose, so that more throws for one purpose do not
//! change what another one gets.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

/// A stream of throws. Cloning gives another hand on the same stream.
#[derive(Clone, Debug)]
pub(crate) struct Rng(Arc<Mutex<StdRng>>);

impl Rng {
    /// The stream of a seed for one purpose.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        let mixed = purpose.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Rng(Arc::new(Mutex::new(StdRng::seed_from_u64(mixed))))
    }

    /// Whether something happens that has this probability, between 0 and 1.
    pub(crate) fn chance(&self, probability: f64) -> bool {
        probability > 0.0 && self.with(|rng| rng.random_bool(probability.min(1.0)))
    }

    /// A number from 0 to 1.
    pub(crate) fn fraction(&self) -> f64 {
        self.with(|rng| rng.random_range(0.0..1.0))
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&self, end: usize) -> usize {
        if end < 2 { 0 } else { self.with(|rng| rng.random_range(0..end)) }
    }

    /// A time between two, in whole milliseconds.
    pub(crate) fn between(&self, least: Duration, most: Duration) -> Duration {
        let (least, most) = (millis(least), millis(most));
        Duration::from_millis(self.with(|rng| rng.random_range(least..=most.max(least))))
    }

    /// A time up to `most` that is mostly short: a tenth of it in half of all throws.
    pub(crate) fn mostly_short(&self, most: Duration) -> Duration {
        let most = if self.chance(0.5) { most / 10 } else { most };
        self.between(Duration::ZERO, most)
    }

    /// One of several.
    ///
    /// # Panics
    /// When there is nothing to choose from.
    pub(crate) fn pick<'a, T>(&self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// One of several, each as likely as its weight says; `None` when nothing has any.
    pub(crate) fn weighed<'a, T>(
        &self,
        from: impl IntoIterator<Item = (&'a T, u32)> + Clone,
    ) -> Option<&'a T> {
        let total: u32 = from.clone().into_iter().map(|(_, weight)| weight).sum();
        let mut left = if total == 0 { return None } else { self.below(total as usize) };
        from.into_iter().find_map(|(item, weight)| match left.checked_sub(weight as usize) {
            None => Some(item),
            Some(rest) => {
                left = rest;
                None
            }
        })
    }

    fn with<T>(&self, throw: impl FnOnce(&mut StdRng) -> T) -> T {
        throw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
