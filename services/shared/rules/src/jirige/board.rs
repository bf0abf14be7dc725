use core::{fmt, str::FromStr};

use super::Line;
use crate::{
    Axes, Side,
    grid::{self, BoardError, Grid},
};

/// The grid of 9 x 9 points (rule 1): letters across, numbers from the bottom up. Dark is `x`, light `o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nine;

impl Grid for Nine {
    const SIDE: u8 = 9;
    const AXES: Axes = Axes::Across;
    const SIGNS: [char; 2] = ['x', 'o'];
}

/// One of the 81 points, `A1` at the bottom left to `I9` at the top right, row by row.
pub type Point = grid::Point<Nine>;
/// A set of points.
pub type PointSet = grid::PointSet<Nine, 2>;
/// The stones on the board. Its text is nine rows, row 9 first, joined by `/`; in reading, blanks are ignored and
/// line ends separate rows as well.
pub type Board = grid::Board<Nine, 2>;

/// The rows from the bottom.
pub(super) static ROWS: [PointSet; Nine::SIDE as usize] = PointSet::rows();
/// The columns from the left.
pub(super) static COLUMNS: [PointSet; Nine::SIDE as usize] = PointSet::columns();

impl Point {
    /// The centre, 天元 or 中心眼, on which the last stone is placed.
    pub const CENTRE: Point = Point::new(4, 4).unwrap();

    pub(super) const A1: Point = Point::new(0, 0).unwrap();
}

impl PointSet {
    /// The eight points round the centre, on which the first stones stand (rule 6).
    pub const RING: PointSet = {
        let (mut ring, mut n) = (PointSet::EMPTY, 0);
        while n < 9 {
            if n != 4 {
                ring.insert(Point::new(3 + n / 3, 3 + n % 3).unwrap());
            }
            n += 1;
        }
        ring
    };
}

impl Board {
    /// Whether a line is full of a side's stones.
    pub fn is_full(&self, side: Side, line: Line) -> bool {
        self.stones(side).contains_all(line.points())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_rows(f, "/")
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let rows = text.trim().split(['/', '\n']);
        Board::of_signs(rows.map(|row| row.chars().filter(|sign| !sign.is_whitespace())))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString as _, vec::Vec};

    use super::*;

    #[test]
    fn the_ring_is_the_eight_points_of_rule_6() {
        let names: Vec<_> = PointSet::RING.iter().map(|point| point.to_string()).collect();
        assert_eq!(names, ["D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"]);
    }
}
