/// One of the four directions in which stones step and jump.
///
/// ```
/// use rules::jirige::{Direction, Point};
///
/// assert_eq!(Point::CENTRE.step(Direction::Up), "E6".parse().ok());
/// assert_eq!(Point::CENTRE.step(Direction::Left), "D5".parse().ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards rank 9.
    Up,
    /// Towards column I.
    Right,
    /// Towards rank 1.
    Down,
    /// Towards column A.
    Left,
}

impl Direction {
    /// All four, clockwise.
    ///
    /// ```
    /// use rules::jirige::{Direction, Point};
    ///
    /// let corner: Point = "A1".parse()?;
    /// let neighbours: Vec<_> = Direction::ALL.into_iter().filter_map(|to| corner.step(to)).collect();
    /// assert_eq!(neighbours, ["A2".parse()?, "B1".parse()?]);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// One step as columns to the right and ranks up.
    pub(super) const fn offset(self) -> (i8, i8) {
        match self {
            Direction::Up => (0, 1),
            Direction::Right => (1, 0),
            Direction::Down => (0, -1),
            Direction::Left => (-1, 0),
        }
    }
}
