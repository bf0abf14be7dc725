//! How a list is made.

use crate::{
    Elo, First, Points, Start, glicko2,
    limits::{GRADES_MAX, K_RULES_MAX},
};

/// How a list is made, as far as it is arithmetic: which games count is decided before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// By which system.
    pub system: System,
    /// How many games somebody must have played to be listed with a place.
    pub listed_from: u32,
}

/// A rating system with its parameters. See the crate's documentation for how one is added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum System {
    /// Elo.
    Elo(Elo),
    /// Glicko-2; the games of a list are one rating period.
    Glicko2(Glicko2),
}

/// How Glicko-2 is reckoned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glicko2 {
    /// Where players begin.
    pub start: Start,
    /// The deviation with which they begin, in hundredths of a point.
    pub deviation: u32,
    /// The volatility with which they begin, in millionths.
    pub volatility: u32,
    /// The deviation of an imported rating, in hundredths of a point.
    pub imported_deviation: u32,
    /// How many days a rating period has: by as much the deviation of who does not play grows.
    pub period_days: u16,
    /// Above this deviation a rating is provisional; in hundredths of a point.
    pub provisional_above: u32,
}

/// A policy that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct BadPolicy {
    /// The field at fault.
    pub field: &'static str,
    /// What it can be.
    pub detail: &'static str,
}

impl Default for Glicko2 {
    /// As the paper begins, with a period of a month.
    fn default() -> Glicko2 {
        Glicko2 {
            start: Start { by_grade: Vec::new(), otherwise: 1500 },
            deviation: 35_000,
            volatility: 60_000,
            imported_deviation: 15_000,
            period_days: 30,
            provisional_above: 11_000,
        }
    }
}

impl Policy {
    /// Makes sure that every number is within its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), BadPolicy> {
        ensure(self.listed_from <= 1000, "listed_from", "0 to 1,000 games")?;
        match &self.system {
            System::Elo(elo) => elo.check(),
            System::Glicko2(glicko) => glicko.check(),
        }
    }
}

impl Elo {
    fn check(&self) -> Result<(), BadPolicy> {
        ensure(self.k.len() <= K_RULES_MAX, "elo.k", "16 rules at most")?;
        let mut ks = self.k.iter().map(|rule| rule.k).chain([self.k_otherwise]);
        ensure(ks.all(|k| (1..=200).contains(&k)), "elo.k", "1 to 200 points a game")?;
        let most = self.k_times_games_max.is_none_or(|most| (1..=100_000).contains(&most));
        ensure(most, "elo.k_times_games_max", "1 to 100,000")?;
        let rated = self.k.iter().filter_map(|rule| rule.rating_below).chain(self.floor);
        ensure(rated.into_iter().all(is_rating), "elo.floor", "-10,000 to 10,000 points")?;
        ensure(self.provisional_below <= 1000, "elo.provisional_below", "0 to 1,000 games")?;
        match &self.first {
            First::Start(start) => start.check(),
            First::Performance { games, drawn, max } => {
                ensure((1..=100).contains(games), "elo.first.games", "1 to 100 games")?;
                let drawn =
                    drawn.is_none_or(|(rating, count)| is_rating(rating) && (1..=20).contains(&count));
                ensure(drawn, "elo.first.drawn", "1 to 20 draws with opponents of -10,000 to 10,000 points")?;
                ensure(max.is_none_or(is_rating), "elo.first.max", "-10,000 to 10,000 points")
            }
        }
    }
}

impl Glicko2 {
    fn check(&self) -> Result<(), BadPolicy> {
        self.start.check()?;
        let (least, most) = (*glicko2::RATING_RANGE.start(), *glicko2::RATING_RANGE.end());
        let mut starts = self.start.by_grade.iter().map(|(_, points)| *points).chain([self.start.otherwise]);
        let fits = starts.all(|points| (least..=most).contains(&f64::from(points)));
        ensure(fits, "glicko2.start", "100 to 4,000 points")?;
        for (deviation, field) in [
            (self.deviation, "glicko2.deviation"),
            (self.imported_deviation, "glicko2.imported_deviation"),
            (self.provisional_above, "glicko2.provisional_above"),
        ] {
            ensure((4_500..=35_000).contains(&deviation), field, "45 to 350 points")?;
        }
        ensure((10_000..=100_000).contains(&self.volatility), "glicko2.volatility", "0.01 to 0.1")?;
        ensure((1..=366).contains(&self.period_days), "glicko2.period_days", "1 to 366 days")
    }
}

impl Start {
    fn check(&self) -> Result<(), BadPolicy> {
        let detail = "64 grades at most, each once and the lowest first, of -10,000 to 10,000 points";
        let ordered = self.by_grade.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let mut points = self.by_grade.iter().map(|(_, points)| *points).chain([self.otherwise]);
        ensure(ordered && self.by_grade.len() <= GRADES_MAX && points.all(is_rating), "start", detail)
    }
}

fn is_rating(points: i32) -> bool {
    Points::whole(points) == Points::whole(points).within()
}

fn ensure(holds: bool, field: &'static str, detail: &'static str) -> Result<(), BadPolicy> {
    if holds { Ok(()) } else { Err(BadPolicy { field, detail }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_makes_sense_and_what_is_out_of_range_is_named() {
        let policy = |system| Policy { system, listed_from: 0 };
        assert_eq!(policy(System::Elo(Elo::default())).check(), Ok(()));
        assert_eq!(policy(System::Glicko2(Glicko2::default())).check(), Ok(()));
        let start = Start { by_grade: vec![(1, 1600), (1, 1700)], otherwise: 1500 };
        let bad = [
            (System::Elo(Elo { k_otherwise: 0, ..Elo::default() }), "elo.k"),
            (System::Elo(Elo { floor: Some(10_001), ..Elo::default() }), "elo.floor"),
            (System::Elo(Elo { first: First::Start(start.clone()), ..Elo::default() }), "start"),
            (System::Glicko2(Glicko2 { start, ..Glicko2::default() }), "start"),
            (System::Glicko2(Glicko2 { period_days: 0, ..Glicko2::default() }), "glicko2.period_days"),
            (System::Glicko2(Glicko2 { deviation: 35_001, ..Glicko2::default() }), "glicko2.deviation"),
        ];
        for (system, field) in bad {
            assert_eq!(policy(system).check().map_err(|bad| bad.field), Err(field));
        }
    }
}
