use alloc::string::String;

use crate::{ActError, Axes};

/// The lines of the board, both ways.
pub(super) const LINES: u8 = 3;

/// The rows in which three stones win, as indices of points in reading order.
pub(super) const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A point of the board, in reading order from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point(pub(super) u8);

impl Point {
    pub(super) fn all() -> impl Iterator<Item = Point> {
        (0..LINES * LINES).map(Point)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn name(self) -> String {
        Axes::Across.name(self.into(), LINES)
    }

    /// Reads a point in capitals or not.
    pub(super) fn read(text: &str) -> Result<Point, ActError> {
        let text = text.trim().to_ascii_uppercase();
        let named = Point::all().find(|point| point.name() == text);
        named.ok_or_else(|| ActError::syntax("a point like B2 is wanted"))
    }
}

impl From<Point> for crate::Point {
    fn from(Point(place): Point) -> Self {
        crate::Point { column: place % LINES, row: place / LINES }
    }
}
