//! How long rounds of a Swiss and its last table take: medians of five events of nine rounds, and how the time grows with
//! their players. It ends with an error where one takes longer than it may on two cores.
//!
//! ```text
//! cargo run --release -p pairing --example rounds [PLAYERS …]
//! cargo run --release -p pairing --example rounds weights PLAYERS ROUND
//! ```
//! The second form prints the matchings of a round: for each pool a line `pool VERTICES EDGES TOTAL`, its total that of the
//! pairs that were chosen, and a line `A B COST` for each edge.
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{
    collections::BTreeMap,
    error::Error,
    time::{Duration, Instant},
};

use pairing::{
    Colour, Entry, FirstRound, Number, Player, ResultCode, StandingsSettings,
    standings::{Sheet, individual},
    swiss,
};

const ROUNDS: u16 = 9;
const EVENTS: u64 = 5;

/// What may be waited for in a hall: with so many players, for the worst round and for the table after the last.
const LIMITS: [(u32, Duration, Duration); 2] = [
    (1_000, Duration::from_millis(200), Duration::from_millis(50)),
    (10_000, Duration::from_secs(8), Duration::from_millis(50)),
];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u32> = words.iter().filter_map(|it| it.parse().ok()).collect();
    match (words.first().map(String::as_str), numbers.as_slice()) {
        (Some("weights"), [players, round]) => {
            weights(*players, u16::try_from(*round).unwrap_or(ROUNDS)).map_err(Into::into)
        }
        (_, []) => times(&[250, 500, 1_000, 2_500, 5_000, 10_000]),
        (_, sizes) => times(sizes),
    }
}

/// Measures events of these sizes; an error where a limit was passed.
fn times(sizes: &[u32]) -> Result<(), Box<dyn Error>> {
    let mut before: Option<(u32, Duration)> = None;
    let mut slow = Vec::new();
    for players in sizes.iter().copied() {
        let (rounds, tables): (Vec<Vec<Duration>>, Vec<Duration>) =
            (0..EVENTS).map(|seed| event(players, seed)).unzip();
        let medians: Vec<Duration> = (0..usize::from(ROUNDS))
            .map(|round| median(rounds.iter().filter_map(|event| event.get(round)).copied().collect()))
            .collect();
        let worst = medians.iter().copied().max().unwrap_or_default();
        let growth = before.map_or_else(String::new, |(fewer, faster)| {
            let (n, t) = (f64::from(players) / f64::from(fewer), worst.as_secs_f64() / faster.as_secs_f64());
            format!(", as n^{:.1}", t.ln() / n.ln())
        });
        println!("{players} players: worst round {worst:.1?}{growth}; rounds {medians:.1?}");
        let table = median(tables);
        println!("{players} players: table after the last round {table:.1?}");
        slow.extend(too_slow(players, worst, table));
        before = Some((players, worst));
    }
    if slow.is_empty() { Ok(()) } else { Err(slow.join("; ").into()) }
}

/// What took longer than it may. No more players than a limit is for may take no longer, either.
fn too_slow(players: u32, round: Duration, table: Duration) -> Vec<String> {
    let Some((_, round_max, table_max)) = LIMITS.into_iter().find(|(most, ..)| players <= *most) else {
        return Vec::new();
    };
    [("a round", round, round_max), ("the table", table, table_max)]
        .into_iter()
        .filter(|(_, took, most)| took > most)
        .map(|(what, took, most)| format!("{what} of {players} players took {took:.1?}, at most {most:.1?}"))
        .collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn begin(players: u32, seed: u64) -> swiss::Input {
    let mut input = swiss::Input::new(1, ROUNDS, (1..=players).map(Player::new).collect());
    input.settings.first_round = if seed.is_multiple_of(2) { FirstRound::Fold } else { FirstRound::Draw };
    input.seed[0] = u8::try_from(seed).unwrap_or(0);
    input
}

/// Plays an event, and tells how long each pairing took, and the table at its end.
fn event(players: u32, seed: u64) -> (Vec<Duration>, Duration) {
    let mut input = begin(players, seed);
    let mut chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut times = Vec::new();
    while input.round <= ROUNDS {
        let start = Instant::now();
        let Ok(round) = swiss::pair(&input) else { break };
        times.push(start.elapsed());
        play(&mut input, &round, &mut chance);
    }
    let start = Instant::now();
    let (settings, rounds) = (StandingsSettings::default(), ROUNDS);
    let table =
        individual::swiss(&Sheet { players: &input.players, rounds, settings: &settings, seed: input.seed });
    let took = start.elapsed();
    assert_eq!(table.len(), input.players.len(), "everybody has a line");
    (times, took)
}

/// The matchings of a round of the event by fold.
fn weights(players: u32, round: u16) -> Result<(), swiss::PairingError> {
    let mut input = begin(players, 0);
    let mut chance = 1;
    while input.round < round {
        let made = swiss::pair(&input)?;
        play(&mut input, &made, &mut chance);
    }
    for problem in swiss::problems(&input)? {
        let costs: BTreeMap<(usize, usize), i128> =
            problem.edges.iter().map(|(a, b, cost)| ((*a, *b), *cost)).collect();
        let total: i128 = problem.pairs.iter().filter_map(|pair| costs.get(pair)).sum();
        println!("pool {} {} {total}", problem.vertices, problem.edges.len());
        for (a, b, cost) in problem.edges {
            println!("{a} {b} {cost}");
        }
    }
    Ok(())
}

/// Results by chance; the stronger mostly win.
fn play(input: &mut swiss::Input, round: &swiss::Round, chance: &mut u64) {
    let players = i64::try_from(input.players.len()).unwrap_or(i64::MAX);
    for pair in &round.pairs {
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some((first, second)) = pair.by_colour() else { continue };
        let lead = i64::from(second.0) - i64::from(first.0);
        let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
        let luck = i64::try_from(*chance >> 33).unwrap_or(0) % players;
        let code = match lead * 2 + luck * 2 - players {
            0..=9 => 1,
            10.. => 2,
            _ => 0,
        };
        let round = input.round;
        add(input, first, Entry::game(round, second, Colour::First, codes[code]));
        add(input, second, Entry::game(round, first, Colour::Second, codes[2 - code]));
    }
    for out in &round.out {
        let round = input.round;
        add(input, out.number, Entry::bye(round, out.code));
    }
    input.round += 1;
}

fn add(input: &mut swiss::Input, number: Number, entry: Entry) {
    if let Some(player) = input.players.get_mut(number.0 as usize - 1) {
        player.history.push(entry);
    }
}
