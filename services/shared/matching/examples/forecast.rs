//! Whether those who wait are told the truth: of whoever was told when he came how long nine of ten wait at most, the part that did
//! (and in brackets, of the half), in each tenth of the players by rating, under arrivals that change by the hour, bursts, and
//! a pool that runs dry; and the same of those who have waited longer than half of all, and are told anew. It ends with an error
//! where less than 85 or more than 95 of a hundred did, and for those who are told anew 80 and 95.
//!
//! ```text
//! cargo run --release -p matching --example forecast [SEED]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "statistics"
)]

use std::{
    collections::{BTreeSet, HashMap},
    error::Error,
    f64::consts::TAU,
};

use matching::{Arrivals, Estimate, Forecast, Pool, Promise, Seeker, points_a_second};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

const MEAN: f64 = 1500.0;
const SIGMA: f64 = 300.0;
const SECOND: f64 = 1e6;
/// For how long a rate of arrivals holds at least, in seconds.
const STEP_S: f64 = 0.5;
/// The part of a tenth that may wait at most as long as it is told.
const HELD: std::ops::RangeInclusive<f64> = 0.85..=0.95;
/// The same for those who are told anew.
const HELD_ANEW: std::ops::RangeInclusive<f64> = 0.8..=0.95;

/// How many come a second at a moment, in seconds from the beginning; until when.
type Scene = (&'static str, fn(f64) -> f64, f64);

const SCENES: [Scene; 4] = [
    ("steady, 5 a second", |_| 5.0, 4.0 * 3600.0),
    ("by the hour, 0.2 to 20 a second", |at| 2.0 * 10_f64.powf((TAU * at / 14_400.0).sin()), 8.0 * 3600.0),
    (
        "2,000 within a second, every half hour",
        |at| if at % 1800.0 < 1.0 { 2000.0 } else { 1.0 },
        5.0 * 3600.0,
    ),
    ("20 a second, then one in ten", |at| if at < 600.0 { 20.0 } else { 0.1 }, 600.0 + 24.0 * 3600.0),
];

struct Told {
    rating: i32,
    /// What he was told, and when: as he came, and when he had waited longer than half.
    estimates: [Option<(u64, Estimate)>; 2],
    until: Option<u64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut missed = Vec::new();
    for (name, rate, end) in SCENES {
        let told = play(rate, end, seed);
        println!("{name}: {} tickets", told.len());
        let latter = &told[told.len() / 2..];
        for (what, shares, held) in [
            ("when they came", shares(&told, 0), HELD),
            ("of them the latter half", shares(latter, 0), HELD),
            ("told anew", shares(&told, 1), HELD_ANEW),
        ] {
            let text: Vec<String> =
                shares.iter().map(|[half, most]| format!("{most:.3} ({half:.2})")).collect();
            println!("  {what:>23}: {}", text.join(" "));
            missed.extend(
                shares
                    .iter()
                    .enumerate()
                    .filter(|(_, [_, most])| !held.contains(most))
                    .map(|(tenth, [_, most])| format!("{name}, {what}, tenth {}: {most:.3}", tenth + 1)),
            );
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ").into()) }
}

/// Lets people come and go, and notes what each was told and how long he waited.
fn play(rate: fn(f64) -> f64, end: f64, seed: u64) -> Vec<Told> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut pool = Pool::new(points_a_second(0.0), |_: &Seeker, _: &Seeker| Some(0));
    let (mut forecast, mut arrivals) = (Forecast::default(), Arrivals::default());
    let mut promises: HashMap<usize, Promise> = HashMap::new();
    let mut anew: BTreeSet<(u64, usize)> = BTreeSet::new();
    let (mut told, mut at) = (Vec::<Told>::new(), 0.0);
    while at < end {
        // Nobody knows of what is to be after a while: where nobody comes until then, it is asked anew.
        let step = -(1.0 - rng.random::<f64>()).ln() / rate(at);
        if step > STEP_S {
            at += STEP_S;
            continue;
        }
        at += step;
        let now = (at * SECOND) as u64;
        loop {
            let due = pool.next_due().filter(|due| *due <= now);
            let turn = anew.first().copied().filter(|(turn, _)| *turn <= due.unwrap_or(now));
            if let Some((turn, key)) = turn {
                anew.pop_first();
                if let Some(promise) = promises.get(&key) {
                    told[key].estimates[1] =
                        forecast.estimate(promise, turn).map(|estimate| (turn, estimate));
                }
                continue;
            }
            let Some(due) = due else { break };
            for (key, _) in pool.due(due).into_iter().flatten() {
                if let Some(promise) = promises.remove(&key) {
                    forecast.settle(&promise, due);
                }
                told[key].until = Some(due);
            }
        }
        arrivals.note(now);
        let points = points_a_second(arrivals.a_second(now));
        pool.value(points);
        let bell = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt() * (TAU * rng.random::<f64>()).cos();
        let rating = (MEAN + SIGMA * bell).round() as i32;
        let key = told.len();
        let promise = forecast.arrives(rating, now, points);
        let estimate = forecast.estimate(&promise, now);
        anew.extend(estimate.map(|estimate| (now + estimate.p50, key)));
        let estimates = [estimate.map(|estimate| (now, estimate)), None];
        told.push(Told { rating, estimates, until: None });
        promises.insert(key, promise);
        pool.insert(key, Seeker { rating, deviation: 60, window: 400, since: now, ..Seeker::default() });
    }
    told
}

/// Of each tenth by rating, the parts that waited at most as long as they were told at a time of a half and of nine in ten.
fn shares(told: &[Told], time: usize) -> Vec<[f64; 2]> {
    let of_time = |told: &Told| Some((told.rating, told.until, told.estimates[time]?));
    let mut order: Vec<(i32, Option<u64>, (u64, Estimate))> = told.iter().filter_map(of_time).collect();
    order.sort_by_key(|(rating, ..)| *rating);
    let size = order.len().div_ceil(10).max(1);
    let share = |tenth: &[(i32, Option<u64>, (u64, Estimate))]| {
        let part = |of: fn(&Estimate) -> u64| {
            let kept = tenth
                .iter()
                .filter(|(_, until, (at, estimate))| until.is_some_and(|until| until <= at + of(estimate)));
            kept.count() as f64 / tenth.len() as f64
        };
        [part(|estimate| estimate.p50), part(|estimate| estimate.p90)]
    };
    order.chunks(size).map(share).collect()
}
