//! How long rounds of a Swiss take: medians of five events of nine rounds, for 1,000 and 10,000 players, and how the
//! time grows with their number.
//!
//! `cargo run --release -p pairing --example rounds [players ...]`
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::time::{Duration, Instant};

use pairing::{Entry, FirstRound, Number, Player, ResultCode, swiss};

const ROUNDS: u16 = 9;
const EVENTS: u64 = 5;

fn main() {
    let named: Vec<u32> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let sizes = if named.is_empty() { vec![250, 500, 1_000, 2_500, 5_000, 10_000] } else { named };
    let mut before: Option<(u32, Duration)> = None;
    for players in sizes {
        let rounds: Vec<Vec<Duration>> = (0..EVENTS).map(|seed| event(players, seed)).collect();
        let medians: Vec<Duration> = (0..usize::from(ROUNDS))
            .map(|round| median(rounds.iter().map(|event| event[round]).collect()))
            .collect();
        let worst = medians.iter().copied().max().unwrap_or_default();
        let growth = before.map_or_else(String::new, |(fewer, faster)| {
            let (n, t) = (f64::from(players) / f64::from(fewer), worst.as_secs_f64() / faster.as_secs_f64());
            format!(", as n^{:.1}", t.ln() / n.ln())
        });
        println!("{players} players: worst round {worst:.1?}{growth}; rounds {medians:.1?}");
        before = Some((players, worst));
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Plays an event in which the stronger mostly win, and tells how long each pairing took.
fn event(players: u32, seed: u64) -> Vec<Duration> {
    let mut input = swiss::Input::new(1, ROUNDS, (1..=players).map(Player::new).collect());
    input.settings.first_round = if seed.is_multiple_of(2) { FirstRound::Fold } else { FirstRound::Draw };
    input.seed[0] = u8::try_from(seed).unwrap_or(0);
    let mut chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut times = Vec::new();
    while input.round <= ROUNDS {
        let start = Instant::now();
        let Ok(round) = swiss::pair(&input) else { break };
        times.push(start.elapsed());
        for pair in &round.pairs {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some((first, second)) = pair.by_colour() else { continue };
            let lead = i64::from(second.0) - i64::from(first.0);
            let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
            let luck = i64::try_from((chance >> 33) % u64::from(players)).unwrap_or(0);
            let code = match lead * 2 + luck * 2 - i64::from(players) {
                0..=9 => 1,
                10.. => 2,
                _ => 0,
            };
            add(
                &mut input,
                first,
                Entry::game(round_of(&times), second, pairing::Colour::First, codes[code]),
            );
            add(
                &mut input,
                second,
                Entry::game(round_of(&times), first, pairing::Colour::Second, codes[2 - code]),
            );
        }
        for out in &round.out {
            add(&mut input, out.number, Entry::bye(round_of(&times), out.code));
        }
        input.round += 1;
    }
    times
}

fn round_of(times: &[Duration]) -> u16 {
    u16::try_from(times.len()).unwrap_or(u16::MAX)
}

fn add(input: &mut swiss::Input, number: Number, entry: Entry) {
    if let Some(player) = input.players.get_mut(number.0 as usize - 1) {
        player.history.push(entry);
    }
}
