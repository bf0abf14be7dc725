//! How long it takes to rate all games anew: a million, of 20,000 players over ten years, if nothing else is said. It ends with an
//! error where that takes longer than it may.
//!
//! ```text
//! cargo run --release -p rating --example replay [PLAYERS GAMES]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{
    error::Error,
    time::{Duration, Instant},
};

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rating::core::{
    book::Book,
    category::{Category, Speed, Variant},
    game::{Game, Player},
};
use rules::{Side, Verdict};
use time::OffsetDateTime;
use uuid::Uuid;

/// What may be waited for.
const LIMIT: Duration = Duration::from_secs(5);
/// Over how long they play.
const YEARS: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let [players, games] = numbers.as_slice().try_into().unwrap_or([20_000, 1_000_000]);
    let told: Vec<Game> = told(players, games)?;
    let (begun, mut book) = (Instant::now(), Book::default());
    for game in &told {
        book.play(game);
    }
    let took = begun.elapsed();
    println!("{games} games of {players} players rated anew in {took:.2?}; {} ratings", book.ratings().len());
    println!("memory at most, with the games: {}", peak()?);
    if took > LIMIT && numbers.is_empty() { Err("it takes too long".into()) } else { Ok(()) }
}

/// Games in their order. Who is stronger wins more often.
fn told(players: u32, games: u32) -> Result<Vec<Game>, Box<dyn Error>> {
    let category = Category { variant: Variant::parse("go").ok_or("no name")?, speed: Speed::Rapid };
    let mut rng = StdRng::seed_from_u64(1);
    let step = Duration::from_secs(YEARS * 365 * 24 * 3600) / games;
    let player = |number: u32| Player {
        id: Uuid::from_u128(u128::from(number) + 1).into(),
        name: format!("player {number}"),
    };
    let game = |number: u32| {
        let one = rng.random_range(0..players);
        let other = (one + rng.random_range(1..players)) % players;
        let stronger = if one < other { Side::First } else { Side::Second };
        let winner = if rng.random_bool(0.7) { stronger } else { stronger.other() };
        Game {
            id: Uuid::from_u128(u128::from(number) + 1).into(),
            category: category.clone(),
            players: [player(one), player(other)],
            told: if rng.random_bool(0.02) { Verdict::Draw } else { Verdict::Win(winner) },
            ended: OffsetDateTime::UNIX_EPOCH + step * number,
            annulled: false,
            event: None,
            federation: None,
            sequence: 1,
            handicap: 0,
            acts: 100,
            ending: None,
        }
    };
    Ok((0..games).map(game).collect())
}

/// The most memory that the process has had, as the system says it.
fn peak() -> Result<String, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("the system does not say")?;
    Ok(line.trim().to_owned())
}
