//! Every reading of the printed rules, each of its values with what comes of it: worked out by hand from the rule, in the same
//! event for all values of a reading.

mod pairings;
mod tables;
mod teams;

use std::collections::{BTreeMap, BTreeSet};

use pairing::{Colour, Entry, Number, Player, ResultCode};

use crate::core::event::readings::{READINGS, Reading, Readings, Values};

/// A reading with its event, as its example tells it.
struct Case {
    reading: &'static str,
    /// What comes of the event under these readings.
    play: fn(&Readings) -> String,
}

impl Case {
    /// The values of the reading, with what everybody is told that comes of the event under them.
    fn outcomes(&self) -> &'static [(&'static str, &'static str)] {
        let reading = READINGS.iter().find(|it| it.name == self.reading).expect("a reading");
        reading.example().expect("every reading has an example").outcomes
    }
}

fn cases() -> impl Iterator<Item = &'static Case> {
    tables::CASES.iter().chain(teams::CASES).chain(pairings::CASES)
}

/// The values that must be shown: all words; of numbers the least ones, among them the default; of a list none and each alone.
fn values(reading: &Reading) -> BTreeSet<String> {
    match reading.values {
        Values::Words(words) => words.iter().map(|it| (*it).to_owned()).collect(),
        Values::Number { default, max } => {
            (0..=max.min(3)).chain([default]).map(|it| it.to_string()).collect()
        }
        Values::List(words) => words.iter().chain(&[""]).map(|it| (*it).to_owned()).collect(),
    }
}

#[test]
fn each_value_of_each_reading_has_its_outcome() {
    for case in cases() {
        for (value, outcome) in case.outcomes() {
            let readings = Readings::new([(case.reading, *value)]).expect("it may be chosen");
            assert_eq!((case.play)(&readings), *outcome, "{} {value}", case.reading);
        }
    }
}

#[test]
fn no_reading_and_no_value_is_left_without_a_case() {
    let mut shown: BTreeMap<&str, &Case> = BTreeMap::new();
    for case in cases() {
        assert!(shown.insert(case.reading, case).is_none(), "{} has two cases", case.reading);
    }
    for reading in READINGS {
        let case = shown.remove(reading.name).unwrap_or_else(|| panic!("{} has no case", reading.name));
        let have: BTreeSet<String> = case.outcomes().iter().map(|(value, _)| (*value).to_owned()).collect();
        assert_eq!(have, values(reading), "the values of {}", reading.name);
        let outcomes: BTreeSet<&str> = case.outcomes().iter().map(|(_, outcome)| *outcome).collect();
        assert_eq!(outcomes.len(), have.len(), "two values of {} come to the same", reading.name);
    }
    assert!(shown.is_empty(), "cases of readings that there are not: {:?}", shown.keys());
}

fn field(players: u32) -> Vec<Player> {
    (1..=players).map(Player::new).collect()
}

/// A game with this score of `a`, who has the first colour.
fn game(players: &mut [Player], round: u16, [a, b]: [u32; 2], score: usize) {
    let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
    add(players, a, Entry::game(round, Number(b), Colour::First, codes[score]));
    add(players, b, Entry::game(round, Number(a), Colour::Second, codes[2 - score]));
}

fn bye(players: &mut [Player], round: u16, number: u32, code: ResultCode) {
    add(players, number, Entry::bye(round, code));
}

fn add(players: &mut [Player], number: u32, entry: Entry) {
    players[number as usize - 1].history.push(entry);
}

/// Numbers as a text.
fn listed(numbers: impl IntoIterator<Item = u32>) -> String {
    numbers.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(" ")
}
