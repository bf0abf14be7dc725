//! How fast a game is in each of its phases.

use std::hint::black_box;

use crate::{
    contest::Contest,
    measure::{self, Row},
    random::Random,
};

/// Positions of one phase, each with a turn that may be played there.
struct Sample<C: Contest> {
    phase: &'static str,
    /// A position with which the phase began in each game.
    openings: Vec<C>,
    positions: Vec<(C, C::Turn)>,
}

/// One position in so many is kept.
const EVERY: usize = 7;

/// Measures a game and prints its tables.
pub fn measure<C: Contest>(games: u64, rounds: usize) {
    let samples = samples::<C>(games);
    let rows = |what: &str, count: fn(&Sample<C>) -> u64| -> Vec<Row<'_>> {
        samples.iter().map(|it| Row::timed(format!("{what} in {}", it.phase), move || count(it))).collect()
    };
    let title = |what: &str| format!("{}: {what}", C::NAME);
    measure::list(&title("every turn listed"), "lists", rounds, rows("lists", list));
    measure::list(&title("turns in these lists"), "turns", rounds, rows("turns", list_turns));
    let mut turns = rows("turns", |sample| play(sample).0);
    turns.push(Row::timed("turns from start to end", || (0..games).map(whole::<C>).sum()));
    measure::list(&title("random playouts, every turn listed"), "turns", rounds, turns);
    let mut playouts = rows("playouts", |sample| play(sample).1);
    playouts.push(Row::timed("playouts from start to end", || {
        black_box((0..games).map(whole::<C>).sum::<u64>());
        games
    }));
    measure::list(&title("random playouts to the end of a phase"), "games", rounds, playouts);
    let mut undone = rows("turns", undo);
    undone.extend(rows("copies of a position", copy));
    measure::list(&title(&format!("turns played and taken back {}", C::UNDO)), "turns", rounds, undone);
}

fn samples<C: Contest>(games: u64) -> Vec<Sample<C>> {
    let empty = |phase: &&'static str| Sample { phase, openings: Vec::new(), positions: Vec::new() };
    let mut samples: Vec<Sample<C>> = C::PHASES.iter().map(empty).collect();
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut position = C::start();
        let mut phase = None;
        let mut ply = 0;
        while let Some(turn) = position.draw(&mut random) {
            let sample = samples.iter_mut().find(|it| Some(it.phase) == position.phase());
            let sample = sample.expect("the game names all its phases");
            if phase.replace(sample.phase) != Some(sample.phase) {
                sample.openings.push(position.clone());
                sample.positions.push((position.clone(), turn.clone()));
            } else if ply % EVERY == 0 {
                sample.positions.push((position.clone(), turn.clone()));
            }
            position.play(&turn);
            ply += 1;
        }
    }
    samples
}

fn list<C: Contest>(sample: &Sample<C>) -> u64 {
    sample.positions.iter().for_each(|(position, _)| drop(black_box(position.list())));
    sample.positions.len() as u64
}

fn list_turns<C: Contest>(sample: &Sample<C>) -> u64 {
    sample.positions.iter().map(|(position, _)| position.list().len() as u64).sum()
}

/// Plays the phase of every sampled game to its end; how many turns that took, and how many games.
fn play<C: Contest>(sample: &Sample<C>) -> (u64, u64) {
    let mut turns = 0;
    for (seed, opening) in (0..).zip(&sample.openings) {
        let mut position = opening.clone();
        let mut random = Random::new(seed);
        while position.phase() == Some(sample.phase)
            && let Some(turn) = position.draw(&mut random)
        {
            position.play(&turn);
            turns += 1;
        }
    }
    (turns, sample.openings.len() as u64)
}

/// Plays a whole game; how many turns that took.
fn whole<C: Contest>(seed: u64) -> u64 {
    let mut position = C::start();
    let mut random = Random::new(seed);
    let mut turns = 0;
    while let Some(turn) = position.draw(&mut random) {
        position.play(&turn);
        turns += 1;
    }
    turns
}

fn undo<C: Contest>(sample: &Sample<C>) -> u64 {
    for (position, turn) in &sample.positions {
        let mut position = position.clone();
        let before = position.hash();
        // The copy that starts this is shared by several turns, so that it does not count.
        (0..TAKEN_BACK).for_each(|_| position.play_and_undo(turn));
        assert_eq!(position.hash(), before, "a turn taken back leaves nothing");
    }
    (sample.positions.len() * TAKEN_BACK) as u64
}

fn copy<C: Contest>(sample: &Sample<C>) -> u64 {
    for (position, _) in &sample.positions {
        (0..TAKEN_BACK).for_each(|_| drop(black_box(position.clone())));
    }
    (sample.positions.len() * TAKEN_BACK) as u64
}

/// How often a turn is played and taken back in each position.
const TAKEN_BACK: usize = 16;
