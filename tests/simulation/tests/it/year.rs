//! Years of a league.

use std::{thread, time::Duration};

use simulation::{Year, year_by_script, year_of_seed};

use super::{number, say};

/// Years of chance in an ordinary run of the tests.
const YEARS: u64 = 1;

#[test]
fn a_year_of_a_league_goes_by_its_script_though_everything_dies_whenever_something_is_due() {
    let year = year_by_script();
    hold(&year);
    assert!(year.troubles > 40 && year.deeds > 60, "{} deaths at {} moments", year.troubles, year.deeds);
}

#[test]
fn a_year_of_a_league_keeps_its_promises_and_happens_the_same_way_twice() {
    let first = number("SIMULATION_FIRST", 1);
    for seed in first..first + number("SIMULATION_YEARS", YEARS) {
        let (one, other) = thread::scope(|scope| {
            let other = scope.spawn(|| year_of_seed(seed));
            (year_of_seed(seed), other.join().expect("a year ends"))
        });
        hold(&one);
        let differs = one.lines.iter().zip(&other.lines).position(|(one, other)| one != other);
        if let Some(at) = differs {
            panic!("seed {seed} differs at line {at}:\n{}\n{}", one.lines[at], other.lines[at]);
        }
        assert_eq!((one.lines.len(), one.digest), (other.lines.len(), other.digest));
    }
}

fn hold(year: &Year) {
    let Year { seed, digest, faults, time, leapt, entries, deeds, latest, troubles, .. } = year;
    if let Ok(file) = std::env::var("SIMULATION_TRACE") {
        std::fs::write(&file, year.lines.join("\n")).expect("the trace can be written");
    }
    let days = |time: &Duration| time.as_secs() / (24 * 3600);
    say(&format!(
        "year {seed}: {} days, {} s of them lived through, {entries} entries, {deeds} deeds of which the latest took {latest:?}, \
         {troubles} troubles, digest {digest:016x}",
        days(time),
        time.saturating_sub(*leapt).as_secs()
    ));
    assert!(faults.is_empty(), "year {seed}: {faults:#?}");
    assert!(days(time) > 100, "two seasons are months");
}
