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

use simulation::{Report, With, run_with};

/// Seeds in an ordinary run of the tests.
const SEEDS: u64 = 20;
/// Lines of what happened that are shown of a seed that fails.
const LINES_SHOWN: usize = 40;

/// Every seed that ever failed, one a line; with a word of [`WITH`] where the run was made to have that.
const FAILED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/failed-seeds.txt");

/// What a run may be made to have, whatever its seed says.
const WITH: [(&str, With); 4] =
    [("nothing", With::Nothing), ("event", With::Event), ("queue", With::Queue), ("crowd", With::Crowd)];

#[test]
fn the_platform_keeps_its_promises() {
    let (first, count) = (number("SIMULATION_FIRST", 1), number("SIMULATION_SEEDS", SEEDS));
    // All runs have this then, and not only those whose seed says so.
    let with = std::env::var("SIMULATION_WITH")
        .ok()
        .map(|name| named(&name).expect("SIMULATION_WITH is a word of the list"));
    say(&format!("{count} seeds from {first} on"));
    let failed = run_all(&(first..first + count).map(|seed| Wanted { seed, with }).collect::<Vec<_>>());
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
    let seeds = [(With::Nothing, 2), (With::Event, 4), (With::Queue, 3)];
    let of = |(with, count)| (1..=count).map(move |seed| Wanted { seed, with: Some(with) });
    side_by_side(&seeds.into_iter().flat_map(of).collect::<Vec<_>>(), |wanted| {
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
    /// What it has; what its seed says where nothing is said.
    with: Option<With>,
}

impl Wanted {
    fn run(self) -> Report {
        run_with(self.seed, self.with.unwrap_or_else(|| With::of(self.seed)))
    }
}

fn named(name: &str) -> Option<With> {
    WITH.into_iter().find(|(known, _)| *known == name).map(|(_, with)| with)
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
    let (rounds, matched): (Mutex<Vec<usize>>, Mutex<Vec<usize>>) = Default::default();
    side_by_side(seeds, |wanted| {
        let report = wanted.run();
        progress(&report);
        rounds.lock().expect("nothing panics under it").extend(report.rounds);
        matched.lock().expect("nothing panics under it").extend(report.matched);
        if !report.faults.is_empty() {
            failed.lock().expect("nothing panics under it").push((*wanted, report));
        }
    });
    let counted = |all: Mutex<Vec<usize>>| {
        let all = all.into_inner().expect("nothing panics under it");
        (all.len(), all.into_iter().sum::<usize>())
    };
    let ((events, rounds), (queues, matched)) = (counted(rounds), counted(matched));
    say(&format!(
        "{} seeds, {events} of them with an event, of {rounds} rounds in all, and {queues} with a queue, of which {matched} games came",
        seeds.len()
    ));
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
         and SIMULATION_WITH=event, queue or crowd where it was made to have that"
    );
}

/// The seeds that failed once.
fn kept() -> Vec<Wanted> {
    let text = fs::read_to_string(FAILED).expect("the list of seeds that failed can be read");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let wanted = |line: &str| {
        let (seed, with) = line.split_once(' ').map_or((line, None), |(seed, with)| (seed, Some(with)));
        let with = with.map(|name| named(name).expect("a line of the list says what the run has"));
        Wanted { seed: seed.parse().expect("a line of the list is a seed"), with }
    };
    lines.map(wanted).collect()
}

/// Writes seeds that have failed into the list, those that are not there yet.
fn keep(failed: &[(Wanted, Report)]) {
    let known = kept();
    let mut list = fs::File::options().append(true).open(FAILED).expect("the list can be written");
    for (Wanted { seed, with }, _) in failed.iter().filter(|(wanted, _)| !known.contains(wanted)) {
        let name =
            WITH.into_iter().find(|(_, known)| Some(*known) == *with).map(|(name, _)| format!(" {name}"));
        writeln!(list, "{seed}{}", name.unwrap_or_default()).expect("the list can be written");
    }
}

fn progress(report: &Report) {
    let Report { seed, digest, games, events, rounds, matched, time, faults, .. } = report;
    let verdict = if faults.is_empty() { "ok" } else { "FAILED" };
    let held = rounds.map(|rounds| format!(", {rounds} rounds of an event")).unwrap_or_default();
    let queued = matched.map(|matched| format!(", {matched} of a queue")).unwrap_or_default();
    say(&format!(
        "seed {seed}: {verdict}, {games} games{held}{queued}, {events} events in {} s of virtual time, digest {digest:016x}",
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
