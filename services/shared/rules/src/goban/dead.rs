//! Which stones are dead at the end of a game: a suggestion, from which the players may depart.

use super::{
    Area, Board, Colour, PassAlive, Point, agreement::canonical_chains, playout::Playouts, point::CELLS,
};
use crate::{prelude::*, zobrist::mix};

/// How often a round plays the board to the end, each colour first in half of the playouts: a multiple of sixteen.
/// Of so many throws of a fair coin five eighths are heads in one row of a hundred. Two rounds take some
/// milliseconds on a finished board of 19 x 19 and some thirty on one that is wholly open.
const PLAYOUTS: u32 = 96;

/// How often what is dead for certain is taken off before the rest is looked at again. With the first of it gone its
/// captors have their eyes. A third round has brought nothing more in recorded games.
const ROUNDS: u32 = 2;

/// In how many eighths of the playouts a chain falls to the opponent that is dead for certain.
const CERTAIN_EIGHTHS: u32 = 7;

/// In how many eighths it falls to the opponent when it is dead at all. Both have passed, so what lives by moving
/// first was left to die. In recorded games living chains stay below a half, but for a fight that both had left
/// undecided, and a seki keeps to less than a quarter, as neither colour cares to begin.
const DEAD_EIGHTHS: u32 = 5;

/// The chains that are dead on a board on which both players have passed, each named by its first stone in reading
/// order, as a proposal names them. `suicide` says whether several stones may be played to suicide.
///
/// What stands in the land of chains that are alive for certain ([`PassAlive`]) and has no room for two eyes is dead.
/// The rest is decided by playing the board to the end many times by chance: a chain is dead if nearly all its points
/// then belong to the opponent, and if no other chain of its colour with which it shares empty points is alive. So
/// the stones of a seki, between which there is neutral ground, are alive.
///
/// It is a suggestion, no ruling, and what is not settled may go either way. The same board gives the same answer
/// on every machine, for chance comes from the board's own hash. A board with the colours exchanged, or turned, has
/// another hash, and where playouts differ by chance its answer may differ too.
pub fn suggest_dead(board: &Board, suicide: bool) -> Vec<Point> {
    let mut left = board.clone();
    let mut dead = Vec::new();
    let mut seed = board.hash();
    let mut fallen = Vec::new();
    let proved = PassAlive::of(board, suicide);
    for _ in 0..ROUNDS {
        seed = mix(seed);
        let alive = PassAlive::of(&left, suicide);
        let captive = |at: Point, colour: Colour| alive.owner(at) == Some(colour.other());
        lift(&mut left, &mut dead, captive);
        fallen = play_out(&left, &alive, seed);
        let certain =
            |at: Point, _| fallen[at.index()] >= CERTAIN_EIGHTHS * PLAYOUTS / 8 && proved.owner(at).is_none();
        if !lift(&mut left, &mut dead, certain) {
            break;
        }
    }
    let is_dead = |at: Point| fallen[at.index()] >= DEAD_EIGHTHS * PLAYOUTS / 8 && proved.owner(at).is_none();
    let mut disputed = vec![false; CELLS];
    for colour in Colour::BOTH {
        dispute(&left, colour, is_dead, &mut disputed);
    }
    lift(&mut left, &mut dead, |at, _| is_dead(at) && !disputed[at.index()]);
    canonical_chains(board, &dead).expect("they are stones of the board")
}

/// Takes the chains that are dead by one of their stones off the board, and notes a stone of each. Returns whether
/// there were any.
fn lift(board: &mut Board, dead: &mut Vec<Point>, is_dead: impl Fn(Point, Colour) -> bool) -> bool {
    let before = dead.len();
    for at in board.points() {
        if board.stone(at).is_some_and(|colour| is_dead(at, colour)) {
            dead.push(at);
            board.lift_chain(at, |_, _| ());
        }
    }
    dead.len() > before
}

/// For each stone, in how many playouts the points of its chain, taken together, were the opponent's at the end.
fn play_out(board: &Board, alive: &PassAlive, seed: u64) -> Vec<u32> {
    let mut points = vec![0u32; CELLS];
    let mut playouts = Playouts::new(board, alive, seed);
    for nth in 0..PLAYOUTS {
        let first = if nth % 2 == 0 { Colour::Black } else { Colour::White };
        let area = Area::of(playouts.run(first));
        for (at, colour) in stones(board) {
            points[at.index()] += u32::from(area.owner(at) == Some(colour.other()));
        }
    }
    let mut fallen = vec![0; CELLS];
    for (at, _) in stones(board).filter(|(at, _)| board.chain_head(*at) == Some(*at)) {
        let (sum, count) =
            board.chain(at).fold((0, 0), |(sum, count), stone| (sum + points[stone.index()], count + 1));
        for stone in board.chain(at) {
            fallen[stone.index()] = sum / count;
        }
    }
    fallen
}

/// Marks the stones of a colour in each region, cut by the other colour's stones, in which some are dead and some are
/// not: they stand or fall together.
fn dispute(board: &Board, colour: Colour, is_dead: impl Fn(Point) -> bool, disputed: &mut [bool]) {
    let mut seen = vec![false; CELLS];
    for start in board.points().filter(|at| board.stone(*at) == Some(colour)) {
        if core::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        let mut region = vec![start];
        let mut nth = 0;
        while let Some(at) = region.get(nth).copied() {
            nth += 1;
            for beside in board.neighbours(at).filter(|at| board.stone(*at) != Some(colour.other())) {
                if !core::mem::replace(&mut seen[beside.index()], true) {
                    region.push(beside);
                }
            }
        }
        region.retain(|at| board.stone(*at).is_some());
        if region.iter().any(|at| !is_dead(*at)) {
            for at in region {
                disputed[at.index()] = true;
            }
        }
    }
}

fn stones(board: &Board) -> impl Iterator<Item = (Point, Colour)> + '_ {
    board.points().filter_map(|at| board.stone(at).map(|colour| (at, colour)))
}
