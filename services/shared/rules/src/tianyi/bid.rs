use core::fmt;

use crate::{goban::QuarterZi, prelude::*};

/// What White is to pay Black, in half zi: a black stone among the white ones stands for a half (article
/// 二.2). Negative, Black pays White.
///
/// A zi paid moves both counts, so that half a zi is one point of difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bid(i16);

impl Bid {
    /// So many half zi, which are points.
    pub const fn of_halves(halves: i16) -> Bid {
        Bid(halves)
    }

    /// Reads a decimal number of zi.
    pub fn parse(text: &str) -> Option<Bid> {
        let QuarterZi(quarters) = QuarterZi::parse(text).filter(|_| !text.ends_with("pt"))?;
        let halves = i16::try_from(quarters / 2).ok()?;
        (quarters % 2 == 0).then_some(Bid(halves))
    }

    /// In half zi, which are points.
    pub const fn halves(self) -> i16 {
        self.0
    }

    /// In quarters of a zi.
    pub fn quarters(self) -> QuarterZi {
        QuarterZi(2 * i32::from(self.0))
    }

    /// Whether it may be made on a board of so many points: from −N/2 to N/2 zi (T14).
    pub fn is_allowed(self, points: u16) -> bool {
        self.0.unsigned_abs() <= points
    }

    /// Every bid that may be made on a board of so many points, the lowest first.
    pub fn all(points: u16) -> impl Iterator<Item = Bid> {
        let most = i16::try_from(points).unwrap_or(i16::MAX);
        (-most..=most).map(Bid)
    }

    /// What SGF calls komi: points that Black gives White.
    pub fn sgf_komi(self) -> String {
        QuarterZi(-2 * i32::from(self.0)).points()
    }
}

/// In zi: `3.5`, `-2`.
impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quarters().decimal())
    }
}
