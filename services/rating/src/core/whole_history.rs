//! Whole-history ratings of a category: where everybody stood on each day by all games, earlier and later ones. In a small pool,
//! where few meet seldom, they know more than ratings that look at each game once.

use std::collections::HashMap;

use chassis::id::AccountId;
use strength::whr::{BadHistory, History, Parameters, Settling};
use time::{Date, OffsetDateTime};

use super::{
    advantage::Advantages,
    game::{Game, scores},
    glicko2::{PERIOD, Rating, SCALE, Score},
};

/// Pools of more players are not small: there everybody meets many.
pub const PLAYERS_MAX: u32 = 500;
/// More games than these are not weighed, so that it takes a moment.
pub const GAMES_MAX: usize = 50_000;
/// When nothing moves by more than this any more, in points, it is done.
pub const SETTLED: f64 = 0.001;
/// The most sweeps; a hundred are usual.
pub const SWEEPS_MAX: usize = 1_000;

/// Where somebody stood on a day on which he played, or stands now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The day, in UTC.
    pub day: Date,
    /// The rating, on the scale that starts at 1500.
    pub rating: f64,
    /// How uncertain it is: one standard deviation, in points.
    pub deviation: f64,
}

/// The games of a category that count, before their history is known.
#[derive(Debug)]
pub struct Unsettled {
    players: HashMap<AccountId, u32>,
    history: History,
}

/// Where everybody of a category stood.
#[derive(Clone, Debug)]
pub struct WholeHistory {
    /// By player, in the order of the days.
    curves: HashMap<AccountId, Vec<Point>>,
    /// When the games were read that it rests on.
    read: OffsetDateTime,
}

/// By how much a rating moves in a day, as a variance in squared points: as that of somebody moves by Glicko-2 who has the
/// volatility with which everybody begins.
fn variance_a_day() -> f64 {
    let a_period = Rating::INITIAL.volatility() * SCALE;
    a_period * a_period * 86_400.0 / PERIOD.as_secs_f64()
}

impl Unsettled {
    /// These games of one category.
    ///
    /// # Errors
    /// When a game is one of somebody against himself, which none is that was rated.
    pub fn new(games: &[Game], advantages: &Advantages) -> Result<Unsettled, BadHistory> {
        let mut players = HashMap::new();
        let mut number = |account| {
            let next = u32::try_from(players.len()).unwrap_or(u32::MAX);
            *players.entry(account).or_insert(next)
        };
        let compared = games.iter().filter_map(|game| {
            let [first, second] = scores(game.verdict())?;
            // Who has lost together is not compared.
            let compares = (first, second) != (Score::Loss, Score::Loss);
            compares.then(|| strength::whr::Game {
                first: number(game.players[0].id),
                second: number(game.players[1].id),
                day: day(game.ended.date()),
                score: match first {
                    Score::Win => strength::Score::Win,
                    Score::Draw => strength::Score::Draw,
                    Score::Loss => strength::Score::Loss,
                },
                advantage: advantages.of(game),
            })
        });
        let compared: Vec<strength::whr::Game> = compared.collect();
        let parameters = Parameters { variance_a_day: variance_a_day(), ..Parameters::default() };
        let count = u32::try_from(players.len()).unwrap_or(u32::MAX);
        Ok(Unsettled { history: History::new(count, &compared, parameters)?, players })
    }

    /// The way to the history, a step at a time.
    pub fn settling(&mut self) -> Settling<'_> {
        self.history.settling()
    }

    /// The history, as far as it has come.
    pub fn history(self, read: OffsetDateTime) -> WholeHistory {
        let Unsettled { players, history } = self;
        let curve = |(account, number): (AccountId, u32)| {
            let points = history.curve(number).into_iter().filter_map(|point| {
                let day = Date::from_julian_day(point.day).ok()?;
                Some(Point {
                    day,
                    rating: Rating::INITIAL.value() + point.rating,
                    deviation: point.deviation,
                })
            });
            (account, points.collect())
        };
        WholeHistory { curves: players.into_iter().map(curve).collect(), read }
    }
}

impl WholeHistory {
    /// Where somebody stood on each day on which he played, in their order.
    pub fn curve(&self, account: AccountId) -> &[Point] {
        self.curves.get(&account).map_or(&[], Vec::as_slice)
    }

    /// Where somebody stands at a moment after his last game: where he stood then, the less certainly the longer ago that is.
    pub fn now(&self, account: AccountId, now: OffsetDateTime) -> Option<Point> {
        let last = self.curve(account).last()?;
        let passed = f64::from(day(now.date()).saturating_sub(day(last.day)).max(0));
        let deviation = (last.deviation * last.deviation + passed * variance_a_day()).sqrt();
        Some(Point { day: last.day, rating: last.rating, deviation })
    }

    /// When the games were read that it rests on.
    pub const fn read(&self) -> OffsetDateTime {
        self.read
    }
}

fn day(date: Date) -> i32 {
    date.to_julian_day()
}

#[cfg(test)]
mod tests;
