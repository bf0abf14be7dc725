//! How long the list of a large federation takes, and how many bytes its input and it have: 10,000 members with 100,000 games if
//! nothing is said. It ends with an error where that takes longer than it may.
//!
//! ```text
//! cargo run --release -p strength --example lists [MEMBERS GAMES]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{
    error::Error,
    time::{Duration, Instant},
};

use strength::{
    Elo, EventGames, First, Game, Glicko2, Id, ListInput, Player, Policy, Score, Start, System, bytes,
    compute,
};

/// What may be waited for: the input written, the list computed and written.
const LIMIT: Duration = Duration::from_secs(1);
/// Games of an event.
const EVENT: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let [members, games] = numbers.as_slice().try_into().unwrap_or([10_000, 100_000]);
    let start = Start { by_grade: Vec::new(), otherwise: 1500 };
    let elo = System::Elo(Elo { first: First::Start(start), ..Elo::default() });
    let mut slow = false;
    for (name, system) in [("Elo", elo), ("Glicko-2", System::Glicko2(Glicko2::default()))] {
        let input = input(system, members, games);
        let begun = Instant::now();
        let list = compute(&input, None)?;
        let (ins, outs) = (bytes::of_input(&input), bytes::of_list(&list));
        let took = begun.elapsed();
        println!("{name}: {took:.0?}, input {} bytes, list {} bytes", ins.len(), outs.len());
        slow |= took > LIMIT && numbers.is_empty();
    }
    if slow { Err("it took longer than it may".into()) } else { Ok(()) }
}

/// Games by chance: a sequence of numbers by multiplication (Knuth's MMIX).
fn input(system: System, members: u32, games: u32) -> ListInput {
    let mut state = 1_u64;
    let mut next = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((state >> 33) % u64::from(below)).unwrap_or(0)
    };
    let mut input = ListInput::new(1, 2_461_000, Policy { system, listed_from: 1 });
    input.players = (0..members).map(|number| Player { member: id(number), grade: None }).collect();
    let mut played: Vec<Game> = Vec::new();
    for table in 1..=games {
        let (one, step, score) = (next(members), 1 + next(members - 1), next(5));
        let scores = match score {
            0 | 1 => [Score::Win, Score::Loss],
            2 => [Score::Draw, Score::Draw],
            _ => [Score::Loss, Score::Win],
        };
        played.push(Game { round: 1, table, players: [id(one), id((one + step) % members)], scores });
    }
    let event = |(number, games): (u32, &[Game])| EventGames {
        event: id(number),
        sequence: 1,
        games: games.to_vec(),
    };
    input.events = (0..).zip(played.chunks(EVENT)).map(event).collect();
    input.order();
    input
}

fn id(number: u32) -> Id {
    (u128::from(number) << 64).to_be_bytes()
}
