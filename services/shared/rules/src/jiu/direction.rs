/// One of the four directions in which stones step and jump.
///
/// ```
/// use rules::jiu::{Direction, Point};
///
/// let up = Point::G7.step(Direction::Up).unwrap();
/// assert_eq!((up.to_string(), up.step(Direction::Down)), ("F7".into(), Some(Point::G7)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards row A.
    Up,
    /// Towards column 14.
    Right,
    /// Towards row N.
    Down,
    /// Towards column 1.
    Left,
}

impl Direction {
    /// All four, clockwise.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point};
    ///
    /// let corner: Point = "A1".parse().unwrap();
    /// let neighbours = Direction::ALL.into_iter().filter_map(|to| corner.step(to));
    /// assert!(neighbours.map(|at| at.to_string()).eq(["A2", "B1"]));
    /// ```
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The way back.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point};
    ///
    /// let there = Point::G7.step(Direction::Left).unwrap();
    /// assert_eq!(there.step(Direction::Left.opposite()), Some(Point::G7));
    /// ```
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Right => Direction::Left,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
        }
    }

    /// The two directions at right angles to this one.
    ///
    /// ```
    /// use rules::jiu::Direction;
    ///
    /// assert_eq!(Direction::Right.sideways(), [Direction::Up, Direction::Down]);
    /// ```
    pub const fn sideways(self) -> [Direction; 2] {
        match self {
            Direction::Up | Direction::Down => [Direction::Left, Direction::Right],
            Direction::Left | Direction::Right => [Direction::Up, Direction::Down],
        }
    }

    /// One step as rows down and columns to the right.
    pub(super) const fn offset(self) -> (i8, i8) {
        match self {
            Direction::Up => (-1, 0),
            Direction::Right => (0, 1),
            Direction::Down => (1, 0),
            Direction::Left => (0, -1),
        }
    }
}
