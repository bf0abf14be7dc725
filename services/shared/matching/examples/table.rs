//! What comes of the rule by which pairs are made: waits, gaps and colours where so many arrive a second, with ratings of
//! N(1500, 300), on a clock that runs as fast as it can. It ends with an error where a mark is missed.
//!
//! ```text
//! cargo run --release -p matching --example table [SEED]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "statistics"
)]

use std::{error::Error, f64::consts::TAU, time::Instant};

use matching::{Arrivals, Pool, Seeker, points_a_second};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

const MEAN: f64 = 1500.0;
const SIGMA: f64 = 300.0;
/// Arrivals of a run: an hour of them, within bounds.
const ARRIVALS: [f64; 2] = [40_000.0, 300_000.0];
/// Bands of ratings, in sigmas from the mean.
const BANDS: [(f64, f64); 4] = [(0.0, 0.1), (0.9, 1.1), (1.9, 2.1), (2.9, 9.9)];

/// What may come of a run: the mean wait, the median and the last hundredth of waits in seconds, and the mean gap.
struct Mark {
    a_second: f64,
    window: u32,
    mean: f64,
    median: f64,
    last: f64,
    gap: f64,
}

const MARKS: [Mark; 2] = [
    Mark { a_second: 50.0, window: 400, mean: 1.0, median: f64::MAX, last: f64::MAX, gap: 8.5 },
    Mark { a_second: 200.0, window: 200, mean: f64::MAX, median: 0.1, last: 1.0, gap: 10.0 },
];
/// By how much longer those at two sigmas may wait than those in the middle, in the mean and of the last tenth.
const FAIR: f64 = 4.0;

#[derive(Default)]
struct Run {
    waits: Vec<f64>,
    gaps: Vec<f64>,
    bands: [Vec<f64>; BANDS.len()],
    surplus: [(u32, u32); BANDS.len()],
    left: usize,
    micros: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    println!(
        "arrivals/s window | wait: mean   p50    p90    p99 s | gap: mean | waits of bands by 0.1 σ of the mean:"
    );
    println!(
        "                  |                                  |           |  mean at 1, 2, 3 σ; p90 at 2 σ | surplus | µs"
    );
    let mut missed = Vec::new();
    for (a_second, window) in [
        (0.5, 400),
        (2.0, 400),
        (5.0, 400),
        (20.0, 400),
        (50.0, 400),
        (200.0, 200),
        (200.0, 400),
        (1_000.0, 400),
        (5_000.0, 400),
    ] {
        let mut run = play(a_second, window, seed);
        show(a_second, window, &mut run);
        missed.extend(held(a_second, window, &mut run));
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ").into()) }
}

/// Lets so many arrive, and pairs them.
fn play(a_second: f64, window: u32, seed: u64) -> Run {
    let mut rng = StdRng::seed_from_u64(seed);
    let count = (a_second * 3600.0).clamp(ARRIVALS[0], ARRIVALS[1]) as usize;
    let mut pool = Pool::new(points_a_second(a_second), |_: &Seeker, _: &Seeker| Some(0));
    let (mut seekers, mut run, mut arrivals) =
        (Vec::with_capacity(count), Run::default(), Arrivals::default());
    // Everybody comes again and again: what colours he is owed follows from his games.
    let mut surpluses = vec![0_i32; (count / 20).max(1)];
    let (mut at, began) = (0.0, Instant::now());
    for key in 0..count {
        at -= (1.0 - rng.random::<f64>()).ln() / a_second;
        let now = (at * 1e6) as u64;
        while let Some(due) = pool.next_due().filter(|due| *due <= now) {
            for [(one, _), (other, _)] in pool.due(due) {
                let people = surpluses.len();
                let first = surpluses[one % people] <= surpluses[other % people];
                surpluses[one % people] += if first { 1 } else { -1 };
                surpluses[other % people] += if first { -1 } else { 1 };
                run.note(due, [seekers[one], seekers[other]]);
            }
        }
        arrivals.note(now);
        pool.value(points_a_second(arrivals.a_second(now)));
        let bell = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt() * (TAU * rng.random::<f64>()).cos();
        let seeker = Seeker {
            rating: (MEAN + SIGMA * bell).round() as i32,
            deviation: 60,
            window,
            since: now,
            surplus: surpluses[key % surpluses.len()],
            ..Seeker::default()
        };
        seekers.push(seeker);
        pool.insert(key, seeker);
    }
    run.left = pool.len();
    run.micros = began.elapsed().as_micros() as f64 / count as f64;
    run
}

impl Run {
    fn note(&mut self, at: u64, pair: [Seeker; 2]) {
        self.gaps.push(f64::from(pair[0].rating.abs_diff(pair[1].rating)));
        for seeker in pair {
            let wait = (at - seeker.since) as f64 / 1e6;
            self.waits.push(wait);
            let sigmas = (f64::from(seeker.rating) - MEAN).abs() / SIGMA;
            let bands = BANDS.iter().zip(&mut self.bands).zip(&mut self.surplus);
            for ((_, waits), surplus) in bands.filter(|((band, _), _)| (band.0..band.1).contains(&sigmas)) {
                waits.push(wait);
                *surplus = (surplus.0 + seeker.surplus.unsigned_abs(), surplus.1 + 1);
            }
        }
    }
}

/// How the last line reads of what is asked of it.
fn held(a_second: f64, window: u32, run: &mut Run) -> Vec<String> {
    let is_of = |mark: &&Mark| (mark.a_second - a_second).abs() < 1e-9 && mark.window == window;
    let mut missed = Vec::new();
    let mut hold = |what: &str, is: f64, may: f64| {
        if is > may {
            missed.push(format!("{what} at {a_second}/s is {is:.3}, and should be {may} at most"));
        }
    };
    if let Some(mark) = MARKS.iter().find(is_of) {
        hold("the mean wait", mean(&run.waits), mark.mean);
        hold("the median wait", quantile(&mut run.waits, 0.5), mark.median);
        hold("the last hundredth of waits", quantile(&mut run.waits, 0.99), mark.last);
        hold("the mean gap", mean(&run.gaps), mark.gap);
        let [middle, _, two, _] = &mut run.bands;
        hold("the wait of two sigmas by the middle", mean(two) / mean(middle), FAIR);
        hold("the same of the last tenth", quantile(two, 0.9) / quantile(middle, 0.9), FAIR);
    }
    missed
}

fn show(a_second: f64, window: u32, run: &mut Run) {
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|part| quantile(&mut run.waits, part));
    let middle = mean(&run.bands[0]);
    let by_middle: Vec<String> =
        run.bands[1..].iter().map(|band| format!("{:.2}", mean(band) / middle)).collect();
    let tenth = quantile(&mut run.bands[2], 0.9) / quantile(&mut run.bands[0], 0.9);
    let surplus: Vec<String> = run
        .surplus
        .iter()
        .map(|(sum, count)| format!("{:.2}", f64::from(*sum) / f64::from((*count).max(1))))
        .collect();
    println!(
        "{a_second:>10} {window:>6} | {:>10.3} {p50:>6.3} {p90:>6.3} {p99:>6.3}   | {:>9.2} | {}; {tenth:.2} | {} | {:.1} ({} left)",
        mean(&run.waits),
        mean(&run.gaps),
        by_middle.join(", "),
        surplus.join(" "),
        run.micros,
        run.left
    );
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = ((values.len().saturating_sub(1)) as f64 * part) as usize;
    values.get(place).copied().unwrap_or(0.0)
}
