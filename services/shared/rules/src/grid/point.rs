use core::{fmt, marker::PhantomData, str::FromStr};

use super::{Direction, Grid};
use crate::Axes;

/// A point of a grid, by its row and its column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point<G>(u8, PhantomData<G>);

/// Why a text is not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// It is written like a point, but the board has none of this name.
    #[error("the board has no such point")]
    OffBoard,
    /// It is no letter with a number.
    #[error("a point is a letter and a number")]
    NotAPoint,
}

impl<G: Grid> Point<G> {
    /// How many there are.
    pub const COUNT: u8 = G::SIDE * G::SIDE;

    pub(super) const LETTERS_DOWN: bool = matches!(G::AXES, Axes::Down);

    /// The point in this row and column, both from 0 and below [`Grid::SIDE`].
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < G::SIDE && column < G::SIDE {
            Some(Point(row * G::SIDE + column, PhantomData))
        } else {
            None
        }
    }

    /// The point with this index, row by row.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::COUNT { Some(Point(index, PhantomData)) } else { None }
    }

    /// Every point, in the order of indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT).map(|index| Point(index, PhantomData))
    }

    /// The row, from 0: from the top on a grid whose letters go down, else from the bottom.
    pub const fn row(self) -> u8 {
        self.0 / G::SIDE
    }

    /// The column from the left, from 0.
    pub const fn column(self) -> u8 {
        self.0 % G::SIDE
    }

    /// The index, row by row, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbour in this direction, if the board goes on there.
    pub fn step(self, direction: Direction) -> Option<Self> {
        let (row, column) = match direction {
            Direction::Up if Self::LETTERS_DOWN => (-1, 0),
            Direction::Up => (1, 0),
            Direction::Right => (0, 1),
            Direction::Down if Self::LETTERS_DOWN => (1, 0),
            Direction::Down => (-1, 0),
            Direction::Left => (0, -1),
        };
        Self::new(self.row().checked_add_signed(row)?, self.column().checked_add_signed(column)?)
    }

    /// Whether the two points are orthogonal neighbours.
    pub const fn is_adjacent(self, other: Self) -> bool {
        self.row().abs_diff(other.row()) + self.column().abs_diff(other.column()) == 1
    }

    /// The point that a jump from here to `to` passes: the middle of two points on one line, two apart.
    pub const fn between(self, to: Self) -> Option<Self> {
        match (self.row().abs_diff(to.row()), self.column().abs_diff(to.column())) {
            (0, 2) | (2, 0) => Self::new(self.row().midpoint(to.row()), self.column().midpoint(to.column())),
            _ => None,
        }
    }
}

impl<G: Grid> From<Point<G>> for crate::Point {
    fn from(point: Point<G>) -> Self {
        let row = if Point::<G>::LETTERS_DOWN { point.row() } else { G::SIDE - 1 - point.row() };
        crate::Point { column: point.column(), row }
    }
}

impl<G: Grid> TryFrom<crate::Point> for Point<G> {
    type Error = PointError;

    fn try_from(crate::Point { column, row }: crate::Point) -> Result<Self, PointError> {
        let row = if Self::LETTERS_DOWN { Some(row) } else { (G::SIDE - 1).checked_sub(row) };
        row.and_then(|row| Self::new(row, column)).ok_or(PointError::OffBoard)
    }
}

impl<G: Grid> fmt::Display for Point<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (self.row(), self.column());
        let (letter, number) = if Self::LETTERS_DOWN { (row, column) } else { (column, row) };
        write!(f, "{}{}", char::from(b'A' + letter), number + 1)
    }
}

impl<G: Grid> fmt::Debug for Point<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<G: Grid> FromStr for Point<G> {
    type Err = PointError;

    fn from_str(text: &str) -> Result<Self, PointError> {
        let (letter, digits) = match text.as_bytes() {
            [letter, digits @ ..] if letter.is_ascii_alphabetic() && !digits.is_empty() => {
                (letter.to_ascii_uppercase() - b'A', digits)
            }
            _ => return Err(PointError::NotAPoint),
        };
        if !digits.iter().all(u8::is_ascii_digit) {
            return Err(PointError::NotAPoint);
        }
        let number = match digits {
            [unit @ b'1'..=b'9'] => unit - b'1',
            [ten @ b'1'..=b'9', unit] => 10 * (ten - b'0') + (unit - b'0') - 1,
            _ => return Err(PointError::OffBoard),
        };
        let (row, column) = if Self::LETTERS_DOWN { (letter, number) } else { (number, letter) };
        Self::new(row, column).ok_or(PointError::OffBoard)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::{jirige, jiu};

    fn names_round_trip_and_are_all_different<G: Grid>() {
        for point in Point::<G>::all() {
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(point.to_string().to_lowercase().parse(), Ok(point));
            assert_eq!(Point::try_from(crate::Point::from(point)), Ok(point));
            assert_eq!(Point::from_index(u8::try_from(point.index()).unwrap()), Some(point));
            assert_eq!(point.to_string(), G::AXES.name(point.into(), G::SIDE));
        }
        assert_eq!(Point::<G>::all().count(), usize::from(Point::<G>::COUNT));
    }

    fn the_point_between_is_adjacent_to_both<G: Grid>() {
        for from in Point::<G>::all() {
            for to in Point::all() {
                if let Some(over) = from.between(to) {
                    assert!(over.is_adjacent(from) && over.is_adjacent(to) && !from.is_adjacent(to));
                    assert!(from.row() == to.row() || from.column() == to.column());
                }
            }
        }
    }

    #[test]
    fn points_are_those_of_their_grid() {
        names_round_trip_and_are_all_different::<jiu::Fourteen>();
        names_round_trip_and_are_all_different::<jirige::Nine>();
        the_point_between_is_adjacent_to_both::<jiu::Fourteen>();
        the_point_between_is_adjacent_to_both::<jirige::Nine>();
        let corner: jirige::Point = "A9".parse().unwrap();
        assert_eq!(crate::Point::from(corner), crate::Point { column: 0, row: 0 });
        let below = crate::Point { column: 0, row: 9 };
        assert_eq!(jirige::Point::try_from(below), Err(PointError::OffBoard));
    }

    #[test]
    fn other_texts_are_no_points() {
        for text in ["A0", "A15", "A01", "O1", "Z99", "A111", "A123456789012345678901234567890"] {
            assert_eq!(text.parse::<jiu::Point>(), Err(PointError::OffBoard), "{text:?}");
            assert_eq!(text.parse::<jirige::Point>(), Err(PointError::OffBoard), "{text:?}");
        }
        for text in ["A10", "J1", "J5"] {
            assert_eq!(text.parse::<jirige::Point>(), Err(PointError::OffBoard), "{text:?}");
        }
        for text in ["", "A", "7", "A1 ", " A1", "A-1", "AA1", "Ä1", "A١", "x"] {
            assert_eq!(text.parse::<jiu::Point>(), Err(PointError::NotAPoint), "{text:?}");
            assert_eq!(text.parse::<jirige::Point>(), Err(PointError::NotAPoint), "{text:?}");
        }
    }
}
