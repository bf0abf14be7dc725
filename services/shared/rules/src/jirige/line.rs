use core::{fmt, str::FromStr};

use super::{
    Nine, Point, PointSet,
    board::{COLUMNS, ROWS},
};
use crate::{grid::Grid as _, prelude::*};

named! {
    /// Which way a line runs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Orientation {
        /// Along a rank.
        Row => "row",
        /// Along a column.
        Column => "col",
    }
}

/// One of the eighteen lines from edge to edge, nine rows and nine columns (rule 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    orientation: Orientation,
    index: u8,
}

/// The text is not a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line is row:1 to row:9 or col:A to col:I")]
pub struct LineError;

impl Line {
    /// The line with this index, from 0: rows from the bottom, columns from the left.
    pub const fn new(orientation: Orientation, index: u8) -> Option<Line> {
        if index < Nine::SIDE { Some(Line { orientation, index }) } else { None }
    }

    /// The row or column through a point.
    pub const fn through(at: Point, orientation: Orientation) -> Line {
        let index = match orientation {
            Orientation::Row => at.row(),
            Orientation::Column => at.column(),
        };
        Line { orientation, index }
    }

    /// Every line: the rows from the bottom, then the columns from the left.
    pub fn all() -> impl Iterator<Item = Line> {
        Orientation::ALL
            .into_iter()
            .flat_map(|orientation| (0..Nine::SIDE).map(move |index| Line { orientation, index }))
    }

    /// Which way it runs.
    pub const fn orientation(self) -> Orientation {
        self.orientation
    }

    /// Its index, from 0: rows from the bottom, columns from the left.
    pub const fn index(self) -> u8 {
        self.index
    }

    /// Its nine points.
    pub fn points(self) -> PointSet {
        match self.orientation {
            Orientation::Row => ROWS[usize::from(self.index)],
            Orientation::Column => COLUMNS[usize::from(self.index)],
        }
    }

    /// How many stones a spear on it takes: 9 on the centre line, one less for each line away from it, 5 on
    /// the edge (rule 4).
    pub const fn value(self) -> u8 {
        Nine::SIDE - self.index.abs_diff(Nine::SIDE / 2)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.orientation {
            Orientation::Row => write!(f, "row:{}", self.index + 1),
            Orientation::Column => write!(f, "col:{}", char::from(b'A' + self.index)),
        }
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        Line::all().find(|line| line.to_string() == text).ok_or(LineError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_have_the_values_of_rule_4() {
        let values = [5, 6, 7, 8, 9, 8, 7, 6, 5];
        for line in Line::all() {
            assert_eq!(line.to_string().parse(), Ok(line));
            assert_eq!(line.value(), values[usize::from(line.index())]);
            assert!(line.points().iter().all(|at| Line::through(at, line.orientation()) == line));
        }
        assert_eq!(Line::all().count(), 18);
        for text in ["", "row", "row:", "row:0", "row:10", "col:J", "col:5", "row:A", "Row:1"] {
            assert_eq!(text.parse::<Line>(), Err(LineError), "{text}");
        }
    }
}
