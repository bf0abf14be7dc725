//! How long an event takes to be written and read in each format.
//!
//! ```text
//! cargo run --release -p exchange --example formats
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::time::Instant;

use exchange::{Format, Game, Outcome, PersonName, Player, Round, Tournament};
use pairing::berger;

/// Players and rounds: a club, a great open, and the most players that every format takes.
const SIZES: [(u32, u16); 3] = [(50, 5), (1_000, 9), (9_998, 11)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (players, rounds) in SIZES {
        let event = broken_off(players, rounds);
        for format in Format::ALL {
            let began = Instant::now();
            let (bytes, _) = format.write(&event)?;
            let written = began.elapsed();
            let began = Instant::now();
            let (read, _) = format.read(&bytes)?;
            let took = began.elapsed();
            assert_eq!(read, event.as_carried_by(format)?, "it comes back");
            let (name, size) = (format.name(), bytes.len());
            println!(
                "{players} players, {rounds} rounds, {name}: {size} bytes written in {written:.2?}, read in {took:.2?}"
            );
        }
    }
    Ok(())
}

/// The first rounds of a round robin, all of whose games white has won.
fn broken_off(players: u32, rounds: u16) -> Tournament {
    let named = |number: u32| Player {
        name: PersonName::new("བཀྲ་ཤིས་", &format!("Family{number}"), "Given"),
        ..Player::new(number)
    };
    let mut event = Tournament { players: (1..=players).map(named).collect(), ..Tournament::default() };
    for laid in berger::single(players).into_iter().take(rounds.into()) {
        let games = (1..).zip(laid.games);
        let games = games.map(|(board, (first, second))| Game::new(board, first, second, Outcome::WhiteWins));
        event.rounds.push(Round { games: games.collect(), ..Round::default() });
    }
    event
}
