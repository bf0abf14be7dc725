use core::fmt;

use super::{Illegal, Size};
use crate::{ActError, prelude::*};

/// A point of a board, by column from the left and row from the top, both from 0.
///
/// Its name counts rows from the bottom (`A1` is lower left; there is no column I), so naming a point takes
/// the height of the board. The value itself is an index into a board of 32 cells a row with a border, the
/// same on boards of every size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

/// Why a text names no point of a board, or no act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// It is not written as one.
    Syntax,
    /// It names a point that this board does not have.
    OffBoard,
}

impl NotationError {
    /// The refusal of an act that was written so, with the sentence for what is no act at all.
    pub(crate) fn refusal(self, wanted: &'static str) -> ActError {
        match self {
            NotationError::Syntax => ActError::syntax(wanted),
            NotationError::OffBoard => Illegal::OffBoard.into(),
        }
    }
}

/// Cells a row of a board with its border; a power of two, so that columns and rows are bit fields.
pub(super) const STRIDE: u16 = 32;

/// Cells of the largest board with its border.
pub(crate) const CELLS: usize = (Size::MAX.get() as usize + 2) * STRIDE as usize;

const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Point {
    /// The point in this column and row, or `None` beyond the largest board.
    pub const fn new(column: u8, row: u8) -> Option<Point> {
        if column < Size::MAX.get() && row < Size::MAX.get() {
            Some(Point((row as u16 + 1) * STRIDE + column as u16 + 1))
        } else {
            None
        }
    }

    /// Column from the left, from 0.
    pub const fn column(self) -> u8 {
        (self.0 & 31) as u8 - 1
    }

    /// Row from the top, from 0.
    pub const fn row(self) -> u8 {
        ((self.0 >> 5) & 31) as u8 - 1
    }

    /// The point with this name (`Q16`, `q16`) on a board this high and no wider than [`Size::MAX`].
    pub fn parse(name: &str, height: Size) -> Option<Point> {
        Point::read(name, Size::MAX, height).ok()
    }

    /// The name of the point on a board this high.
    pub fn name(self, height: Size) -> String {
        let letter = char::from(COLUMNS[usize::from(self.column())]);
        format!("{letter}{}", i16::from(height.get()) - i16::from(self.row()))
    }

    /// As [`Point::parse`], saying what is wrong.
    pub(crate) fn read(name: &str, width: Size, height: Size) -> Result<Point, NotationError> {
        let (letter, number) = match name.as_bytes() {
            [letter, number @ (b'1'..=b'9')] => (letter, number - b'0'),
            [letter, tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => (letter, (tens - b'0') * 10 + ones - b'0'),
            _ => return Err(NotationError::Syntax),
        };
        let column = (0u8..).zip(COLUMNS).find(|(_, name)| **name == letter.to_ascii_uppercase());
        let (column, _) = column.ok_or(NotationError::Syntax)?;
        let row = height.get().checked_sub(number).ok_or(NotationError::OffBoard)?;
        if column >= width.get() {
            return Err(NotationError::OffBoard);
        }
        Point::new(column, row).ok_or(NotationError::OffBoard)
    }

    /// The cell as a number, to be stored.
    pub(super) const fn cell(self) -> u16 {
        self.0
    }

    /// The index of the cell.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell with this index; border cells must not leave the engine.
    pub(super) const fn from_cell(cell: u16) -> Point {
        Point(cell)
    }

    /// The four cells beside this one, border cells included.
    pub(super) const fn around(self) -> [Point; 4] {
        [Point(self.0 - STRIDE), Point(self.0 - 1), Point(self.0 + 1), Point(self.0 + STRIDE)]
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({}, {})", self.column(), self.row())
    }
}

impl From<Point> for crate::Point {
    fn from(point: Point) -> crate::Point {
        crate::Point { column: point.column(), row: point.row() }
    }
}
