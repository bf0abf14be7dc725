//! Whole-history rating (Rémi Coulom, Computers and Games 2008): the ratings that make all results of all time most likely.
//!
//! A player's rating is a curve over the days on which he played. It moves as a Brownian motion does, and every game says by the
//! Bradley-Terry model where it was; a late game moves early days, too. Where few players meet seldom, as in small pools, this
//! knows more than a system that only looks at a game once.
//!
//! The most likely curves are the top of one concave hill, so there is one answer, whatever the order of the games. It is
//! climbed player by player, by Newton's method, whose matrix is tridiagonal.
//!
//! Ratings are in points of Elo around 0, which is where somebody stands of whom nothing is known.

use std::f64::consts::LN_10;

use crate::Score;

#[cfg(test)]
mod tests;

/// Points of Elo in a unit of the logistic curve.
const POINTS: f64 = 400.0 / LN_10;
/// The largest step of a rating at once, in units of the logistic curve: beyond it Newton's method looks at a part of the hill that
/// is too flat.
const STEP_MAX: f64 = 2.0;
/// By how much farther than its own most likely place a curve is moved: curves pull each other along, which is slow where many
/// stand between two (successive over-relaxation, which near the top ends for whatever is below 2).
const RELAXATION: f64 = 1.85;
/// After so many sweeps without progress steps become smaller.
const IDLE_MAX: usize = 20;

/// How a history is weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// By how much a rating moves in a day, as a variance in squared points.
    pub variance_a_day: f64,
    /// Draws against somebody of rating 0 that everybody has on his first day: they hold those who only won or only lost.
    pub virtual_draws: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { variance_a_day: 300.0, virtual_draws: 2.0 }
    }
}

/// A game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game {
    /// Who was first, as a number below the number of players.
    pub first: u32,
    /// Who was second.
    pub second: u32,
    /// On which day, counted from any day.
    pub day: i32,
    /// What the first scored.
    pub score: Score,
    /// By how much the first was stronger than his rating, in points: what the first move is worth, less a handicap he gave.
    pub advantage: f64,
}

/// Where a player stood on a day on which he played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The day.
    pub day: i32,
    /// The rating, in points.
    pub rating: f64,
    /// How uncertain it is, in points: one standard deviation.
    pub deviation: f64,
}

/// A history that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHistory {
    /// Numbers that are none, or nothing that holds who only won.
    #[error("the variance a day and the virtual draws are numbers above 0")]
    Parameters,
    /// There is no such player.
    #[error("game {0} has a player whom there is not")]
    Player(usize),
    /// Nobody plays himself.
    #[error("game {0} is of somebody against himself")]
    Himself(usize),
    /// An advantage that is no number.
    #[error("game {0} has an advantage that is no number")]
    Advantage(usize),
}

/// All games, and the curves so far.
#[derive(Clone, Debug)]
pub struct History {
    parameters: Parameters,
    /// Where each player's days begin in `days`; one more than players.
    starts: Vec<u32>,
    days: Vec<Day>,
    /// Each game twice, once for either player, by day.
    games: Vec<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Day {
    /// Which, counted as its games count.
    number: i32,
    /// Where its games begin in `games`; they end where those of the next day begin.
    games: u32,
    rating: f64,
}

/// A game as one of its players sees it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The opponent's day, as a place in `days`.
    opponent: u32,
    score: f32,
    /// What is added to his own rating, in units of the logistic curve.
    advantage: f32,
}

