//! Seeds.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use simulation::{Report, run};

/// Seeds in an ordinary run of the tests.
const SEEDS: u64 = 20;
/// Lines of what happened that are shown of a seed that fails.
const LINES_SHOWN: usize = 40;

#[test]
fn the_platform_keeps_its_promises() {
    let (first, count) = (number("SIMULATION_FIRST", 1), number("SIMULATION_SEEDS", SEEDS));
    let next = AtomicU64::new(first);
    let failed: Mutex<Vec<Report>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let report = run(seed);
                    progress(&report);
                    if !report.faults.is_empty() {
                        failed.lock().expect("nothing panics under it").push(report);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("nothing panics under it");
    for report in &failed {
        show(report);
    }
    let seeds: Vec<u64> = failed.iter().map(|report| report.seed).collect();
    assert!(
        seeds.is_empty(),
        "seeds that failed: {seeds:?}; run one with SIMULATION_FIRST=N SIMULATION_SEEDS=1"
    );
}

#[test]
fn a_seed_happens_the_same_way_twice() {
    for seed in [1, 2] {
        let (one, other) = (run(seed), run(seed));
        let differs = one.lines.iter().zip(&other.lines).position(|(one, other)| one != other);
        if let Some(at) = differs {
            panic!("seed {seed} differs at line {at}:\n{}\n{}", one.lines[at], other.lines[at]);
        }
        assert_eq!((one.lines.len(), one.digest), (other.lines.len(), other.digest));
        assert_ne!(one.digest, run(seed + 100).digest, "another seed is another run");
    }
}

fn progress(report: &Report) {
    let Report { seed, digest, games, events, time, faults, .. } = report;
    let verdict = if faults.is_empty() { "ok" } else { "FAILED" };
    say(&format!(
        "seed {seed}: {verdict}, {games} games, {events} events in {} s of virtual time, digest {digest:016x}",
        time.as_secs()
    ));
    if let Ok(file) = std::env::var("SIMULATION_TRACE") {
        std::fs::write(&file, report.lines.join("\n")).expect("the trace can be written");
        say(&format!("what happened is in {file}"));
    }
}

fn show(report: &Report) {
    say(&format!("\nseed {}:", report.seed));
    for fault in report.faults.iter().take(LINES_SHOWN) {
        say(&format!("  {fault}"));
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[expect(clippy::print_stdout, reason = "a soak shows how far it is")]
fn say(line: &str) {
    println!("{line}");
}
