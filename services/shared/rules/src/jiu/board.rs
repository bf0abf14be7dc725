use core::{fmt, str::FromStr};

use super::{
    Direction, Point, PointSet, SIZE,
    point_set::{COLUMNS, ROWS},
    zobrist,
};
use crate::Side;

/// The stones on the board, with what can be seen of them at once: squares, lines, gates.
///
/// Its text is fourteen lines of fourteen signs, `W`, `B` and `.`, row A first; empty lines and lines that
/// start with `#` are left out in reading.
///
/// ```
/// use rules::{Side, jiu::{Board, Point}};
///
/// let mut board = Board::default();
/// board.put(Point::H8, Side::First);
/// assert_eq!(board.to_string().parse(), Ok(board));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [PointSet; 2],
    key: u64,
}

/// Why a text is not a board.
///
/// ```
/// use rules::jiu::{Board, BoardError};
///
/// assert!("..............\n".repeat(14).parse::<Board>().is_ok());
/// assert_eq!("W.B".parse::<Board>(), Err(BoardError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardError;

impl Board {
    /// Puts a stone on a point, in place of what stood there.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::G7, Side::First);
    /// board.put(Point::G7, Side::Second);
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
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::G7, Side::First);
    /// assert_eq!(board.clear(Point::G7), Some(Side::First));
    /// assert_eq!(board.clear(Point::G7), None);
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
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::G7, Side::Second);
    /// assert_eq!(board.owner(Point::G7), Some(Side::Second));
    /// assert_eq!(board.owner(Point::H8), None);
    /// ```
    pub fn owner(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones(*side).contains(at))
    }

    /// The stones of a side.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::G7, Side::First);
    /// board.put(Point::H8, Side::Second);
    /// assert_eq!(board.stones(Side::Second).single(), Some(Point::H8));
    /// ```
    pub const fn stones(&self, side: Side) -> PointSet {
        self.stones[side.index()]
    }

    /// The points without a stone.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// board.put(Point::G7, Side::First);
    /// assert!(board.empty().len() == 195 && !board.empty().contains(Point::G7));
    /// ```
    pub fn empty(&self) -> PointSet {
        !(self.stones[0] | self.stones[1])
    }

    /// How many stones a side has.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// Point::all().take(20).for_each(|at| board.put(at, Side::First));
    /// assert_eq!((board.count(Side::First), board.count(Side::Second)), (20, 0));
    /// ```
    pub const fn count(&self, side: Side) -> u32 {
        self.stones(side).len()
    }

    /// The Zobrist hash of the stones, kept up to date by [`Board::put`] and [`Board::clear`].
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let (mut one, mut other) = (Board::default(), Board::default());
    /// one.put(Point::G7, Side::First);
    /// assert_ne!(one.key(), other.key());
    /// other.put(Point::H8, Side::First);
    /// other.clear(Point::H8);
    /// other.put(Point::G7, Side::First);
    /// assert_eq!(one.key(), other.key());
    /// ```
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The unit squares with four stones of a side (棋门, Article 3.3.1), each by its upper left point.
    ///
    /// ```
    /// use rules::{Side, jiu::Board};
    ///
    /// let mut board = Board::default();
    /// for at in ["C3", "C4", "D3", "D4", "D5"] {
    ///     board.put(at.parse()?, Side::First);
    /// }
    /// assert_eq!(board.squares(Side::First).single(), Some("C3".parse()?));
    /// # Ok::<(), rules::jiu::PointError>(())
    /// ```
    pub fn squares(&self, side: Side) -> PointSet {
        let own = self.stones(side);
        let pairs = own & own.seen(Direction::Right);
        pairs & pairs.seen(Direction::Down)
    }

    /// How many of a side's squares contain the point, from 0 to 4.
    ///
    /// ```
    /// use rules::{Side, jiu::Board};
    ///
    /// let mut board = Board::default();
    /// for at in ["C3", "C4", "C5", "D3", "D4", "D5"] {
    ///     board.put(at.parse()?, Side::First);
    /// }
    /// assert_eq!(board.squares_at(Side::First, "C4".parse()?), 2);
    /// assert_eq!(board.squares_at(Side::First, "C5".parse()?), 1);
    /// # Ok::<(), rules::jiu::PointError>(())
    /// ```
    pub fn squares_at(&self, side: Side, at: Point) -> u8 {
        let own = self.stones(side);
        let own_at = |at: Option<Point>| at.filter(|at| own.contains(*at));
        let beside = |from: Point, to: Direction| own_at(from.step(to));
        let square =
            |up_or_down: Point, sideways: Direction| u8::from(beside(up_or_down, sideways).is_some());
        let Some(at) = own_at(Some(at)) else { return 0 };
        let sides = [Direction::Left, Direction::Right].map(|to| beside(at, to).map(|_| to));
        let ends = [Direction::Up, Direction::Down].map(|to| beside(at, to));
        let pairs = |end: Point| sides.into_iter().flatten().map(move |to| square(end, to)).sum::<u8>();
        ends.into_iter().flatten().map(pairs).sum()
    }

    /// Whether the row and the column through the point are full lines of a side, edge to edge.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// Point::all().filter(|at| at.column() == 6).for_each(|at| board.put(at, Side::First));
    /// assert_eq!(board.lines_at(Side::First, Point::G7), (false, true));
    /// assert_eq!(board.lines_at(Side::First, Point::H8), (false, false));
    /// ```
    pub fn lines_at(&self, side: Side, at: Point) -> (bool, bool) {
        let own = self.stones(side);
        let full = |line: PointSet| own.contains_all(line);
        (full(ROWS[usize::from(at.row())]), full(COLUMNS[usize::from(at.column())]))
    }

    /// Whether a side has any full row, and any full column.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// Point::all().take(14).for_each(|at| board.put(at, Side::First));
    /// assert_eq!(board.has_lines(Side::First), (true, false));
    /// ```
    pub fn has_lines(&self, side: Side) -> (bool, bool) {
        let own = self.stones(side);
        let any = |lines: &[PointSet]| lines.iter().any(|line| own.contains_all(*line));
        (any(&ROWS), any(&COLUMNS))
    }

    /// The points of a side's squares and of its full lines through any of these points.
    ///
    /// ```
    /// use rules::{Side, jiu::{Board, Point}};
    ///
    /// let mut board = Board::default();
    /// Point::all().take(16).for_each(|at| board.put(at, Side::First));
    /// let (in_squares, in_lines) = board.completed(Side::First, &["A2".parse().unwrap()]);
    /// assert!(in_squares.iter().map(|at| at.to_string()).eq(["A1", "A2", "B1", "B2"]));
    /// assert!(in_lines.iter().eq(Point::all().take(14)));
    /// ```
    pub fn completed(&self, side: Side, through: &[Point]) -> (PointSet, PointSet) {
        let squares = self.squares(side);
        let (mut in_squares, mut in_lines) = (PointSet::EMPTY, PointSet::EMPTY);
        for at in through {
            for corner in corners(*at).filter(|corner| squares.contains(*corner)) {
                let pair = PointSet::from_iter([corner]);
                let pair = pair | pair.shifted(Direction::Right);
                in_squares = in_squares | pair | pair.shifted(Direction::Down);
            }
            let (row, column) = self.lines_at(side, *at);
            let row = if row { ROWS[usize::from(at.row())] } else { PointSet::EMPTY };
            let column = if column { COLUMNS[usize::from(at.column())] } else { PointSet::EMPTY };
            in_lines = in_lines | row | column;
        }
        (in_squares, in_lines)
    }

    /// Whether a side has a gate in the sense of Article 4: a square with four own stones, or one with three
    /// and the fourth point empty.
    ///
    /// ```
    /// use rules::{Side, jiu::Board};
    ///
    /// let mut board = Board::default();
    /// for at in ["C3", "C4", "D3"] {
    ///     board.put(at.parse()?, Side::First);
    /// }
    /// assert!(board.has_gate(Side::First));
    /// board.put("D4".parse()?, Side::Second);
    /// assert!(!board.has_gate(Side::First));
    /// # Ok::<(), rules::jiu::PointError>(())
    /// ```
    pub fn has_gate(&self, side: Side) -> bool {
        let around = |set: PointSet| {
            let right = set.seen(Direction::Right);
            [set, right, set.seen(Direction::Down), right.seen(Direction::Down)]
        };
        let (own, empty) = (around(self.stones(side)), around(self.empty()));
        let lacking =
            |gap: usize| (0..4).fold(empty[gap], |set, i| if i == gap { set } else { set & own[i] });
        !self.squares(side).is_empty() || (0..4).any(|gap| !lacking(gap).is_empty())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in Point::all() {
            f.write_str(match self.owner(point) {
                Some(Side::First) => "W",
                Some(Side::Second) => "B",
                None => ".",
            })?;
            if point.column() + 1 == SIZE {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut board = Board::default();
        let mut rows = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut columns = 0;
            for sign in line.bytes() {
                let at = Point::new(rows, columns).ok_or(BoardError)?;
                match sign {
                    b'W' => board.put(at, Side::First),
                    b'B' => board.put(at, Side::Second),
                    b'.' => {}
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
        f.write_str("a board is fourteen lines of fourteen signs W, B or .")
    }
}

impl core::error::Error for BoardError {}

/// The upper left points of the unit squares that contain a point.
fn corners(at: Point) -> impl Iterator<Item = Point> {
    let up = at.step(Direction::Up);
    let left = at.step(Direction::Left);
    let up_left = up.and_then(|up| up.step(Direction::Left));
    [Some(at), left, up, up_left].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[test]
    fn text_round_trips_and_bad_text_is_refused() {
        let mut board = Board::default();
        for point in Point::all().step_by(3) {
            board.put(point, if point.row() % 2 == 0 { Side::First } else { Side::Second });
        }
        let text = board.to_string();
        assert_eq!(text.parse(), Ok(board));
        assert_eq!(format!("# a heading\n\n{text}").parse(), Ok(board));
        for bad in [&text[1..], &text[..text.len() - 2], &(text.clone() + "."), "", "W"] {
            assert_eq!(bad.parse::<Board>(), Err(BoardError));
        }
        assert_eq!((text.clone() + &text).repeat(20).parse::<Board>(), Err(BoardError));
    }

    #[test]
    fn putting_and_clearing_come_back_to_the_same_key() {
        let mut board = Board::default();
        board.put(Point::G7, Side::First);
        board.put(Point::G7, Side::Second);
        assert_eq!(board.owner(Point::G7), Some(Side::Second));
        assert_eq!(board.clear(Point::G7), Some(Side::Second));
        assert_eq!(board.clear(Point::G7), None);
        assert_eq!(board, Board::default());
    }
}
