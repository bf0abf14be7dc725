//! Laws of Swiss pairing over random events (section 4, lines 3 and 5).

use std::fmt::Write as _;

use pairing::{
    Colour, Number, ResultCode, check,
    swiss::{self, Input, PairingError, Round},
};
use sha2::{Digest as _, Sha256};

use crate::events::{Chance, play, random_event};

/// SHA-256 of the rounds of twenty events, as [`printed`] has them.
const TWENTY_EVENTS: [u8; 32] = [
    0x5e, 0x4a, 0x4c, 0x31, 0x3d, 0xec, 0x15, 0x86, 0x71, 0x93, 0x18, 0x20, 0xb7, 0xa5, 0x4d, 0x70, 0x82,
    0xd6, 0x43, 0xcd, 0x92, 0x09, 0x52, 0xb1, 0x43, 0x92, 0xa9, 0x99, 0xed, 0xc1, 0x17, 0x7a,
];

/// What became of events.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    /// How many were played.
    events: u32,
    /// Rounds that were paired.
    rounds: u32,
    /// Those of them with so few players that every possibility was tried.
    compared: u32,
    /// Events that ended because nothing legal was left.
    refused: u32,
}

impl Played {
    fn add(&mut self, other: Played) {
        self.events += other.events;
        self.rounds += other.rounds;
        self.compared += other.compared;
        self.refused += other.refused;
    }
}

/// Plays an event to its end.
fn run(seed: u64, players: u32, rounds_max: u32) -> Played {
    let mut chance = Chance::new(seed);
    let mut event = random_event(&mut chance, players, rounds_max);
    let mut played = Played { events: 1, ..Played::default() };
    while event.round <= event.rounds {
        match swiss::pair(&event) {
            Ok(round) => {
                let faults = check::round(&event, &round);
                assert!(faults.is_empty(), "event {seed} of {players}, round {}: {faults:?}", event.round);
                let faults = check::audit(&event, &round);
                assert!(faults.is_empty(), "event {seed} of {players}, round {}: {faults:?}", event.round);
                played.rounds += 1;
                played.compared += u32::from(is_compared(&round));
                play(&mut chance, &mut event, &round);
            }
            Err(PairingError::NoLegalPairing(blocking) | PairingError::NoBye(blocking)) => {
                assert_eq!(
                    check::audit_refusal(&event),
                    None,
                    "event {seed} of {players}, round {}",
                    event.round
                );
                assert!(!blocking.players.is_empty(), "event {seed} of {players}: nobody is named");
                if let Some(left_over) = left_over(&event) {
                    let told = blocking.left_over as usize;
                    assert_eq!(told, left_over, "event {seed} of {players}, round {}", event.round);
                }
                return Played { refused: 1, ..played };
            }
            Err(PairingError::TooFewPlayers(_)) => return played,
            Err(error) => panic!("event {seed} of {players}: {error}"),
        }
    }
    played
}

/// Whether no more took part in a round than every possibility is tried for.
fn is_compared(round: &Round) -> bool {
    let free = round.out.iter().filter(|out| out.code == ResultCode::Pab).count();
    2 * round.pairs.len() + free <= check::AUDIT_MAX
}

/// How many stay without an opponent in the best case, every pairing tried; none where they are too many for that.
fn left_over(event: &Input) -> Option<usize> {
    let there = event.players.iter().filter(|it| it.plays_in(event.round)).map(|it| it.number);
    let there: Vec<Number> = there.collect();
    (there.len() <= check::AUDIT_MAX).then(|| there.len() - 2 * most_pairs(event, &there))
}

fn most_pairs(event: &Input, players: &[Number]) -> usize {
    let Some((one, others)) = players.split_first() else { return 0 };
    // The first stays without an opponent, or has one of the others.
    let without = most_pairs(event, others);
    let with = (0..others.len()).filter(|at| may_meet(event, *one, others[*at])).map(|at| {
        let rest: Vec<Number> = others.iter().copied().filter(|it| *it != others[at]).collect();
        1 + most_pairs(event, &rest)
    });
    with.max().unwrap_or(0).max(without)
}

