//! By how much the first side is stronger in a game than its rating: by the first move, or by a handicap.
//!
//! A handicap of n is worth n - ½ stones, as the European Go Database counts it: 1 is the first move without a komi, and each
//! stone beyond the first is one move more. What the first move of an even game and what a stone are worth is estimated from
//! results (see [`estimate`](super::estimate)), and holds for the games that end from a moment on, also when they are rated
//! anew. Nothing that holds is ever changed: what is estimated later holds from later on.

use std::{collections::HashMap, ops::RangeInclusive};

use time::OffsetDateTime;

use super::{category::Variant, game::Game};

/// What the first move may be worth, in points.
pub const FIRST_MOVE_RANGE: RangeInclusive<f64> = -500.0..=500.0;
/// What a stone may be worth, in points.
pub const STONE_RANGE: RangeInclusive<f64> = 0.0..=500.0;
/// The most handicap stones.
pub const HANDICAP_MAX: u8 = 9;

/// What the first move of an even game and a stone are worth, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    first_move: f64,
    stone: f64,
}

/// What they are worth in games of one variant, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct Edition {
    /// The variant.
    pub variant: Variant,
    /// From when on.
    pub from: OffsetDateTime,
    /// What they are worth.
    pub advantage: Advantage,
    /// From how many games it was estimated; 0 where somebody has set it.
    pub games: u64,
}

/// All that was ever said of what they are worth.
#[derive(Clone, Debug, Default)]
pub struct Advantages {
    /// By variant, the oldest first.
    editions: HashMap<Variant, Vec<Edition>>,
}

impl Advantage {
    /// What holds where nothing was estimated: the sides are level, and a stone is a grade of the scale by which grades are
    /// estimated, at 1500: 1500 · (e^(1 / 23.15) - 1).
    pub const INITIAL: Advantage = Advantage { first_move: 0.0, stone: 66.0 };

    /// An advantage from its parts; `None` unless they are in [`FIRST_MOVE_RANGE`] and [`STONE_RANGE`].
    pub fn new(first_move: f64, stone: f64) -> Option<Advantage> {
        let fits = FIRST_MOVE_RANGE.contains(&first_move) && STONE_RANGE.contains(&stone);
        fits.then_some(Advantage { first_move, stone })
    }

    /// What the first move is worth.
    pub const fn first_move(self) -> f64 {
        self.first_move
    }

    /// What a stone is worth.
    pub const fn stone(self) -> f64 {
        self.stone
    }

    /// By how much the first side is stronger with such a handicap.
    pub fn with(self, handicap: u8) -> f64 {
        stones(handicap).map_or(self.first_move, |stones| self.stone * stones)
    }
}

/// How many stones a handicap is worth; nothing for an even game.
pub fn stones(handicap: u8) -> Option<f64> {
    (handicap > 0).then(|| f64::from(handicap) - 0.5)
}

impl Advantages {
    /// What was ever said, in any order.
    pub fn new(said: impl IntoIterator<Item = Edition>) -> Self {
        let mut editions: HashMap<Variant, Vec<Edition>> = HashMap::new();
        for edition in said {
            editions.entry(edition.variant.clone()).or_default().push(edition);
        }
        for editions in editions.values_mut() {
            editions.sort_unstable_by_key(|edition| edition.from);
        }
        Advantages { editions }
    }

    /// What holds in games of a variant that end at a moment.
    pub fn at(&self, variant: &Variant, ended: OffsetDateTime) -> Advantage {
        let editions = self.editions.get(variant).map_or(&[][..], Vec::as_slice);
        let begun = editions.partition_point(|edition| edition.from <= ended);
        begun.checked_sub(1).map_or(Advantage::INITIAL, |last| editions[last].advantage)
    }

    /// What holds at the end of all that was said.
    pub fn last(&self, variant: &Variant) -> Advantage {
        let editions = self.editions.get(variant);
        editions.and_then(|editions| editions.last()).map_or(Advantage::INITIAL, |last| last.advantage)
    }

    /// By how much the first side was stronger in a game than its rating.
    pub fn of(&self, game: &Game) -> f64 {
        self.at(&game.category.variant, game.ended).with(game.handicap)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what was said comes back bit by bit")]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn the_newest_that_has_begun_holds() {
        let day = |day: i64| OffsetDateTime::UNIX_EPOCH + Duration::days(day);
        let variant = |name: &str| Variant::parse(name).expect("a name");
        let edition = |name: &str, from, first_move| Edition {
            variant: variant(name),
            from: day(from),
            advantage: Advantage::new(first_move, 70.0).expect("in range"),
            games: 1,
        };
        let advantages =
            Advantages::new([edition("go", 20, 20.0), edition("go", 10, 10.0), edition("jiu", 5, 5.0)]);
        let at = |name: &str, day| advantages.at(&variant(name), day).first_move();
        assert_eq!(at("go", day(10) - Duration::MICROSECOND), 0.0);
        assert_eq!([10, 19, 20, 99].map(|it| at("go", day(it))), [10.0, 10.0, 20.0, 20.0]);
        assert_eq!((at("jiu", day(30)), at("go-9", day(30))), (5.0, 0.0), "each variant has its own");
    }

    #[test]
    fn a_handicap_is_worth_its_stones_less_half_a_one() {
        let advantage = Advantage::new(15.0, 60.0).expect("in range");
        assert_eq!([0, 1, 2, 9].map(|handicap| advantage.with(handicap)), [15.0, 30.0, 90.0, 510.0]);
        let no_such = [(f64::NAN, 0.0), (501.0, 0.0), (0.0, -1.0), (0.0, f64::INFINITY)];
        assert!(no_such.iter().all(|(first_move, stone)| Advantage::new(*first_move, *stone).is_none()));
    }
}
