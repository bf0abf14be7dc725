//! What the first move and handicap stones are worth, by the results of games.
//!
//! The expectation is that of Glicko-2 for two players of whom neither is provisional, the first of whom is stronger by what he has
//! times what that is worth: that worth is told that makes the results most likely. It is held lightly where it was before anything
//! was known, by as much as a few games say: whatever the results, there is one answer.

use std::ops::RangeInclusive;

use rules::{Side, Verdict};

use super::{
    advantage::{Advantage, FIRST_MOVE_RANGE, STONE_RANGE, stones},
    book::Change,
    glicko2::{PROVISIONAL_ABOVE, SCALE, certainty},
};

/// How uncertain a worth is before any game, as a standard deviation in points.
const PRIOR_DEVIATION: f64 = 200.0;
/// The largest step of Newton's method, in points.
const STEP_MAX: f64 = 100.0;
/// When a step is no larger, in points, it is done.
const SETTLED: f64 = 1e-6;
/// The most steps; a dozen are usual.
const STEPS_MAX: usize = 200;

/// What a game says of what something is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Observed {
    /// By how much the first side was rated higher.
    difference: f64,
    /// How much of that counts, by both deviations: `g` of the paper.
    certainty: f64,
    /// How much of it the first side had.
    had: f64,
    /// What the first side scored.
    score: f64,
}

/// Games, as far as they say what being first is worth.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    even: Vec<Observed>,
    with_handicap: Vec<Observed>,
}

/// What something is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// How much, in points.
    pub points: f64,
    /// How uncertain that is: one standard deviation, in points.
    pub deviation: f64,
    /// By how many games.
    pub games: u64,
}

/// What games say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What the first move of an even game is worth.
    pub first_move: Worth,
    /// What a stone is worth.
    pub stone: Worth,
}

impl Evidence {
    /// One more game, which did this to its first side and its second. It says nothing where either was provisional, or where the
    /// verdict compares nobody.
    pub fn add(&mut self, [first, second]: [&Change; 2], handicap: u8) {
        let score = match first.verdict {
            Verdict::Win(Side::First) => 1.0,
            Verdict::Win(Side::Second) => 0.0,
            Verdict::Draw => 0.5,
            Verdict::BothLose | Verdict::Void => return,
        };
        let ratings = [first, second].map(|change| change.before.rating);
        if ratings.iter().any(|rating| rating.deviation() > PROVISIONAL_ABOVE) {
            return;
        }
        let observed = |had| Observed {
            difference: ratings[0].value() - ratings[1].value(),
            certainty: certainty(ratings[0], ratings[1]),
            had,
            score,
        };
        match stones(handicap) {
            None => self.even.push(observed(1.0)),
            Some(stones) => self.with_handicap.push(observed(stones)),
        }
    }

    /// What the games say together.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            first_move: Worth::of(&self.even, Advantage::INITIAL.first_move()),
            stone: Worth::of(&self.with_handicap, Advantage::INITIAL.stone()),
        }
    }
}

impl Worth {
    /// What these games say that something is worth, of which so much was thought before.
    fn of(games: &[Observed], before: f64) -> Worth {
        let mut points = before;
        for _ in 0..STEPS_MAX {
            let (slope, bend) = lie_of_likelihood(games, points, before);
            let step = (slope / bend).clamp(-STEP_MAX, STEP_MAX);
            points += step;
            if step.abs() < SETTLED {
                break;
            }
        }
        let (_, bend) = lie_of_likelihood(games, points, before);
        Worth { points, deviation: bend.sqrt().recip(), games: games.len() as u64 }
    }
}

/// How steeply the logarithm of the likelihood rises at a worth, and how it bends there: everywhere downwards.
fn lie_of_likelihood(games: &[Observed], points: f64, before: f64) -> (f64, f64) {
    let prior = (PRIOR_DEVIATION * PRIOR_DEVIATION).recip();
    let (mut slope, mut bend) = (prior * (before - points), prior);
    for game in games {
        let unit = game.certainty / SCALE;
        let expected = (1.0 + libm::exp(-unit * (game.difference + points * game.had))).recip();
        slope += unit * game.had * (game.score - expected);
        bend += unit * unit * game.had * game.had * expected * (1.0 - expected);
    }
    (slope, bend)
}

impl Estimate {
    /// What is to hold by it: where at least so many games say it, and otherwise as it was before.
    pub fn advantage(&self, games_min: u64, before: Advantage) -> Advantage {
        let held = |worth: Worth, range: RangeInclusive<f64>, before| {
            if worth.games < games_min { before } else { worth.points.clamp(*range.start(), *range.end()) }
        };
        let first_move = held(self.first_move, FIRST_MOVE_RANGE, before.first_move());
        let stone = held(self.stone, STONE_RANGE, before.stone());
        Advantage::new(first_move, stone).unwrap_or(before)
    }
}

#[cfg(test)]
mod tests;
