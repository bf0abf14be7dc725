//! Seeds.

mod year;

use std::{
    fs,
    io::Write as _,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use simulation::{Report, run, run_with_event};

/// Seeds in an ordinary run of the tests.
const SEEDS: u64 = 20;
/// Lines of what happened that are shown of a seed that fails.
const LINES_SHOWN: usize = 40;

/// Every seed that ever failed, one a line; with the word `event` where the run was made to have one.
const FAILED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/failed-seeds.txt");

#[test]
fn the_platform_keeps_its_promises() {
    let (first, count) = (number("SIMULATION_FIRST", 1), number("SIMULATION_SEEDS", SEEDS));
    // All runs have an event then, and not only those whose seed says so.
    let with_event = std::env::var("SIMULATION_EVENTS").is_ok_and(|which| which == "all");
    say(&format!("{count} seeds from {first} on"));
    let failed = run_all(&(first..first + count).map(|seed| Wanted { seed, with_event }).collect::<Vec<_>>());
    if std::env::var_os("SIMULATION_KEEP").is_some() {
        keep(&failed);
    }
    hold(&failed);
}

#[test]
fn a_seed_that_once_failed_does_not_fail_again() {
    hold(&run_all(&kept()));
}

#[test]
fn a_seed_happens_the_same_way_twice() {
    let plain = [1, 2].map(|seed| Wanted { seed, with_event: false });
    let with_event = [1, 2, 3, 4].map(|seed| Wanted { seed, with_event: true });
    side_by_side(&[plain.as_slice(), &with_event].concat(), |wanted| {
        let (seed, one, other) = (wanted.seed, wanted.run(), wanted.run());
        let differs = one.lines.iter().zip(&other.lines).position(|(one, other)| one != other);
        if let Some(at) = differs {
            panic!("seed {seed} differs at line {at}:\n{}\n{}", one.lines[at], other.lines[at]);
        }
        assert_eq!((one.lines.len(), one.digest), (other.lines.len(), other.digest));
        let another = Wanted { seed: seed + 100, ..*wanted };
        assert_ne!(one.digest, another.run().digest, "another seed is another run");
    });
}

/// A run that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    seed: u64,
    /// Whether it has an event whatever its seed says.
    with_event: bool,
}

impl Wanted {
    fn run(self) -> Report {
        if self.with_event { run_with_event(self.seed) } else { run(self.seed) }
    }
}

/// Does something with each of these, with as many at a time as there are processors.
fn side_by_side(seeds: &[Wanted], each: impl Fn(&Wanted) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(wanted) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    each(wanted);
                }
            });
        }
    });
}

/// Runs these seeds; those that failed.
fn run_all(seeds: &[Wanted]) -> Vec<(Wanted, Report)> {
    let failed: Mutex<Vec<(Wanted, Report)>> = Mutex::default();
    let held: Mutex<Vec<usize>> = Mutex::default();
    side_by_side(seeds, |wanted| {
        let report = wanted.run();
        progress(&report);
        held.lock().expect("nothing panics under it").extend(report.rounds);
        if !report.faults.is_empty() {
            failed.lock().expect("nothing panics under it").push((*wanted, report));
        }
    });
    let rounds = held.into_inner().expect("nothing panics under it");
    let (events, rounds) = (rounds.len(), rounds.into_iter().sum::<usize>());
    say(&format!("{} seeds, {events} of them with an event, of {rounds} rounds in all", seeds.len()));
    failed.into_inner().expect("nothing panics under it")
}

fn hold(failed: &[(Wanted, Report)]) {
    for (_, report) in failed {
        show(report);
    }
    let seeds: Vec<u64> = failed.iter().map(|(wanted, _)| wanted.seed).collect();
    assert!(
        seeds.is_empty(),
        "seeds that failed: {seeds:?}; run one with SIMULATION_FIRST=N SIMULATION_SEEDS=1, \
         and SIMULATION_EVENTS=all where it was made to have an event"
    );
}

/// The seeds that failed once.
fn kept() -> Vec<Wanted> {
    let text = fs::read_to_string(FAILED).expect("the list of seeds that failed can be read");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let wanted = |line: &str| {
        let (seed, with_event) = line.strip_suffix(" event").map_or((line, false), |seed| (seed, true));
        Wanted { seed: seed.parse().expect("a line of the list is a seed"), with_event }
    };
    lines.map(wanted).collect()
}

/// Writes seeds that have failed into the list, those that are not there yet.
fn keep(failed: &[(Wanted, Report)]) {
    let known = kept();
    let mut list = fs::File::options().append(true).open(FAILED).expect("the list can be written");
    for (Wanted { seed, with_event }, _) in failed.iter().filter(|(wanted, _)| !known.contains(wanted)) {
        let event = if *with_event { " event" } else { "" };
        writeln!(list, "{seed}{event}").expect("the list can be written");
    }
}

fn progress(report: &Report) {
    let Report { seed, digest, games, events, rounds, time, faults, .. } = report;
    let verdict = if faults.is_empty() { "ok" } else { "FAILED" };
    let held = rounds.map(|rounds| format!(", {rounds} rounds of an event")).unwrap_or_default();
    say(&format!(
        "seed {seed}: {verdict}, {games} games{held}, {events} events in {} s of virtual time, digest {digest:016x}",
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