impl History {
    /// The games of so many players, before anything is known of anybody.
    ///
    /// # Errors
    /// When a game or a parameter cannot be.
    pub fn new(players: u32, games: &[Game], parameters: Parameters) -> Result<History, BadHistory> {
        let Parameters { variance_a_day, virtual_draws } = parameters;
        if ![variance_a_day, virtual_draws].iter().all(|number| number.is_finite() && *number > 0.0) {
            return Err(BadHistory::Parameters);
        }
        for (number, game) in games.iter().enumerate() {
            if game.first >= players || game.second >= players {
                return Err(BadHistory::Player(number));
            }
            if game.first == game.second {
                return Err(BadHistory::Himself(number));
            }
            if !game.advantage.is_finite() {
                return Err(BadHistory::Advantage(number));
            }
        }
        // Each game of each player, by player and day.
        let mut seats: Vec<(u32, i32, u32, bool)> = Vec::with_capacity(2 * games.len());
        for (number, game) in (0_u32..).zip(games) {
            seats.push((game.first, game.day, number, true));
            seats.push((game.second, game.day, number, false));
        }
        seats.sort_unstable();
        let mut history = History {
            parameters,
            starts: Vec::with_capacity(players as usize + 1),
            days: Vec::new(),
            games: Vec::with_capacity(seats.len()),
        };
        let mut places = vec![[0_u32; 2]; games.len()];
        for &(player, day, number, is_first) in &seats {
            let is_new = history.starts.len() <= player as usize;
            while history.starts.len() <= player as usize {
                history.starts.push(length(&history.days));
            }
            if is_new || history.days.last().is_none_or(|last| last.number != day) {
                history.days.push(Day { number: day, games: length(&history.games), rating: 0.0 });
            }
            places[number as usize][usize::from(!is_first)] = length(&history.days) - 1;
            history.games.push(Seen { opponent: number, score: 0.0, advantage: 0.0 });
        }
        while history.starts.len() <= players as usize {
            history.starts.push(length(&history.days));
        }
        for (seen, &(_, _, number, is_first)) in history.games.iter_mut().zip(&seats) {
            let game = &games[number as usize];
            let (score, sign) =
                if is_first { (value(game.score), 1.0) } else { (1.0 - value(game.score), -1.0) };
            let opponent = places[number as usize][usize::from(is_first)];
            #[expect(clippy::cast_possible_truncation, reason = "advantages are of some hundred points")]
            let advantage = (sign * game.advantage / POINTS) as f32;
            *seen = Seen { opponent, score, advantage };
        }
        Ok(history)
    }

    /// Moves every curve once towards where it is most likely, or so many times as far; by how much the rating that moved most
    /// did, in points.
    fn sweep(&mut self, relaxation: f64) -> f64 {
        let mut most = 0.0_f64;
        let mut system = System::default();
        for player in 0..self.starts.len() - 1 {
            self.linearise(player, &mut system);
            system.solve();
            let (from, until) = self.range(player);
            for (day, step) in self.days[from..until].iter_mut().zip(&system.right) {
                let step = (step * relaxation).clamp(-STEP_MAX, STEP_MAX);
                day.rating += step;
                most = most.max(step.abs() * POINTS);
            }
        }
        most
    }

    /// Sweeps over all curves until nothing moves by more than so many points, at most so many times; how often it did, and by
    /// how much something still moved.
    pub fn settle(&mut self, points: f64, sweeps_max: usize) -> (usize, f64) {
        let (mut settling, mut moved) = (self.settling(), f64::INFINITY);
        for sweep in 1..=sweeps_max {
            moved = settling.sweep();
            if moved <= points {
                return (sweep, moved);
            }
        }
        (sweeps_max, moved)
    }

    /// The same a sweep at a time, for who has something else to do in between.
    pub fn settling(&mut self) -> Settling<'_> {
        Settling { history: self, least: f64::INFINITY, idle: 0, relaxation: RELAXATION }
    }

    /// A player's curve, by day; empty for somebody without games, or who is none.
    pub fn curve(&self, player: u32) -> Vec<Point> {
        if player as usize + 1 >= self.starts.len() {
            return Vec::new();
        }
        let mut system = System::default();
        self.linearise(player as usize, &mut system);
        let variances = system.variances();
        let (from, until) = self.range(player as usize);
        let point = |(day, variance): (&Day, f64)| Point {
            day: day.number,
            rating: day.rating * POINTS,
            deviation: libm::sqrt(variance) * POINTS,
        };
        self.days[from..until].iter().zip(variances).map(point).collect()
    }

    fn range(&self, player: usize) -> (usize, usize) {
        (self.starts[player] as usize, self.starts[player + 1] as usize)
    }

    /// The slope of the hill under a player's curve, and how it bends.
    fn linearise(&self, player: usize, system: &mut System) {
        let (from, until) = self.range(player);
        system.clear();
        for place in from..until {
            let day = &self.days[place];
            let end = self.days.get(place + 1).map_or(self.games.len(), |next| next.games as usize);
            let (mut slope, mut bend) = (0.0, 0.0);
            let mut weigh = |weight: f64, score: f64, ahead: f64| {
                let expected = 1.0 / (1.0 + libm::exp(-ahead));
                slope += weight * (score - expected);
                bend += weight * expected * (1.0 - expected);
            };
            for seen in &self.games[day.games as usize..end] {
                let opponent = self.days[seen.opponent as usize].rating;
                weigh(1.0, seen.score.into(), day.rating + f64::from(seen.advantage) - opponent);
            }
            if place == from {
                weigh(self.parameters.virtual_draws, 0.5, day.rating);
            }
            system.push(slope, bend);
        }
        for place in from + 1..until {
            let [before, day] = [&self.days[place - 1], &self.days[place]];
            let passed = f64::from(day.number) - f64::from(before.number);
            let tie = POINTS * POINTS / (self.parameters.variance_a_day * passed);
            system.tie(place - from, tie, day.rating - before.rating);
        }
    }
}

