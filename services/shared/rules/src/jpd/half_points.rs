use core::{fmt, ops::Sub};

use crate::{goban::QuarterZi, prelude::*};

/// An exact number of half points (點), the unit of every count here: a shared point is half a point for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HalfPoints(pub i32);

impl HalfPoints {
    /// This many whole points.
    pub const fn whole(points: i32) -> HalfPoints {
        HalfPoints(2 * points)
    }

    /// Reads a decimal number of points with halves: `6.5`, `-3`; at most 800 either way.
    pub fn parse(text: &str) -> Option<HalfPoints> {
        QuarterZi::parse(&format!("{text}pt")).map(HalfPoints::from)
    }

    /// The number without its sign.
    #[must_use]
    pub const fn abs(self) -> HalfPoints {
        HalfPoints(self.0.abs())
    }
}

/// As SGF writes it: `6.5`, `-3`.
impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&QuarterZi(self.0).points())
    }
}

/// A point of difference is half a zi, so half a point is a quarter of one.
impl From<QuarterZi> for HalfPoints {
    fn from(quarters: QuarterZi) -> HalfPoints {
        HalfPoints(quarters.0)
    }
}

impl Sub for HalfPoints {
    type Output = HalfPoints;

    fn sub(self, other: HalfPoints) -> HalfPoints {
        HalfPoints(self.0 - other.0)
    }
}
