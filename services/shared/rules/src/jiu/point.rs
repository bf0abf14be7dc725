use core::{fmt, str::FromStr};

use super::Direction;

/// Points on a side of the board (Article 1).
///
/// ```
/// use rules::jiu::{Point, SIZE};
///
/// assert_eq!(Point::new(SIZE - 1, SIZE - 1).unwrap().to_string(), "N14");
/// assert_eq!(Point::new(0, SIZE), None);
/// ```
pub const SIZE: u8 = 14;

/// Points of the board.
///
/// ```
/// use rules::jiu::{POINTS, PLACEMENT_PLIES, Point};
///
/// assert_eq!(Point::all().count(), usize::from(POINTS));
/// assert_eq!(u32::from(POINTS), PLACEMENT_PLIES);
/// ```
pub const POINTS: u8 = SIZE * SIZE;

/// One of the 196 points, `A1` at the top left to `N14` at the bottom right.
///
/// The letter (`A` to `N`, the letter I is used) is the row from the top, the number the column from the left.
///
/// ```
/// use rules::jiu::Point;
///
/// let point: Point = "G7".parse().unwrap();
/// assert_eq!(point, Point::G7);
/// assert_eq!((point.row(), point.column()), (6, 6));
/// assert!("G15".parse::<Point>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

/// Why a text is not a point.
///
/// ```
/// use rules::jiu::{Point, PointError};
///
/// assert_eq!("O1".parse::<Point>(), Err(PointError));
/// assert_eq!(Point::try_from(rules::Point { column: 14, row: 0 }), Err(PointError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointError;

impl Point {
    /// One end of the marked diagonal of the central cell, where the placement begins (Article 3.1).
    ///
    /// ```
    /// use rules::jiu::{Options, Point, Position, Turn};
    ///
    /// let start = Position::new(Options::default());
    /// assert!(start.is_legal(&Turn::Point(Point::G7)));
    /// assert_eq!("G7".parse(), Ok(Point::G7));
    /// ```
    pub const G7: Point = Point(6 * SIZE + 6);
    /// The other end of the marked diagonal.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point};
    ///
    /// let below = Point::G7.step(Direction::Down).unwrap();
    /// assert_eq!(below.step(Direction::Right), Some(Point::H8));
    /// ```
    pub const H8: Point = Point(7 * SIZE + 7);

    /// The point in this row and column, both from 0 and below [`SIZE`].
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// assert_eq!(Point::new(2, 9).unwrap().to_string(), "C10");
    /// assert_eq!(Point::new(14, 0), None);
    /// ```
    pub const fn new(row: u8, column: u8) -> Option<Point> {
        if row < SIZE && column < SIZE { Some(Point(row * SIZE + column)) } else { None }
    }

    /// The point with this index, row by row from the top left.
    pub(super) const fn from_index(index: u8) -> Option<Point> {
        if index < POINTS { Some(Point(index)) } else { None }
    }

    /// Every point in reading order.
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// let names: Vec<String> = Point::all().skip(13).take(2).map(|at| at.to_string()).collect();
    /// assert_eq!(names, ["A14", "B1"]);
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..POINTS).map(Point)
    }

    /// The row from the top, from 0.
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// let point: Point = "C10".parse().unwrap();
    /// assert_eq!(point.row(), 2);
    /// ```
    pub const fn row(self) -> u8 {
        self.0 / SIZE
    }

    /// The column from the left, from 0.
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// let point: Point = "C10".parse().unwrap();
    /// assert_eq!(point.column(), 9);
    /// ```
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// The index in reading order, from 0 to 195.
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// let point: Point = "C10".parse().unwrap();
    /// assert_eq!(point.index(), 2 * 14 + 9);
    /// ```
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbour in this direction, if the board goes on there.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point};
    ///
    /// let corner: Point = "A14".parse().unwrap();
    /// assert_eq!(corner.step(Direction::Down).unwrap().to_string(), "B14");
    /// assert_eq!(corner.step(Direction::Right), None);
    /// ```
    pub fn step(self, direction: Direction) -> Option<Point> {
        let (row, column) = direction.offset();
        Point::new(self.row().checked_add_signed(row)?, self.column().checked_add_signed(column)?)
    }

    /// Whether the two points are orthogonal neighbours.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point};
    ///
    /// assert!(Point::G7.is_adjacent(Point::G7.step(Direction::Left).unwrap()));
    /// assert!(!Point::G7.is_adjacent(Point::H8) && !Point::G7.is_adjacent(Point::G7));
    /// ```
    pub const fn is_adjacent(self, other: Point) -> bool {
        self.row().abs_diff(other.row()) + self.column().abs_diff(other.column()) == 1
    }

    /// The point a leg from here to `to` jumps: the middle of two points on one line, two apart.
    ///
    /// ```
    /// use rules::jiu::Point;
    ///
    /// let [from, over, to] = ["C6", "D6", "E6"].map(|at| at.parse::<Point>().unwrap());
    /// assert_eq!(from.between(to), Some(over));
    /// assert_eq!(from.between(over), None);
    /// ```
    pub const fn between(self, to: Point) -> Option<Point> {
        match (self.row().abs_diff(to.row()), self.column().abs_diff(to.column())) {
            (0, 2) | (2, 0) => Point::new(self.row().midpoint(to.row()), self.column().midpoint(to.column())),
            _ => None,
        }
    }
}

impl From<Point> for crate::Point {
    fn from(point: Point) -> Self {
        crate::Point { column: point.column(), row: point.row() }
    }
}

impl TryFrom<crate::Point> for Point {
    type Error = PointError;

    fn try_from(point: crate::Point) -> Result<Self, PointError> {
        Point::new(point.row, point.column).ok_or(PointError)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.row()), self.column() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Point {
    type Err = PointError;

    fn from_str(text: &str) -> Result<Self, PointError> {
        let (letter, digits) = match text.as_bytes() {
            [letter, digits @ ..] => (letter.to_ascii_uppercase(), digits),
            [] => return Err(PointError),
        };
        let row = letter.checked_sub(b'A').ok_or(PointError)?;
        let number = match digits {
            [unit @ b'1'..=b'9'] => unit - b'0',
            [b'1', unit @ b'0'..=b'9'] => 10 + unit - b'0',
            _ => return Err(PointError),
        };
        Point::new(row, number - 1).ok_or(PointError)
    }
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point is a letter from A to N and a number from 1 to 14")
    }
}

impl core::error::Error for PointError {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn names_round_trip_and_are_all_different() {
        for point in Point::all() {
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(point.to_string().to_lowercase().parse(), Ok(point));
            assert_eq!(Point::try_from(crate::Point::from(point)), Ok(point));
        }
        assert_eq!(Point::all().count(), usize::from(POINTS));
    }

    #[test]
    fn other_texts_are_no_points() {
        for text in ["", "A", "7", "A0", "A15", "A01", "O1", "A1 ", " A1", "A-1", "AA1", "Ä1", "A١", "A111"]
        {
            assert_eq!(text.parse::<Point>(), Err(PointError), "{text:?}");
        }
    }

    #[test]
    fn the_point_between_is_adjacent_to_both() {
        for from in Point::all() {
            for to in Point::all() {
                if let Some(over) = from.between(to) {
                    assert!(over.is_adjacent(from) && over.is_adjacent(to) && !from.is_adjacent(to));
                    assert!(from.row() == to.row() || from.column() == to.column());
                }
            }
        }
    }
}
