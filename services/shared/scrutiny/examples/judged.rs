//! How many of those who lose on purpose are found, by strategy, and how many of the honest are reported with them: in pools with other
//! seeds than those by which limits were set. It ends with an error where fewer than nine of ten are found, or more than one
//! of a hundred honest is reported.
//!
//! ```text
//! cargo run --release -p scrutiny --example judged [POOLS [FIRST_SEED]]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it judges")]

mod population;

use std::{collections::BTreeMap, error::Error};

use population::{Strategy, population};
use rand::{SeedableRng as _, rngs::StdRng};
use scrutiny::{Finding, Suspicion, scrutinise};

/// How many honest players a pool has.
const HONEST: u32 = 2_000;
/// How many pools are judged, and from which seed on.
const POOLS: u64 = 40;
const FIRST_SEED: u64 = 3_001;
/// How many of those who lose on purpose are to be found at least, and of the honest reported at most.
const FOUND_MIN: f64 = 0.9;
const REPORTED_MAX: f64 = 0.01;

/// Of how many players how many were reported, for what.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    players: u32,
    reported: u32,
    by: [u32; 3],
}

impl Tally {
    fn add(&mut self, findings: Option<&[Finding; 3]>) {
        let beyond = findings.map_or([false; 3], |findings| findings.each_ref().map(Finding::is_suspicious));
        self.players += 1;
        self.reported += u32::from(beyond.contains(&true));
        for (by, beyond) in self.by.iter_mut().zip(beyond) {
            *by += u32::from(beyond);
        }
    }

    fn part(self) -> f64 {
        f64::from(self.reported) / f64::from(self.players.max(1))
    }

    fn line(self, name: &str) -> String {
        let percent = |count: u32| 100.0 * f64::from(count) / f64::from(self.players.max(1));
        let [alone, streaks, company] = self.by.map(percent);
        format!(
            "{name:<36} {:>6} {:>8.1} {alone:>8.1} {streaks:>8.1} {company:>8.1}",
            self.players,
            percent(self.reported)
        )
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|it| it.parse()).collect::<Result<Vec<u64>, _>>()?;
    let pools = numbers.first().copied().unwrap_or(POOLS);
    let first = numbers.get(1).copied().unwrap_or(FIRST_SEED);
    let mut tallies: BTreeMap<Option<Strategy>, Tally> = BTreeMap::new();
    let mut honest: [Vec<f64>; 3] = Default::default();
    // Who came to no game on purpose in his days has done nothing.
    let mut idle = 0;
    for seed in first..first + pools {
        let pool = population(HONEST, &mut StdRng::seed_from_u64(seed));
        let found = scrutinise(&pool.games);
        for (player, (strategy, on_purpose)) in (0..).zip(pool.strategies.iter().zip(&pool.on_purpose)) {
            if strategy.is_some() && *on_purpose == 0 {
                idle += 1;
                continue;
            }
            let findings = found.get(&player).map(|found| &found.findings);
            tallies.entry(*strategy).or_default().add(findings);
            if strategy.is_none() {
                for (scores, finding) in honest.iter_mut().zip(findings.into_iter().flatten()) {
                    scores.push(finding.score);
                }
            }
        }
    }
    println!("{:<36} {:>6} {:>8} {:>8} {:>8} {:>8}", "", "", "reported", "alone", "streaks", "company");
    for (strategy, tally) in &tallies {
        let name = strategy.map_or_else(
            || "honest".to_owned(),
            |it| format!("{:?}, {:?}, {} of 100", it.company, it.manner, it.percent),
        );
        println!("{}", tally.line(&name));
    }
    for (suspicion, mut scores) in Suspicion::ALL.into_iter().zip(honest) {
        scores.sort_by(f64::total_cmp);
        let at = |permille: usize| scores[(scores.len() - 1) * permille / 1000];
        println!("{suspicion:?}: of the honest 99 % are below {:.1}, 99.7 % below {:.1}", at(990), at(997));
    }
    let (honest, guilty): (Vec<_>, Vec<_>) = tallies.iter().partition(|(strategy, _)| strategy.is_none());
    let sum = |of: Vec<(&Option<Strategy>, &Tally)>| {
        of.iter().fold(Tally::default(), |sum, (_, tally)| Tally {
            players: sum.players + tally.players,
            reported: sum.reported + tally.reported,
            by: [0, 1, 2].map(|it| sum.by[it] + tally.by[it]),
        })
    };
    let (honest, guilty) = (sum(honest), sum(guilty));
    println!("{}", guilty.line("all who lose on purpose"));
    println!("{idle} more came to no game in which they did");
    if guilty.part() < FOUND_MIN || honest.part() > REPORTED_MAX {
        Err("not as it should be".into())
    } else {
        Ok(())
    }
}
