//! Where players stand among others of their category, counted by points.

use time::OffsetDateTime;

use super::{
    glicko2::RATING_RANGE,
    player_rating::{Key, PlayerRating},
    whole_history::Point,
};

/// A rating, and what else is known of its player.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Whose rating, and which.
    pub key: Key,
    /// The rating.
    pub player: PlayerRating,
    /// Where its player stands by it, who does not while it is provisional.
    pub standing: Option<Standing>,
    /// Where its player stands by all games of a small pool, and when these were read.
    pub by_history: Option<(Point, OffsetDateTime)>,
}

impl Placed {
    /// A rating of whose player nothing else is said.
    pub const fn alone(key: Key, player: PlayerRating) -> Self {
        Placed { key, player, standing: None, by_history: None }
    }
}

/// How many players of a category have how many points: those who are not provisional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// By whole points, how many have at least so many.
    at_least: Vec<u32>,
    /// When they were counted.
    counted: OffsetDateTime,
}

/// Where a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// One more than there are players with a higher rating.
    pub rank: u32,
    /// How many stand anywhere, this one included.
    pub ranked: u32,
    /// When they were counted.
    pub counted: OffsetDateTime,
}

/// The whole points of a rating.
pub fn points(rating: f64) -> u16 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within 100 and 4000")]
    let points = rating.clamp(*RATING_RANGE.start(), *RATING_RANGE.end()) as u16;
    points
}

impl Histogram {
    /// A histogram of counts by whole points, as they were then.
    pub fn new(counts: impl IntoIterator<Item = (u16, u32)>, counted: OffsetDateTime) -> Self {
        let mut at_least = vec![0; usize::from(points(f64::INFINITY)) + 2];
        for (points, count) in counts {
            if let Some(have) = at_least.get_mut(usize::from(points)) {
                *have += count;
            }
        }
        for points in (1..at_least.len()).rev() {
            at_least[points - 1] += at_least[points];
        }
        Histogram { at_least, counted }
    }

    /// How many there are.
    pub fn ranked(&self) -> u32 {
        self.at_least[0]
    }

    /// When they were counted.
    pub fn counted(&self) -> OffsetDateTime {
        self.counted
    }

    /// Where somebody of this rating stands, when so many of the same whole points have a higher one.
    pub fn standing(&self, rating: f64, higher: u32) -> Standing {
        let above = self.at_least[usize::from(points(rating)) + 1];
        self.at(above.saturating_add(higher).saturating_add(1))
    }

    /// The standing of a rank. Whoever has come since they were counted is counted, too.
    pub fn at(&self, rank: u32) -> Standing {
        Standing { rank, ranked: self.ranked().max(rank), counted: self.counted }
    }
}

impl Standing {
    /// How many of a hundred of the others do not stand above him.
    pub fn percentile(&self) -> f64 {
        let others = f64::from(self.ranked.saturating_sub(1));
        let not_above = f64::from(self.ranked.saturating_sub(self.rank));
        if others == 0.0 { 100.0 } else { 100.0 * not_above / others }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    proptest! {
        #[test]
        #[expect(clippy::cast_precision_loss, reason = "they are few")]
        fn ranks_are_those_of_a_sorted_list(mut ratings in prop::collection::vec(100.0..=4000.0, 1..200)) {
            // Some stand level.
            ratings.push(ratings[0]);
            let histogram = Histogram::new(ratings.iter().map(|rating| (points(*rating), 1)), NOW);
            for rating in &ratings {
                let above = |it: &&f64| **it > *rating;
                let level = ratings.iter().filter(above).filter(|it| points(**it) == points(*rating)).count();
                let standing = histogram.standing(*rating, u32::try_from(level).expect("few"));
                prop_assert_eq!(standing.rank as usize, 1 + ratings.iter().filter(above).count());
                prop_assert_eq!(standing.ranked as usize, ratings.len());
                let not_above = ratings.len() - standing.rank as usize;
                let percentile = 100.0 * not_above as f64 / (ratings.len() - 1) as f64;
                prop_assert!((standing.percentile() - percentile).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn who_stands_alone_stands_first() {
        let histogram = Histogram::new([(1500, 1)], NOW);
        assert!((histogram.standing(1500.5, 0).percentile() - 100.0).abs() < 1e-9);
        // He has come since they were counted.
        assert_eq!(histogram.standing(1400.0, 0), Standing { rank: 2, ranked: 2, counted: NOW });
        assert!(histogram.standing(1400.0, 0).percentile().abs() < 1e-9);
    }
}
