//! What positions and running games weigh, in bytes, and whether playing allocates.

use allocation_counter::measure;
use anyhow::ensure;
use rules::{RuleSet, VARIANTS};
use rules_peers::{
    contest::Contest,
    engine::Engine,
    games::Games,
    goban::Goban,
    libego::GoGameBoard,
    ours::{SimpleKo, Superko},
    random::Random,
};

fn main() -> anyhow::Result<()> {
    println!("bytes                                              start      middle         end");
    for size in [19, 9] {
        let games = Games::random(size, 20);
        println!("Go {size}x{size}");
        go::<Superko>(&games);
        go::<SimpleKo>(&games);
        go::<GoGameBoard>(&games);
        go::<Goban>(&games);
    }
    contest::<rules::jiu::Position>();
    contest::<rules::jirige::Position>();
    println!("games as a server holds them, just started");
    for variant in VARIANTS {
        let (game, bytes) = weigh(|| (variant.start)(&RuleSet::named("")));
        game?;
        println!("  {:<40} {bytes:>11}", variant.name());
    }
    steady()
}

/// The bytes that what is made holds on the heap, and itself.
fn weigh<T>(make: impl FnOnce() -> T) -> (T, i64) {
    let mut value = None;
    let info = measure(|| value = Some(make()));
    let own = i64::try_from(size_of::<T>()).expect("a size");
    (value.expect("it was made"), own + info.bytes_current)
}

fn line(name: &str, bytes: [i64; 3]) {
    let [start, middle, end] = bytes;
    println!("  {name:<40} {start:>11} {middle:>11} {end:>11}");
}

/// A game with its history, at the start, half-way and at the end; means over games.
fn go<E: Engine>(games: &Games) {
    let bytes = [0, 50, 100].map(|percent| {
        let sum: i64 = games
            .games
            .iter()
            .map(|moves| {
                let moves = &moves[..moves.len() * percent / 100];
                weigh(|| E::replay(games.size, moves)).1
            })
            .sum();
        sum / i64::try_from(games.games.len()).expect("few games")
    });
    line(E::NAME, bytes);
}

/// The same for a position of another game.
fn contest<C: Contest>() {
    println!("{}", C::NAME);
    let play = |turns: usize| {
        weigh(|| {
            let mut random = Random::new(1);
            let mut position = C::start();
            for _ in 0..turns {
                let Some(turn) = position.draw(&mut random) else { break };
                position.play(&turn);
            }
            position
        })
        .1
    };
    let mut random = Random::new(1);
    let mut position = C::start();
    let mut turns = 0;
    while let Some(turn) = position.draw(&mut random) {
        position.play(&turn);
        turns += 1;
    }
    line("shoutan", [play(0), play(turns / 2), play(turns)]);
}

/// Plays whole games of Go of usual length: only the start may allocate.
fn steady() -> anyhow::Result<()> {
    for size in [19, 9] {
        let games = Games::random(size, 20);
        let mut allocations = 0;
        for moves in &games.games {
            let mut engine = Superko::new(size);
            allocations += measure(|| {
                for at in moves {
                    engine.apply(*at);
                }
            })
            .count_total;
        }
        println!("Go {size}x{size}: {allocations} allocations in {} moves", games.moves());
        ensure!(allocations == 0, "playing allocates");
    }
    Ok(())
}
