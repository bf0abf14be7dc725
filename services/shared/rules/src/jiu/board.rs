use core::{fmt, str::FromStr};

use crate::{
    Axes, Side,
    grid::{self, BoardError, Direction, Grid},
};

/// The grid of 14 x 14 points (Article 1): letters go down, numbers across. White is `W`, Black `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fourteen;

impl Grid for Fourteen {
    const SIDE: u8 = 14;
    const AXES: Axes = Axes::Down;
    const SIGNS: [char; 2] = ['W', 'B'];
}

/// One of the 196 points, `A1` at the top left to `N14` at the bottom right, in reading order.
pub type Point = grid::Point<Fourteen>;
/// A set of points.
pub type PointSet = grid::PointSet<Fourteen, 4>;
/// The stones on the board. Its text is fourteen lines of fourteen signs; empty lines and lines that start with `#`
/// are left out in reading.
pub type Board = grid::Board<Fourteen, 4>;

/// The rows from the top.
pub(super) static ROWS: [PointSet; Fourteen::SIDE as usize] = PointSet::rows();
/// The columns from the left.
pub(super) static COLUMNS: [PointSet; Fourteen::SIDE as usize] = PointSet::columns();

impl Point {
    /// One end of the marked diagonal of the central cell, where the placement begins (Article 3.1).
    pub const G7: Point = Point::new(6, 6).unwrap();
    /// The other end of the marked diagonal.
    pub const H8: Point = Point::new(7, 7).unwrap();
}

impl Board {
    /// Whether the row and the column through the point are full lines of a side, edge to edge.
    pub fn lines_at(&self, side: Side, at: Point) -> (bool, bool) {
        let own = self.stones(side);
        let full = |line: PointSet| own.contains_all(line);
        (full(ROWS[usize::from(at.row())]), full(COLUMNS[usize::from(at.column())]))
    }

    /// Whether a side has any full row, and any full column.
    pub fn has_lines(&self, side: Side) -> (bool, bool) {
        let own = self.stones(side);
        let any = |lines: &[PointSet]| lines.iter().any(|line| own.contains_all(*line));
        (any(&ROWS), any(&COLUMNS))
    }

    /// The points of a side's squares and of its full lines through any of these points.
    pub fn completed(&self, side: Side, through: &[Point]) -> (PointSet, PointSet) {
        let (mut in_squares, mut in_lines) = (PointSet::EMPTY, PointSet::EMPTY);
        for at in through {
            in_squares = in_squares | self.in_squares_at(side, *at);
            let (row, column) = self.lines_at(side, *at);
            let row = if row { ROWS[usize::from(at.row())] } else { PointSet::EMPTY };
            let column = if column { COLUMNS[usize::from(at.column())] } else { PointSet::EMPTY };
            in_lines = in_lines | row | column;
        }
        (in_squares, in_lines)
    }

    /// Whether a side has a gate in the sense of Article 4: a square with four own stones, or one with three
    /// and the fourth point empty.
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
        self.write_rows(f, "\n")?;
        f.write_str("\n")
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let rows = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Board::of_signs(rows.map(str::chars))
    }
}
