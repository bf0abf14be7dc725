use core::{fmt, str::FromStr};

use super::Direction;

/// Points on a side of the board (rule 1).
///
/// ```
/// use rules::jirige::{Point, SIZE};
///
/// assert_eq!(Point::new(SIZE - 1, SIZE - 1), "I9".parse().ok());
/// assert_eq!(Point::new(SIZE, 0), None);
/// ```
pub const SIZE: u8 = 9;

/// Points of the board.
///
/// ```
/// use rules::jirige::{POINTS, Point};
///
/// assert_eq!(Point::all().count(), usize::from(POINTS));
/// assert_eq!(Point::from_index(POINTS), None);
/// ```
pub const POINTS: u8 = SIZE * SIZE;

/// One of the 81 points, `A1` at the bottom left to `I9` at the top right.
///
/// The letter is the column from the left, the number the rank from the bottom.
///
/// ```
/// use rules::jirige::Point;
///
/// let point: Point = "E5".parse().unwrap();
/// assert_eq!(point, Point::CENTRE);
/// assert_eq!((point.column(), point.rank()), (4, 4));
/// assert!("A10".parse::<Point>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

/// Why a text is not a point.
///
/// ```
/// use rules::jirige::{Point, PointError};
///
/// assert_eq!("J5".parse::<Point>(), Err(PointError::OffBoard));
/// assert_eq!("5E".parse::<Point>(), Err(PointError::NotAPoint));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointError {
    /// It is written like a point, but the board has none of this name.
    OffBoard,
    /// It is no letter with a number.
    NotAPoint,
}

impl Point {
    /// The centre, 天元 or 中心眼, on which the last stone is placed.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// assert_eq!(Point::CENTRE.to_string(), "E5");
    /// ```
    pub const CENTRE: Point = Point(POINTS / 2);

    /// The lowest point in the order of indices.
    pub(super) const A1: Point = Point(0);

    /// The point in this column from the left and this rank from the bottom, both from 0 and below [`SIZE`].
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// assert_eq!(Point::new(2, 6), "C7".parse().ok());
    /// assert_eq!(Point::new(2, 9), None);
    /// ```
    pub const fn new(column: u8, rank: u8) -> Option<Point> {
        if column < SIZE && rank < SIZE { Some(Point(rank * SIZE + column)) } else { None }
    }

    /// The point with this index, rank by rank from the bottom left.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// assert_eq!(Point::from_index(0), "A1".parse().ok());
    /// assert_eq!(Point::from_index(9), "A2".parse().ok());
    /// assert_eq!(Point::from_index(81), None);
    /// ```
    pub const fn from_index(index: u8) -> Option<Point> {
        if index < POINTS { Some(Point(index)) } else { None }
    }

