//! One pass over a full pool.
//!
//! The goal is 10 ms for 100,000 tickets.

use std::time::Duration;

use divan::Bencher;
use matchmaking::core::{Candidate, NO_LIMIT, Window, pairs};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use time::OffsetDateTime;

fn main() {
    divan::main();
}

fn pool(size: u128) -> Vec<Candidate> {
    let mut rng = StdRng::seed_from_u64(1);
    let candidate = |owner| {
        let bell: i32 = (0..4).map(|_| rng.random_range(-250..=250)).sum();
        let limit = if rng.random_bool(0.2) { rng.random_range(25..=400) } else { NO_LIMIT };
        Candidate {
            owner: uuid::Uuid::from_u128(owner).into(),
            rating: 1500 + bell,
            since: OffsetDateTime::UNIX_EPOCH - Duration::from_millis(rng.random_range(0..60_000)),
            window: Window { limit },
        }
    };
    (0..size).map(candidate).collect()
}

#[divan::bench(args = [1_000, 10_000, 100_000])]
fn one_pass(bencher: Bencher<'_, '_>, size: u128) {
    let pool = pool(size);
    bencher.bench(|| pairs(&pool, OffsetDateTime::UNIX_EPOCH));
}