fn may_meet(event: &Input, one: Number, other: Number) -> bool {
    let faults = check::laws(event, &[[one, other]], &[]);
    !faults.iter().any(|it| matches!(it.rule(), Some("H1" | "H3" | "H4")))
}

#[test]
fn the_checker_finds_nothing_in_events_of_any_size() {
    let mut all = Played::default();
    for seed in 0..300 {
        let players = 4 + u32::try_from(seed % 57).unwrap();
        all.add(run(seed, players, (players / 2).min(11)));
    }
    assert!(all.rounds > 1_000 && all.refused < 60, "{all:?}");
}

#[test]
fn small_events_are_as_good_as_every_possibility_tried() {
    let mut refused = 0;
    for seed in 1_000..1_400 {
        let players = 4 + u32::try_from(seed % 7).unwrap();
        // More rounds than there need be pairings for, so that some are refused.
        refused += run(seed, players, players - 1).refused;
    }
    assert!(refused > 5, "refusals were hardly tried: {refused}");
}

#[test]
fn pools_too_large_to_weigh_every_pair_are_right_too() {
    for seed in 0..4 {
        let played = run(seed, 701, 5);
        assert!(played.rounds > 0 && played.refused == 0, "event {seed}");
    }
}

/// `tests/soak/pairing` runs it.
#[test]
#[ignore = "a soak: five thousand events"]
fn the_checker_finds_nothing_in_five_thousand_events() {
    let mut all = Played::default();
    for seed in 10_000..15_000 {
        let players = 4 + u32::try_from(seed % 57).unwrap();
        all.add(run(seed, players, players / 2));
    }
    println!("{all:?}");
    assert_eq!(all.events, 5_000);
    assert!(all.rounds > 30_000 && all.compared > 1_000, "{all:?}");
}

#[test]
fn the_same_bytes_give_the_same_round() {
    for seed in 0..20 {
        let mut chance = Chance::new(seed);
        let mut event = random_event(&mut chance, 30, 11);
        while event.round <= event.rounds {
            let Ok(round) = swiss::pair(&event) else { break };
            let again = event.clone();
            assert_eq!((again.bytes(), Ok(&round)), (event.bytes(), swiss::pair(&again).as_ref()));
            play(&mut chance, &mut event, &round);
        }
    }
}

/// A round must come out the same on every machine, and years later when somebody pairs again what was stored. Where this
/// fails on purpose, no round paired before can be checked by pairing it again.
#[test]
fn twenty_events_are_paired_on_every_machine_as_they_always_were() {
    let mut hash = Sha256::new();
    for seed in 0..20 {
        let mut chance = Chance::new(seed);
        // The last one has pools in which not every pair is weighed.
        let (players, rounds_max) =
            if seed == 19 { (401, 3) } else { (20 + u32::try_from(seed).unwrap(), 11) };
        let mut event = random_event(&mut chance, players, rounds_max);
        while event.round <= event.rounds {
            let Ok(round) = swiss::pair(&event) else { break };
            hash.update(printed(&round));
            play(&mut chance, &mut event, &round);
        }
    }
    assert_eq!(<[u8; 32]>::from(hash.finalize()), TWENTY_EVENTS);
}

/// What was paired from what: the hash of the input, a line for each table, and one for each player without a game.
fn printed(round: &Round) -> Vec<u8> {
    let mut lines = String::new();
    for pair in &round.pairs {
        let [higher, lower] = pair.players;
        let colour = pair.colour.map_or("-", Colour::name);
        writeln!(lines, "{}: {higher} {lower} {colour}", pair.table).expect("a string takes it");
    }
    for out in &round.out {
        writeln!(lines, "{} {}", out.number, out.code.name()).expect("a string takes it");
    }
    [&round.input_hash, lines.as_bytes()].concat()
}
