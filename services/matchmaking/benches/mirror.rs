//! What a replica does when somebody arrives in a full pool, and when many are due at once.
//!
//! The goal is 1 ms for an arrival where 100,000 wait.

use divan::{Bencher, black_box};
use matching::Seeker;
use matchmaking::core::{Mirror, Moved, Waiting};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

const POOL: &str = "a pool";

fn main() {
    divan::main();
}

fn waits(number: u32, rating: i32, window: u32) -> Moved {
    let seeker = Seeker { rating, window, deviation: 60, since: number.into(), ..Seeker::default() };
    let ticket = uuid::Uuid::from_u128(number.into()).into();
    Moved::Waits(Waiting {
        ticket,
        owner: uuid::Uuid::from_u128(number.into()).into(),
        choices: vec![(POOL.to_owned(), seeker)],
    })
}

#[divan::bench(args = [1_000, 10_000, 100_000])]
fn an_arrival(bencher: Bencher<'_, '_>, size: u32) {
    let mut rng = StdRng::seed_from_u64(1);
    let mut mirror = Mirror::default();
    let ratings = 2 * i32::try_from(size).expect("few");
    // All ratings are even, and nobody accepts another than his own.
    for (number, rating) in (0..size).zip((0..ratings).step_by(2)) {
        mirror.note(waits(number, rating, 0));
    }
    bencher.bench_local(|| {
        // He accepts 400 of them, and none accepts him.
        let rating = rng.random_range(0..ratings) | 1;
        mirror.note(waits(size, rating, 400));
        black_box(mirror.due(POOL, size.into()));
        let ticket = uuid::Uuid::from_u128(size.into()).into();
        mirror.note(Moved::Left { ticket, matched_at: None });
    });
}

#[divan::bench(args = [1_000, 10_000, 100_000])]
fn a_pass_in_which_everybody_is_paired(bencher: Bencher<'_, '_>, size: u32) {
    let mut rng = StdRng::seed_from_u64(1);
    bencher
        .with_inputs(|| {
            let mut mirror = Mirror::default();
            for number in 0..size {
                let bell: i32 = (0..4).map(|_| rng.random_range(-250..=250)).sum();
                mirror.note(waits(number, 1500 + bell, 400));
            }
            mirror
        })
        .bench_local_values(|mut mirror| black_box(mirror.due(POOL, 3_600_000_000)));
}
