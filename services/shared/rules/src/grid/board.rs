use core::fmt;

use super::{Direction, Grid, Point, PointSet};
use crate::{SetupText, Side, Stone, Variant, prelude::*, zobrist};

/// The stones on a board, with what can be seen of them at once.
///
/// Its text is its rows from the top, in the signs of its grid and `.` for an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<G: Grid, const WORDS: usize> {
    stones: [PointSet<G, WORDS>; 2],
    key: u64,
}

/// The text is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board has as many rows of as many signs as it has points on a side")]
pub struct BoardError;

impl<G: Grid, const WORDS: usize> Board<G, WORDS> {
    /// Puts a stone on a point, in place of what stood there.
    #[inline]
    pub fn put(&mut self, at: Point<G>, side: Side) {
        self.clear(at);
        self.stones[side.index()].insert(at);
        self.key ^= zobrist::stone(side.index(), at.index());
    }

    /// Empties a point and says whose stone stood there.
    #[inline]
    pub fn clear(&mut self, at: Point<G>) -> Option<Side> {
        let owner = self.owner(at)?;
        self.stones[owner.index()].remove(at);
        self.key ^= zobrist::stone(owner.index(), at.index());
        Some(owner)
    }

    /// Whose stone stands on the point.
    pub fn owner(&self, at: Point<G>) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones(*side).contains(at))
    }

    /// The stones of a side.
    pub const fn stones(&self, side: Side) -> PointSet<G, WORDS> {
        self.stones[side.index()]
    }

    /// The points without a stone.
    pub fn empty(&self) -> PointSet<G, WORDS> {
        !(self.stones[0] | self.stones[1])
    }

    /// How many stones a side has.
    pub const fn count(&self, side: Side) -> u8 {
        self.stones(side).len()
    }

    /// The Zobrist hash of the stones, kept up to date by [`Board::put`] and [`Board::clear`].
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The unit squares with four stones of a side, each by its point in the lowest row and column; overlapping
    /// ones count each.
    pub fn squares(&self, side: Side) -> PointSet<G, WORDS> {
        let own = self.stones(side);
        let pairs = own & own.shifted(Direction::Left);
        pairs & pairs.to_first_row()
    }

    /// How many of a side's squares contain the point, from 0 to 4.
    pub fn squares_at(&self, side: Side, at: Point<G>) -> u8 {
        // Looking around the point costs less than all the squares of the board.
        let own = self.stones(side);
        let beside = |at: Point<G>, to| at.step(to).filter(|at| own.contains(*at));
        if !own.contains(at) {
            return 0;
        }
        let sides = [Direction::Left, Direction::Right].map(|to| beside(at, to).map(|_| to));
        let ends = [Direction::Up, Direction::Down].map(|to| beside(at, to));
        let square = |end, to| u8::from(beside(end, to).is_some());
        let squares = |end| sides.into_iter().flatten().map(|to| square(end, to)).sum::<u8>();
        ends.into_iter().flatten().map(squares).sum()
    }

    /// The points of the squares of a side.
    pub fn in_squares(&self, side: Side) -> PointSet<G, WORDS> {
        filled(self.squares(side))
    }

    /// The points of those squares of a side that contain the point.
    pub fn in_squares_at(&self, side: Side, at: Point<G>) -> PointSet<G, WORDS> {
        filled(self.corners(side, at))
    }

    /// The squares of a side that contain the point, as [`Board::squares`] names them.
    fn corners(&self, side: Side, at: Point<G>) -> PointSet<G, WORDS> {
        let corner = PointSet::of(at);
        let pair = corner | corner.shifted(Direction::Left);
        self.squares(side) & (pair | pair.to_first_row())
    }

    /// The stones as they are drawn, row by row from the top left.
    pub(crate) fn drawn(&self) -> Vec<Stone> {
        let points = crate::Point::all(G::SIDE, G::SIDE);
        points.filter_map(|at| Some(Stone { at, owner: self.owner(at.try_into().ok()?)? })).collect()
    }

    /// The board of a position's text, if it has the size of this grid.
    pub(crate) fn of_setup(
        setup: &SetupText<'_>,
        variant: &Variant,
    ) -> Result<Option<Self>, crate::SetupError> {
        let owner = |colour| variant.side_of(colour);
        let rows = setup.grid()?.into_iter().map(|row| row.into_iter().map(|it| Ok(it.map(owner))));
        Ok(Self::of_rows(rows).ok())
    }

    /// Reads the signs of the rows from the top.
    pub(crate) fn of_signs(
        rows: impl Iterator<Item = impl Iterator<Item = char>>,
    ) -> Result<Self, BoardError> {
        let owner = |sign: char| match sign {
            '.' => Ok(None),
            _ => Side::BOTH.into_iter().find(|it| G::SIGNS[it.index()] == sign).map(Some).ok_or(BoardError),
        };
        Self::of_rows(rows.map(|row| row.map(owner)))
    }

    fn of_rows(
        rows: impl Iterator<Item = impl Iterator<Item = Result<Option<Side>, BoardError>>>,
    ) -> Result<Self, BoardError> {
        let mut board = Self::default();
        let mut next = crate::Point { column: 0, row: 0 };
        for row in rows {
            next.column = 0;
            for owner in row {
                let at = Point::try_from(next).map_err(|_| BoardError)?;
                if let Some(owner) = owner? {
                    board.put(at, owner);
                }
                next.column += 1;
            }
            if next.column != G::SIDE {
                return Err(BoardError);
            }
            next.row += 1;
        }
        if next.row == G::SIDE { Ok(board) } else { Err(BoardError) }
    }

    /// Writes the rows from the top, with this between them.
    pub(crate) fn write_rows(&self, f: &mut fmt::Formatter<'_>, between: &str) -> fmt::Result {
        use fmt::Write as _;
        for row in 0..G::SIDE {
            f.write_str(if row == 0 { "" } else { between })?;
            for column in 0..G::SIDE {
                let owner = crate::Point { column, row }.try_into().ok().and_then(|at| self.owner(at));
                f.write_char(owner.map_or('.', |owner| G::SIGNS[owner.index()]))?;
            }
        }
        Ok(())
    }
}

