use core::{fmt, str::FromStr};

use super::{Direction, Line, Point, PointSet, SIZE, zobrist};
use crate::Side;

/// The stones on the board, with what can be seen of them at once: squares and full lines.
///
/// Its text is nine rows of `x` (dark), `o` (light) and `.`, rank 9 first, joined by `/`; in reading, blanks
/// are ignored and line ends separate rows as well.
///
/// ```
/// use rules::{Side, jirige::{Board, Point}};
///
/// let mut board = Board::default();
/// board.put(Point::CENTRE, Side::First);
/// assert_eq!(board.to_string().parse(), Ok(board));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [PointSet; 2],
    key: u64,
}

/// The text is not a board.
///
/// ```
/// use rules::jirige::{Board, BoardError};
///
/// assert_eq!(["........."; 9].join("/").parse(), Ok(Board::default()));
/// assert_eq!(["........."; 8].join("/").parse::<Board>(), Err(BoardError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardError;

impl Board {
    /// Puts a stone on a point, in place of what stood there.
    ///
    /// ```
    /// use rules::{Side, jirige::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::CENTRE, Side::First);
    /// board.put(Point::CENTRE, Side::Second);
    /// assert_eq!((board.count(Side::First), board.count(Side::Second)), (0, 1));
    /// ```
    pub fn put(&mut self, at: Point, side: Side) {
        self.clear(at);
        self.stones[side.index()].insert(at);
        self.key ^= zobrist::stone(side, at);
    }

    /// Empties a point and says whose stone stood there.
    ///
    /// ```
    /// use rules::{Side, jirige::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::CENTRE, Side::Second);
    /// assert_eq!(board.clear(Point::CENTRE), Some(Side::Second));
    /// assert_eq!(board.clear(Point::CENTRE), None);
    /// ```
    pub fn clear(&mut self, at: Point) -> Option<Side> {
        let owner = self.owner(at)?;
        self.stones[owner.index()].remove(at);
        self.key ^= zobrist::stone(owner, at);
        Some(owner)
    }