/// Curves on their way to where they are most likely.
#[derive(Debug)]
pub struct Settling<'a> {
    history: &'a mut History,
    /// The least by which anything moved in a sweep so far.
    least: f64,
    /// Sweeps since then.
    idle: usize,
    relaxation: f64,
}

impl Settling<'_> {
    /// Moves every curve once; by how much the rating that moved most did, in points.
    pub fn sweep(&mut self) -> f64 {
        let moved = self.history.sweep(self.relaxation);
        self.idle = if moved < self.least { 0 } else { self.idle + 1 };
        self.least = self.least.min(moved);
        if self.idle == IDLE_MAX {
            // Far from its top the hill is not what it looks like: smaller steps do not go beyond it.
            (self.idle, self.relaxation) = (0, self.relaxation * 0.7);
        }
        moved
    }
}

/// Equations `A x = b` with a tridiagonal, symmetric, positive definite `A`.
#[derive(Debug, Default)]
struct System {
    diagonal: Vec<f64>,
    /// The element of each row beside the diagonal, towards the row before; none of the first.
    beside: Vec<f64>,
    right: Vec<f64>,
}

impl System {
    fn clear(&mut self) {
        self.diagonal.clear();
        self.beside.clear();
        self.right.clear();
    }

    fn push(&mut self, slope: f64, bend: f64) {
        self.diagonal.push(bend);
        self.beside.push(0.0);
        self.right.push(slope);
    }

    /// Ties a row to the one before, whose values differ by so much.
    fn tie(&mut self, row: usize, tie: f64, difference: f64) {
        self.diagonal[row] += tie;
        self.diagonal[row - 1] += tie;
        self.beside[row] = -tie;
        self.right[row] -= tie * difference;
        self.right[row - 1] += tie * difference;
    }

    /// Leaves the solution in `right`; the matrix is spent.
    fn solve(&mut self) {
        for row in 1..self.diagonal.len() {
            let part = self.beside[row] / self.diagonal[row - 1];
            self.diagonal[row] -= part * self.beside[row];
            self.right[row] -= part * self.right[row - 1];
        }
        let mut after = 0.0;
        for row in (0..self.diagonal.len()).rev() {
            let beside = self.beside.get(row + 1).copied().unwrap_or(0.0);
            after = (self.right[row] - beside * after) / self.diagonal[row];
            self.right[row] = after;
        }
    }

    /// The diagonal of the matrix's inverse.
    fn variances(&self) -> Vec<f64> {
        let rows = self.diagonal.len();
        let (mut down, mut up) = (self.diagonal.clone(), self.diagonal.clone());
        for row in 1..rows {
            down[row] -= self.beside[row] * self.beside[row] / down[row - 1];
        }
        for row in (1..rows).rev() {
            up[row - 1] -= self.beside[row] * self.beside[row] / up[row];
        }
        (0..rows).map(|row| 1.0 / (down[row] + up[row] - self.diagonal[row])).collect()
    }
}

fn value(score: Score) -> f32 {
    match score {
        Score::Win => 1.0,
        Score::Draw => 0.5,
        Score::Loss => 0.0,
    }
}

fn length<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).unwrap_or(u32::MAX)
}