impl<G: Grid, const WORDS: usize> Default for Board<G, WORDS> {
    fn default() -> Self {
        Board { stones: [PointSet::EMPTY; 2], key: 0 }
    }
}

/// The points of the squares that these points name.
fn filled<G: Grid, const WORDS: usize>(squares: PointSet<G, WORDS>) -> PointSet<G, WORDS> {
    let pairs = squares | squares.shifted(Direction::Right);
    pairs | pairs.to_last_row()
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;
    use crate::{jirige, jiu};

    fn every_third<G: Grid, const WORDS: usize>() -> Board<G, WORDS> {
        let mut board = Board::default();
        for point in Point::all().step_by(3) {
            board.put(point, if point.row() % 2 == 0 { Side::First } else { Side::Second });
        }
        board
    }

    fn putting_and_clearing_come_back_to_the_same_key<G: Grid, const WORDS: usize>() {
        let mut board = Board::<G, WORDS>::default();
        let at = Point::all().nth(40).unwrap();
        board.put(at, Side::First);
        board.put(at, Side::Second);
        assert_eq!((board.owner(at), board.count(Side::First)), (Some(Side::Second), 0));
        assert_eq!(board.clear(at), Some(Side::Second));
        assert_eq!(board.clear(at), None);
        assert_eq!(board, Board::default());
    }

    #[test]
    fn putting_and_clearing_undo_each_other_on_either_grid() {
        putting_and_clearing_come_back_to_the_same_key::<jiu::Fourteen, 4>();
        putting_and_clearing_come_back_to_the_same_key::<jirige::Nine, 2>();
    }

    #[test]
    fn text_of_jiu_round_trips_and_bad_text_is_refused() {
        let board = every_third::<jiu::Fourteen, 4>();
        let text = board.to_string();
        assert_eq!(text.parse(), Ok(board));
        assert_eq!(format!("# a heading\n\n{text}").parse(), Ok(board));
        for bad in [&text[1..], &text[..text.len() - 2], &(text.clone() + "."), "", "W"] {
            assert_eq!(bad.parse::<jiu::Board>(), Err(BoardError));
        }
        assert_eq!((text.clone() + &text).repeat(20).parse::<jiu::Board>(), Err(BoardError));
    }

    #[test]
    fn text_of_jirige_round_trips_and_bad_text_is_refused() {
        let board = every_third::<jirige::Nine, 2>();
        let text = board.to_string();
        assert_eq!(text.parse(), Ok(board));
        assert_eq!(text.replace('/', "\n ").replace('x', " x ").parse(), Ok(board));
        for bad in [&text[1..], &text[..text.len() - 2], &(text.clone() + "."), "", "x", "/"] {
            assert_eq!(bad.parse::<jirige::Board>(), Err(BoardError));
        }
        assert_eq!((text.clone() + "/" + &text).repeat(40).parse::<jirige::Board>(), Err(BoardError));
    }

    #[test]
    fn overlapping_squares_count_each() {
        let rows =
            "ooo....../ooo....../ooo....../........./........./........./........./.......oo/.......oo";
        let board: jirige::Board = rows.parse().unwrap();
        assert_eq!(board.squares(Side::Second).len(), 5);
        assert_eq!(board.in_squares(Side::Second).len(), 13);
        let at = |name: &str| board.squares_at(Side::Second, name.parse().unwrap());
        assert_eq!((at("B8"), at("A9"), at("B9"), at("I1"), at("E5")), (4, 1, 2, 1, 0));
    }
}