    /// Whose stone stands on the point.
    ///
    /// ```
    /// use rules::{Side, jirige::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// assert_eq!(board.owner(Point::CENTRE), None);
    /// board.put(Point::CENTRE, Side::Second);
    /// assert_eq!(board.owner(Point::CENTRE), Some(Side::Second));
    /// ```
    pub fn owner(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones(*side).contains(at))
    }

    /// The stones of a side.
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ["x..o....."; 9].join("/").parse()?;
    /// assert!(board.stones(Side::First).iter().all(|at| at.column() == 0));
    /// assert!(board.stones(Side::Second).iter().all(|at| at.column() == 3));
    /// assert_eq!(board.stones(Side::Second).len(), 9);
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub const fn stones(&self, side: Side) -> PointSet {
        self.stones[side.index()]
    }

    /// The points without a stone.
    ///
    /// ```
    /// use rules::jirige::Board;
    ///
    /// let board: Board = ["xoxoxoxo."; 9].join("/").parse()?;
    /// assert_eq!(board.empty().len(), 9);
    /// assert!(board.empty().iter().all(|at| at.column() == 8));
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub fn empty(&self) -> PointSet {
        !(self.stones[0] | self.stones[1])
    }

    /// How many stones a side has.
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ["xoxoxoxo."; 9].join("/").parse()?;
    /// assert_eq!(Side::BOTH.map(|side| board.count(side)), [36, 36]);
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub const fn count(&self, side: Side) -> u8 {
        self.stones(side).len()
    }

    /// The Zobrist hash of the stones, kept up to date by [`Board::put`] and [`Board::clear`].
    ///
    /// ```
    /// use rules::{Side, jirige::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// let empty = board.key();
    /// board.put(Point::CENTRE, Side::First);
    /// assert_ne!(board.key(), empty);
    /// board.clear(Point::CENTRE);
    /// assert_eq!(board.key(), empty);
    /// ```
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The squares (方) of a side, each by its lower left point; overlapping ones count each (rule 3).
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ("........./".repeat(7) + "xxx....../xxx......").parse()?;
    /// let squares: Vec<_> = board.squares(Side::First).iter().map(|at| at.to_string()).collect();
    /// assert_eq!(squares, ["A1", "B1"]);
    /// assert!(board.squares(Side::Second).is_empty());
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub fn squares(&self, side: Side) -> PointSet {
        let own = self.stones(side);
        let pairs = own & own.shifted(Direction::Left);
        pairs & pairs.shifted(Direction::Down)
    }

    /// The stones of a side that stand in a square; the others are loose.
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ("........./".repeat(7) + "xx......./xx..x....").parse()?;
    /// let loose = board.stones(Side::First) - board.in_squares(Side::First);
    /// assert_eq!(loose.iter().map(|at| at.to_string()).collect::<Vec<_>>(), ["E1"]);
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub fn in_squares(&self, side: Side) -> PointSet {
        let squares = self.squares(side);
        let pairs = squares | squares.shifted(Direction::Right);
        pairs | pairs.shifted(Direction::Up)
    }

    /// How many of a side's squares contain the point, from 0 to 4.
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ("........./".repeat(7) + "xxx....../xxx......").parse()?;
    /// let squares = ["A1", "B1", "D1"].map(|name| board.squares_at(Side::First, name.parse().unwrap()));
    /// assert_eq!(squares, [1, 2, 0]);
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub fn squares_at(&self, side: Side, at: Point) -> u8 {
        let corner = PointSet::of(at);
        let pairs = corner | corner.shifted(Direction::Left);
        (self.squares(side) & (pairs | pairs.shifted(Direction::Down))).len()
    }

    /// Whether a line is full of a side's stones.
    ///
    /// ```
    /// use rules::{Side, jirige::Board};
    ///
    /// let board: Board = ("........o/".repeat(8) + "xxxxxxxxx").parse()?;
    /// let full = |side, line: &str| board.is_full(side, line.parse().unwrap());
    /// assert!(full(Side::First, "row:1"));
    /// assert!(!full(Side::Second, "row:1") && !full(Side::Second, "col:I"));
    /// # Ok::<(), rules::jirige::BoardError>(())
    /// ```
    pub const fn is_full(&self, side: Side, line: Line) -> bool {
        self.stones(side).contains_all(line.points())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIZE).rev() {
            for at in (0..SIZE).filter_map(|column| Point::new(column, rank)) {
                f.write_str(match self.owner(at) {
                    Some(Side::First) => "x",
                    Some(Side::Second) => "o",
                    None => ".",
                })?;
            }
            f.write_str(if rank == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut board = Board::default();
        let mut rows = 0;
        for row in text.trim().split(['/', '\n']) {
            let mut columns = 0;
            for sign in row.chars().filter(|sign| !sign.is_whitespace()) {
                let rank = (SIZE - 1).checked_sub(rows).ok_or(BoardError)?;
                let at = Point::new(columns, rank).ok_or(BoardError)?;
                match sign {
                    'x' => board.put(at, Side::First),
                    'o' => board.put(at, Side::Second),
                    '.' => {}
                    _ => return Err(BoardError),
                }
                columns += 1;
            }
            if columns != SIZE {
                return Err(BoardError);
            }
            rows += 1;
        }
        if rows == SIZE { Ok(board) } else { Err(BoardError) }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a board is nine rows of nine signs x, o or .")
    }
}

impl core::error::Error for BoardError {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn text_round_trips_and_bad_text_is_refused() {
        let mut board = Board::default();
        for point in Point::all().step_by(3) {
            board.put(point, if point.rank() % 2 == 0 { Side::First } else { Side::Second });
        }
        let text = board.to_string();
        assert_eq!(text.parse(), Ok(board));
        assert_eq!(text.replace('/', "\n ").replace('x', " x ").parse(), Ok(board));
        for bad in [&text[1..], &text[..text.len() - 2], &(text.clone() + "."), "", "x", "/"] {
            assert_eq!(bad.parse::<Board>(), Err(BoardError));
        }
        assert_eq!((text.clone() + "/" + &text).repeat(40).parse::<Board>(), Err(BoardError));
    }

    #[test]
    fn putting_and_clearing_come_back_to_the_same_key() {
        let mut board = Board::default();
        board.put(Point::CENTRE, Side::First);
        board.put(Point::CENTRE, Side::Second);
        assert_eq!(board.owner(Point::CENTRE), Some(Side::Second));
        assert_eq!(board.clear(Point::CENTRE), Some(Side::Second));
        assert_eq!(board.clear(Point::CENTRE), None);
        assert_eq!(board, Board::default());
    }

    #[test]
    fn overlapping_squares_count_each() {
        let rows =
            "ooo....../ooo....../ooo....../........./........./........./........./.......oo/.......oo";
        let board: Board = rows.parse().unwrap();
        assert_eq!(board.squares(Side::Second).len(), 5);
        assert_eq!(board.in_squares(Side::Second).len(), 13);
        let at = |name: &str| board.squares_at(Side::Second, name.parse().unwrap());
        assert_eq!((at("B8"), at("A9"), at("B9"), at("I1"), at("E5")), (4, 1, 2, 1, 0));
    }
}
