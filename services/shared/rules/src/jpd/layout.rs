use alloc::borrow::Cow;

use super::{Ledger, Terms, gather::gather};
use crate::{
    CountBoard, Mark,
    goban::{Area, Board, Colour, Point, Stone, effects::territory},
    prelude::*,
};

/// A board laid out for counting: who holds each point and whether a stone lies on it.
///
/// It is book-keeping, not a position: stones are put down and taken up without regard to liberties
/// (article 43), and chains may lie on it that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    columns: u8,
    /// In reading order.
    cells: Vec<Cell>,
}

/// A point of a board laid out for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A stone on its own land.
    Stone(Colour),
    /// An empty point of this colour's land.
    Space(Colour),
    /// An empty point that both hold.
    Shared,
    /// A stone put on a shared point, which it now holds (article 43).
    Filled(Colour),
    /// An empty point that nobody holds; only where the end is natural to the letter.
    Nobody,
}

impl Layout {
    /// A board this wide with these cells in reading order; of any size, as counting needs no board of Go.
    pub fn new(columns: u8, cells: impl IntoIterator<Item = Cell>) -> Option<Layout> {
        let cells: Vec<_> = cells.into_iter().collect();
        let whole = columns > 0 && cells.len().is_multiple_of(usize::from(columns));
        (whole && cells.len() / usize::from(columns) < 256).then_some(Layout { columns, cells })
    }

    /// A board without dead stones, its empty points held as the terms say and else as they are enclosed
    /// (articles 11 and 33).
    pub(super) fn agreed(board: &Board, terms: &Terms) -> Layout {
        let area = Area::of(board);
        Layout::held(board, |at| terms.holder(at, area.owner(at)).map_or(Cell::Shared, Cell::Space))
    }

    /// A board on which every stone is alive, held by stones and their liberties to the letter (article
    /// 30.2).
    pub(super) fn adjacent(board: &Board) -> Layout {
        Layout::held(board, |at| {
            let beside = |colour| board.neighbours(at).any(|point| board.stone(point) == Some(colour));
            match Colour::BOTH.map(beside) {
                [true, true] => Cell::Shared,
                [true, false] => Cell::Space(Colour::Black),
                [false, true] => Cell::Space(Colour::White),
                [false, false] => Cell::Nobody,
            }
        })
    }

    fn held(board: &Board, empty: impl Fn(Point) -> Cell) -> Layout {
        let cell = |at| board.stone(at).map_or_else(|| empty(at), Cell::Stone);
        Layout { columns: board.columns().get(), cells: board.points().map(cell).collect() }
    }

    /// The cells, in reading order.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// How wide it is, in points.
    pub const fn columns(&self) -> u8 {
        self.columns
    }

    /// What each colour has on it.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::default();
        for cell in &self.cells {
            match cell {
                Cell::Stone(colour) | Cell::Filled(colour) => ledger.stones[colour.index()] += 1,
                Cell::Space(colour) => ledger.spaces[colour.index()] += 1,
                Cell::Shared => ledger.shared += 1,
                Cell::Nobody => {}
            }
        }
        ledger
    }

    /// As a client draws it, with dead stones that have not been taken off yet.
    pub fn picture(&self, dead: &[Stone]) -> CountBoard {
        let mut stones: Vec<_> = dead
            .iter()
            .map(|stone| crate::Stone { at: stone.at.into(), owner: stone.colour.side() })
            .collect();
        let mark = |at, kind| Mark { at, kind: Cow::Borrowed(kind) };
        let mut marks: Vec<_> = dead.iter().map(|stone| mark(stone.at.into(), "dead")).collect();
        for (at, cell) in crate::Point::all(self.columns, u8::MAX).zip(&self.cells) {
            match cell {
                Cell::Stone(colour) | Cell::Filled(colour) => {
                    stones.push(crate::Stone { at, owner: colour.side() });
                }
                // Whose a point is shows once the dead stones are gone.
                _ if !dead.is_empty() => {}
                Cell::Space(colour) => marks.push(mark(at, territory(colour.side()))),
                Cell::Shared => marks.push(mark(at, "shared")),
                Cell::Nobody => {}
            }
        }
        stones.sort_unstable_by_key(|stone| (stone.at.row, stone.at.column));
        CountBoard { stones, marks }
    }

    /// Class A negative moves (article 34.1): takes stones from where both colours meet, or from elsewhere
    /// if there are not enough there. `None` if there are not enough at all.
    pub(super) fn take_border(mut self, colour: Colour, stones: i32) -> Option<Layout> {
        let own = |cell: &Cell| *cell == Cell::Stone(colour);
        let all: Vec<_> = (0..self.cells.len()).filter(|nth| own(&self.cells[*nth])).collect();
        let (border, inner): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|nth| self.beside(*nth).any(|other| self.cells[other] == Cell::Stone(colour.other())));
        let stones = usize::try_from(stones).ok().filter(|stones| *stones <= border.len() + inner.len())?;
        for nth in border.into_iter().chain(inner).take(stones) {
            self.cells[nth] = Cell::Shared;
        }
        Some(self)
    }

    /// Fills spaces with stones, or takes stones off the own land if there are fewer than none to fill.
    /// `None` if it cannot be done on the board.
    pub(super) fn fill(mut self, colour: Colour, stones: i32) -> Option<Layout> {
        let (from, to) = (Cell::Space(colour), Cell::Stone(colour));
        let (from, to) = if stones < 0 { (to, from) } else { (from, to) };
        let mut left = stones.unsigned_abs();
        for cell in self.cells.iter_mut().filter(|cell| **cell == from) {
            if left == 0 {
                break;
            }
            *cell = to;
            left -= 1;
        }
        (left == 0).then_some(self)
    }

    /// Puts as many stones of each colour on the shared points, in turns (article 43.4).
    pub(super) fn fill_shared(mut self) -> Layout {
        let pairs = self.ledger().shared / 2;
        let turns = (0..pairs).flat_map(|_| Colour::BOTH);
        let shared = self.cells.iter_mut().filter(|cell| **cell == Cell::Shared);
        shared.zip(turns).for_each(|(cell, colour)| *cell = Cell::Filled(colour));
        self
    }

    /// Exchanges stones and spaces within the own land until the spaces lie together (articles 35 and 42).
    pub(super) fn gathered(mut self) -> Layout {
        for colour in Colour::BOTH {
            gather(&mut self, colour);
        }
        self
    }

    /// For [`gather`]: makes just these cells of a colour's land its spaces.
    pub(super) fn set_spaces(&mut self, colour: Colour, spaces: &[usize]) {
        for cell in &mut self.cells {
            if *cell == Cell::Space(colour) {
                *cell = Cell::Stone(colour);
            }
        }
        for nth in spaces {
            self.cells[*nth] = Cell::Space(colour);
        }
    }

    /// The cells beside one.
    pub(super) fn beside(&self, nth: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, cells) = (usize::from(self.columns), self.cells.len());
        let column = nth % columns;
        let around = [
            nth.checked_sub(columns),
            (column > 0).then(|| nth - 1),
            (column + 1 < columns).then_some(nth + 1),
            Some(nth + columns).filter(|below| *below < cells),
        ];
        around.into_iter().flatten()
    }
}
