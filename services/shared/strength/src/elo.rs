//! Elo: expected scores, and what a player's games change.
//!
//! Everything here is whole numbers. An expected score is in ten-thousandths of a game; it follows from the difference of two
//! ratings in whole points, and those of two players add up to one game exactly. A change is in hundredths of a point.

use crate::{First, Points};

/// Ten-thousandths of a game in a game.
pub const GAME: i64 = 10_000;

/// How Elo is reckoned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elo {
    /// How the expected score follows from a difference.
    pub expectation: Expectation,
    /// The greatest difference that is reckoned with, in points; none where all of it is. 400 is FIDE's.
    pub difference_max: Option<u16>,
    /// How much a game moves whom: the first rule that is true of a player.
    pub k: Vec<KRule>,
    /// How much it moves him of whom none is true.
    pub k_otherwise: u16,
    /// The most that K and the number of games of one list come to, multiplied: of more games K is smaller. FIDE's is 700.
    pub k_times_games_max: Option<u32>,
    /// How somebody gets his first rating.
    pub first: First,
    /// The lowest rating, in points.
    pub floor: Option<i32>,
    /// Whether changes are rounded to whole points, halves away from zero.
    pub whole_points: bool,
    /// As long as somebody has played fewer games, his rating is provisional.
    pub provisional_below: u32,
}

/// How the expected score follows from a difference of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// By FIDE's table of hundredths (FIDE Handbook B.02, 8.1.2).
    Table,
    /// 1 / (1 + 10^(-difference / 400)), to the next ten-thousandth.
    Logistic,
}

/// A K, and of whom it is the K: of those of whom everything is true that it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KRule {
    /// Of who has played fewer games before this list.
    pub games_below: Option<u32>,
    /// Of who is rated less, in points.
    pub rating_below: Option<i32>,
    /// Of who has this grade or a higher one.
    pub grade_from: Option<i32>,
    /// Of who has a lower grade.
    pub grade_below: Option<i32>,
    /// Points for a game.
    pub k: u16,
}

/// The greatest differences at which 50, 51, ... 99 hundredths are expected of the stronger one (8.1.2); beyond, 100.
const DIFFERENCES: [u32; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179,
    188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456,
    484, 517, 559, 619, 735,
];

impl Default for Elo {
    /// As FIDE reckons for adults, in hundredths of a point: K 40 for 30 games, 20 below 2400, and 10.
    fn default() -> Elo {
        let rule = |games_below, rating_below, k| KRule { games_below, rating_below, k, ..KRule::default() };
        Elo {
            expectation: Expectation::Table,
            difference_max: Some(400),
            k: vec![rule(Some(30), None, 40), rule(None, Some(2400), 20)],
            k_otherwise: 10,
            k_times_games_max: Some(700),
            first: First::Performance { games: 5, drawn: Some((1800, 2)), max: Some(2200) },
            floor: None,
            whole_points: false,
            provisional_below: 30,
        }
    }
}

impl Elo {
    /// What is expected of a player against an opponent, in ten-thousandths of a game. Both ratings are taken in whole
    /// points, halves away from zero.
    pub fn expected(&self, player: Points, opponent: Points) -> i64 {
        let difference = i64::from(player.rounded()) - i64::from(opponent.rounded());
        let most = self.difference_max.map_or(u64::MAX, u64::from);
        let apart = difference.unsigned_abs().min(most);
        let of_stronger = match self.expectation {
            Expectation::Table => table(apart),
            Expectation::Logistic => logistic(apart),
        };
        if difference < 0 { GAME - of_stronger } else { of_stronger }
    }

    /// K of somebody with this rating and grade who has played so many games before, and plays so many in this list.
    pub fn k(&self, rating: Points, grade: Option<i32>, before: u32, now: u32) -> u32 {
        let is_his = |rule: &&KRule| {
            rule.games_below.is_none_or(|games| before < games)
                && rule.rating_below.is_none_or(|below| rating < Points::whole(below))
                && rule.grade_from.is_none_or(|from| grade.is_some_and(|grade| grade >= from))
                && rule.grade_below.is_none_or(|below| grade.is_some_and(|grade| grade < below))
        };
        let k = u32::from(self.k.iter().find(is_his).map_or(self.k_otherwise, |rule| rule.k));
        match self.k_times_games_max {
            Some(most) if now > 0 && u64::from(k) * u64::from(now) > u64::from(most) => (most / now).max(1),
            _ => k,
        }
    }

    /// A rating after games whose scores were so much higher in all than what was expected, in ten-thousandths of a game.
    pub fn after(&self, rating: Points, k: u32, surplus: i64) -> Points {
        let unit = if self.whole_points { 100 } else { 1 };
        let change = divide(i64::from(k) * surplus, GAME / 100 * unit) * unit;
        self.not_below_floor(rating.moved(change))
    }

    /// A rating, or the floor.
    pub(crate) fn not_below_floor(&self, rating: Points) -> Points {
        self.floor.map_or(rating, |floor| rating.max(Points::whole(floor)))
    }
}

/// A quotient, halves away from zero.
pub(crate) const fn divide(number: i64, by: i64) -> i64 {
    let half = if number < 0 { -(by / 2) } else { by / 2 };
    (number + half) / by
}

fn table(apart: u64) -> i64 {
    let at = DIFFERENCES.partition_point(|greatest| u64::from(*greatest) < apart);
    (50 + i64::try_from(at).unwrap_or(50)) * 100
}

fn logistic(apart: u64) -> i64 {
    // Nobody is further apart than 4,000 points, of whom nothing else is expected anyway.
    let apart = f64::from(u16::try_from(apart.min(4000)).unwrap_or(4000));
    let expected = 1.0 / (1.0 + libm::exp10(-apart / 400.0));
    i64::from(crate::points::to_i32(libm::round(expected * 10_000.0)))
}

#[cfg(test)]
mod tests;
