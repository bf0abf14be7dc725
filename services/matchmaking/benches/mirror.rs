//! What a replica does when somebody arrives in a full pool, and when many are due at once; and what it keeps of each who waits.
//!
//! The goals are 1 ms for an arrival where 100,000 wait, and 128 bytes for each of them; more bytes are an error.

#![expect(clippy::print_stdout, reason = "a benchmark prints its findings")]

use divan::{Bencher, black_box};
use matching::Seeker;
use matchmaking::core::{Mirror, Moved, Waiting};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

const POOL: &str = "a pool";

/// What may be kept of a ticket, in bytes.
const KEPT_MAX: f64 = 128.0;

fn main() {
    // First, so that nothing else has used the memory before.
    let kept = kept(100_000);
    println!("of each of 100,000 tickets in one pool {kept:.0} bytes are kept");
    assert!(kept <= KEPT_MAX, "{KEPT_MAX} bytes at most");
    divan::main();
}

/// What is kept of each of so many tickets in one pool, in bytes.
fn kept(count: u32) -> f64 {
    let mut rng = StdRng::seed_from_u64(1);
    let mut mirror = Mirror::default();
    let before = resident();
    for number in 0..count {
        mirror.note(waits(number, 1500 + bell(&mut rng), 400));
    }
    let after = resident();
    black_box(&mirror);
    (after - before) / f64::from(count)
}

/// The memory that the process has, in bytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes * 1024.0
}

/// How far a rating is from that of most.
fn bell(rng: &mut StdRng) -> i32 {
    (0..4).map(|_| rng.random_range(-250..=250)).sum()
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
                mirror.note(waits(number, 1500 + bell(&mut rng), 400));
            }
            mirror
        })
        .bench_local_values(|mut mirror| black_box(mirror.due(POOL, 3_600_000_000)));
}
