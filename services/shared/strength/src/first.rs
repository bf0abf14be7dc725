//! First ratings: of those who have none.

use crate::{Points, elo::divide};

/// How somebody gets his first rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// He has one as soon as he plays, by his grade.
    Start(Start),
    /// By his performance in his first games against rated opponents: their average, and the difference that FIDE's table
    /// (FIDE Handbook B.02, 8.1.1) has for his score. Until then his games count for nobody else.
    Performance {
        /// How many games it takes; those of several lists are added up.
        games: u32,
        /// Draws that are added to them: with opponents of this rating, in points, and how many. FIDE adds two of 1800.
        drawn: Option<(i32, u8)>,
        /// The highest first rating, in points. FIDE's is 2200.
        max: Option<i32>,
    },
}

/// Where players begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Grades with ratings in points, the lowest first: whoever has a grade between two begins as one of the lower.
    pub by_grade: Vec<(i32, i32)>,
    /// Where everybody else begins, in points: who has no grade, or a lower one than all of these.
    pub otherwise: i32,
}

/// What is known of somebody without a rating: his games against rated opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How many.
    pub games: u32,
    /// What he has scored in them, in half points.
    pub halves: u32,
    /// The sum of their ratings, in whole points.
    pub opponents: i64,
}

/// Differences for scores of 50 to 100 hundredths (8.1.1); below 50 they are mirrored.
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
];

impl Start {
    /// Where somebody of a grade begins.
    pub fn of(&self, grade: Option<i32>) -> Points {
        let reached = |grade: i32| self.by_grade.iter().rev().find(|(from, _)| *from <= grade);
        let found = grade.and_then(reached).map_or(self.otherwise, |(_, points)| *points);
        Points::whole(found).within()
    }
}

impl Evidence {
    /// One more game.
    pub(crate) fn add(&mut self, opponent: Points, halves: u32) {
        self.games = self.games.saturating_add(1);
        self.halves = self.halves.saturating_add(halves);
        self.opponents = self.opponents.saturating_add(opponent.rounded().into());
    }

    /// The first rating, when the games are enough for one.
    pub(crate) fn rating(&self, games: u32, drawn: Option<(i32, u8)>, max: Option<i32>) -> Option<Points> {
        if self.games == 0 || self.games < games {
            return None;
        }
        let (rating, count) = drawn.map_or((0, 0), |(rating, count)| (i64::from(rating), i64::from(count)));
        let all = i64::from(self.games) + count;
        let average = divide(self.opponents + rating * count, all);
        let percent = divide((i64::from(self.halves) + count) * 100, all * 2).clamp(0, 100);
        let table = |over: i64| usize::try_from(over).ok().and_then(|at| DIFFERENCES.get(at)).copied();
        let difference = table((percent - 50).abs()).unwrap_or(0) * (percent - 50).signum();
        let first = i32::try_from(average + difference).unwrap_or(i32::MAX);
        Some(Points::whole(max.map_or(first, |max| first.min(max))).within())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(opponents: &[i32], halves: u32) -> Evidence {
        let mut evidence = Evidence::default();
        for opponent in opponents {
            evidence.add(Points::whole(*opponent), 0);
        }
        Evidence { halves, ..evidence }
    }

    #[test]
    fn a_first_rating_is_the_performance() {
        let of = |halves| evidence(&[1500, 1600, 1700, 1600, 1600], halves).rating(5, None, None);
        // 2½ of 5 is the average; 4 of 5 is 80 hundredths, of which the table has 240.
        assert_eq!(of(5), Some(Points::whole(1600)));
        assert_eq!(of(8), Some(Points::whole(1840)));
        assert_eq!(of(2), Some(Points::whole(1360)));
        assert_eq!(of(10), Some(Points::whole(2400)));
        assert_eq!(evidence(&[1500; 4], 4).rating(5, None, None), None, "too few");
        assert_eq!(Evidence::default().rating(0, None, None), None, "none at all");
    }

    #[test]
    fn draws_that_are_added_pull_it_to_the_middle() {
        // Seven games with an average of 1600 × 5 and 1800 × 2, 1657; 5 of 7 is 71 hundredths, of which the table has 158.
        let first = evidence(&[1600; 5], 8).rating(5, Some((1800, 2)), Some(2200));
        assert_eq!(first, Some(Points::whole(1657 + 158)));
        let first = evidence(&[2400; 5], 10).rating(5, Some((1800, 2)), Some(2200));
        assert_eq!(first, Some(Points::whole(2200)), "nobody begins higher");
    }

    #[test]
    fn whoever_has_a_grade_begins_with_it() {
        let start = Start { by_grade: vec![(-9, 900), (0, 1500), (1, 1600)], otherwise: 700 };
        let of = |grade| start.of(grade).rounded();
        assert_eq!(
            [of(None), of(Some(-10)), of(Some(-9)), of(Some(-1)), of(Some(0)), of(Some(7))],
            [700, 700, 900, 900, 1500, 1600]
        );
    }
}
