//! How fast the rules are, beside other libraries, in one run.
//!
//! `speed [--quick] [go | jiu | jirige]...`: all of them when none is named.

use std::hint::black_box;

use anyhow::ensure;
use rules_peers::{
    area::Boards,
    engine::Engine,
    games::Games,
    goban::Goban,
    libego::GoGameBoard,
    measure::{Row, list, table},
    ours::{SimpleKo, Superko},
    phases,
    playout::Playout,
    random::Random,
    scripts::{self, Task},
};

/// How much is done.
struct Extent {
    rounds: usize,
    /// Games of Go on 19x19.
    games: usize,
    /// Games of the others.
    contests: u64,
}

/// How many games the slowest engines play.
const SLOW_GAMES: usize = 20;

fn main() -> anyhow::Result<()> {
    let (options, named): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let extent = match options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Extent { rounds: 7, games: 1000, contests: 40 },
        ["--quick"] => Extent { rounds: 3, games: 200, contests: 10 },
        _ => anyhow::bail!("speed [--quick] [go | jiu | jirige]..."),
    };
    let wanted = |name: &str| named.is_empty() || named.iter().any(|it| it == name);
    if wanted("go") {
        for (size, games) in [(19, extent.games), (9, 4 * extent.games)] {
            go(size, games, extent.rounds)?;
        }
    }
    if wanted("jiu") {
        phases::measure::<rules::jiu::Position>(extent.contests, extent.rounds);
    }
    if wanted("jirige") {
        phases::measure::<rules::jirige::Position>(extent.contests, extent.rounds);
    }
    Ok(())
}

fn go(size: u8, count: usize, rounds: usize) -> anyhow::Result<()> {
    let games = Games::random(size, count);
    let slow = games.text(SLOW_GAMES);
    agree(&games)?;
    println!("\nGo {size}x{size}: {count} random games, {} moves", games.moves());
    table(
        &format!("Go {size}x{size}: moves of known games applied"),
        "moves",
        rounds,
        vec![
            applied::<SimpleKo>(&games),
            applied::<Superko>(&games),
            applied::<GoGameBoard>(&games),
            applied::<Goban>(&games),
            scripts::row("sgfmill, simple ko", "python3", "play_sgfmill.py", Task::Apply, &slow),
            scripts::row("@sabaki/go-board, simple ko", "node", "play_sabaki.js", Task::Apply, &slow),
        ],
    );
    table(
        &format!("Go {size}x{size}: random playouts to the end, legality of every move checked"),
        "moves",
        rounds,
        vec![
            played::<Superko>(size, count),
            played::<SimpleKo>(size, count),
            played::<GoGameBoard>(size, count),
            played::<Goban>(size, count / 10),
        ],
    );
    list(&format!("Go {size}x{size}: dead stones suggested"), "boards", rounds, suggested(&games));
    areas(&games, &slow, rounds)
}

/// Boards at the end of random games, on which little is open, and half-way, on which everything is: a game that
/// people have finished lies between.
fn suggested<'a>(games: &Games) -> Vec<Row<'a>> {
    let row = |(percent, when)| {
        let boards = Boards::after(games, percent, 20).ours;
        Row::timed(format!("shoutan, {when}"), move || {
            for board in &boards {
                black_box(rules::goban::suggest_dead(board, false));
            }
            boards.len() as u64
        })
    };
    [(100, "at the end"), (50, "half-way")].map(row).into()
}

/// Whether all engines come to boards with the same number of stones.
fn agree(games: &Games) -> anyhow::Result<()> {
    fn stones<E: Engine>(games: &Games) -> Vec<u32> {
        games.games.iter().take(100).map(|moves| E::replay(games.size, moves).stones()).collect()
    }
    let ours = stones::<Superko>(games);
    ensure!(ours == stones::<SimpleKo>(games), "our two engines disagree");
    ensure!(ours == stones::<GoGameBoard>(games), "go_game_board disagrees");
    ensure!(ours == stones::<Goban>(games), "goban disagrees");
    Ok(())
}

fn applied<E: Engine>(games: &Games) -> Row<'_> {
    Row::timed(E::NAME, || {
        for moves in &games.games {
            black_box(E::replay(games.size, moves));
        }
        games.moves()
    })
}

fn played<'a, E: Engine>(size: u8, count: usize) -> Row<'a> {
    let mut playout = Playout::new(size);
    Row::timed(E::NAME, move || {
        let mut moves = 0;
        for seed in 0..count {
            black_box(playout.run::<E>(&mut Random::new(seed as u64), |_| moves += 1));
        }
        moves
    })
}

/// How often a board is counted in a round.
const COUNTED: u64 = 5;

fn areas(games: &Games, slow: &str, rounds: usize) -> anyhow::Result<()> {
    let size = games.size;
    for (percent, when) in [(100, "at the end"), (50, "half-way")] {
        let boards = Boards::after(games, percent, 200);
        ensure!(boards.flood_ours() == boards.flood_goban(), "goban counts otherwise");
        let row = |name: &str, count: fn(&Boards) -> i64| {
            let boards = &boards;
            Row::timed(name, move || {
                black_box((0..COUNTED).map(|_| count(black_box(boards))).sum::<i64>());
                COUNTED * boards.ours.len() as u64
            })
        };
        let mut rows = vec![
            row("shoutan, every region flooded", Boards::flood_ours),
            row("go_game_board 0.1, neighbours of each point only", Boards::neighbours_libego),
            row("go_game_board 0.1, stones and single eyes only", Boards::eyes_libego),
            row("goban 0.20, every region flooded", Boards::flood_goban),
        ];
        if percent == 100 {
            rows.push(scripts::row(
                "sgfmill, every region flooded",
                "python3",
                "play_sgfmill.py",
                Task::Area,
                slow,
            ));
        }
        table(&format!("Go {size}x{size}: areas counted {when}"), "boards", rounds, rows);
    }
    Ok(())
}