    /// Every point in the order of indices.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let mut points = Point::all();
    /// assert_eq!(points.next(), "A1".parse().ok());
    /// assert_eq!(points.next(), "B1".parse().ok());
    /// assert_eq!(points.next_back(), "I9".parse().ok());
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..POINTS).map(Point)
    }

    /// The column from the left, from 0.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let point: Point = "C7".parse()?;
    /// assert_eq!(point.column(), 2);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// The rank from the bottom, from 0.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let point: Point = "C7".parse()?;
    /// assert_eq!(point.rank(), 6);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const fn rank(self) -> u8 {
        self.0 / SIZE
    }

    /// The index: rank by rank from the bottom left, from 0 to 80.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let mut visits = [0; 81];
    /// visits[Point::CENTRE.index()] += 1;
    /// assert_eq!(visits[40], 1);
    /// ```
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbour in this direction, if the board goes on there.
    ///
    /// ```
    /// use rules::jirige::{Direction, Point};
    ///
    /// let point: Point = "A8".parse()?;
    /// assert_eq!(point.step(Direction::Up), "A9".parse().ok());
    /// assert_eq!(point.step(Direction::Left), None);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub fn step(self, direction: Direction) -> Option<Point> {
        let (column, rank) = direction.offset();
        Point::new(self.column().checked_add_signed(column)?, self.rank().checked_add_signed(rank)?)
    }

    /// Whether the two points are orthogonal neighbours.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let adjacent = |name: &str| Point::CENTRE.is_adjacent(name.parse().unwrap());
    /// assert!(adjacent("E6") && adjacent("D5"));
    /// assert!(!adjacent("D6") && !adjacent("E7") && !adjacent("E5"));
    /// ```
    pub const fn is_adjacent(self, other: Point) -> bool {
        self.column().abs_diff(other.column()) + self.rank().abs_diff(other.rank()) == 1
    }

    /// The point a jump from here to `to` passes: the middle of two points on one line, two apart.
    ///
    /// ```
    /// use rules::jirige::Point;
    ///
    /// let over = |to: &str| Point::CENTRE.between(to.parse().unwrap());
    /// assert_eq!(over("E7"), "E6".parse().ok());
    /// assert_eq!((over("E6"), over("G7")), (None, None));
    /// ```
    pub const fn between(self, to: Point) -> Option<Point> {
        match (self.column().abs_diff(to.column()), self.rank().abs_diff(to.rank())) {
            (0, 2) | (2, 0) => {
                Point::new(self.column().midpoint(to.column()), self.rank().midpoint(to.rank()))
            }
            _ => None,
        }
    }
}

impl From<Point> for crate::Point {
    fn from(point: Point) -> Self {
        crate::Point { column: point.column(), row: SIZE - 1 - point.rank() }
    }
}

impl TryFrom<crate::Point> for Point {
    type Error = PointError;

    fn try_from(point: crate::Point) -> Result<Self, PointError> {
        let rank = (SIZE - 1).checked_sub(point.row).ok_or(PointError::OffBoard)?;
        Point::new(point.column, rank).ok_or(PointError::OffBoard)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column()), self.rank() + 1)
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
            [letter, digits @ ..] if letter.is_ascii_alphabetic() && !digits.is_empty() => {
                (letter.to_ascii_uppercase(), digits)
            }
            _ => return Err(PointError::NotAPoint),
        };
        if !digits.iter().all(u8::is_ascii_digit) {
            return Err(PointError::NotAPoint);
        }
        match digits {
            [digit @ b'1'..=b'9'] => Point::new(letter - b'A', digit - b'1').ok_or(PointError::OffBoard),
            _ => Err(PointError::OffBoard),
        }
    }
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PointError::OffBoard => "the points of the board are A1 to I9",
            PointError::NotAPoint => "a point is a letter from A to I and a number from 1 to 9",
        })
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
            assert_eq!(Point::from_index(u8::try_from(point.index()).unwrap()), Some(point));
        }
        assert_eq!(Point::all().count(), usize::from(POINTS));
        assert_eq!(crate::Point::from("A9".parse::<Point>().unwrap()), crate::Point { column: 0, row: 0 });
        assert_eq!(Point::try_from(crate::Point { column: 0, row: 9 }), Err(PointError::OffBoard));
    }

    #[test]
    fn other_texts_are_no_points() {
        for text in ["A0", "A10", "J1", "J5", "Z99", "A01", "A123456789012345678901234567890"] {
            assert_eq!(text.parse::<Point>(), Err(PointError::OffBoard), "{text:?}");
        }
        for text in ["", "A", "7", "A1 ", " A1", "A-1", "AA1", "Ä1", "A١", "x"] {
            assert_eq!(text.parse::<Point>(), Err(PointError::NotAPoint), "{text:?}");
        }
    }

    #[test]
    fn the_point_between_is_adjacent_to_both() {
        for from in Point::all() {
            for to in Point::all() {
                if let Some(over) = from.between(to) {
                    assert!(over.is_adjacent(from) && over.is_adjacent(to) && !from.is_adjacent(to));
                    assert!(from.rank() == to.rank() || from.column() == to.column());
                }
            }
        }
    }
}
