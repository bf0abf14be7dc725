//! Go in the fewest words: sets of points, searched anew for every question. Slow, and easy to believe.

use std::collections::BTreeSet;

use rules::goban::{Colour, Point, Repetition};

/// A board; cells in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slow {
    pub columns: u8,
    pub rows: u8,
    pub cells: Vec<Option<Colour>>,
}

/// What the rules say of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Legal,
    Occupied,
    Suicide,
    Ko,
    Repetition,
    LongCycle,
}

/// A game: the start and every turn with the board after it.
#[derive(Clone, Debug)]
pub(crate) struct SlowGame {
    pub boards: Vec<Slow>,
    pub passes: Vec<bool>,
    pub to_move: Colour,
}

impl Slow {
    pub(crate) fn new(columns: u8, rows: u8) -> Slow {
        Slow { columns, rows, cells: vec![None; usize::from(columns) * usize::from(rows)] }
    }

    pub(crate) fn get(&self, (column, row): (u8, u8)) -> Option<Colour> {
        self.cells[usize::from(row) * usize::from(self.columns) + usize::from(column)]
    }

    pub(crate) fn set(&mut self, (column, row): (u8, u8), cell: Option<Colour>) {
        self.cells[usize::from(row) * usize::from(self.columns) + usize::from(column)] = cell;
    }

    pub(crate) fn points(&self) -> Vec<(u8, u8)> {
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row))).collect()
    }

    pub(crate) fn beside(&self, (column, row): (u8, u8)) -> Vec<(u8, u8)> {
        let all = [(0, -1), (-1, 0), (1, 0), (0, 1)]
            .map(|(x, y)| (column.checked_add_signed(x), row.checked_add_signed(y)));
        all.into_iter()
            .filter_map(|(column, row)| Some((column?, row?)))
            .filter(|(column, row)| *column < self.columns && *row < self.rows)
            .collect()
    }

    /// The connected points of the same state.
    pub(crate) fn component(&self, at: (u8, u8)) -> BTreeSet<(u8, u8)> {
        let mut found = BTreeSet::new();
        let mut open = vec![at];
        while let Some(point) = open.pop() {
            if self.get(point) == self.get(at) && found.insert(point) {
                open.extend(self.beside(point));
            }
        }
        found
    }

    pub(crate) fn liberties(&self, at: (u8, u8)) -> BTreeSet<(u8, u8)> {
        let chain = self.component(at);
        chain
            .iter()
            .flat_map(|point| self.beside(*point))
            .filter(|point| self.get(*point).is_none())
            .collect()
    }

    /// The board after a stone: opponents without liberty leave, then the own chain if it has none.
    pub(crate) fn after(&self, at: (u8, u8), colour: Colour) -> Slow {
        let mut board = self.clone();
        board.set(at, Some(colour));
        for beside in self.beside(at) {
            if board.get(beside) == Some(colour.other()) && board.liberties(beside).is_empty() {
                board.component(beside).into_iter().for_each(|point| board.set(point, None));
            }
        }
        if board.liberties(at).is_empty() {
            board.component(at).into_iter().for_each(|point| board.set(point, None));
        }
        board
    }

    /// Who holds a point if all stones are alive.
    pub(crate) fn owner(&self, at: (u8, u8)) -> Option<Colour> {
        if self.get(at).is_some() {
            return self.get(at);
        }
        let region = self.component(at);
        let around: BTreeSet<_> =
            region.iter().flat_map(|point| self.beside(*point)).filter_map(|point| self.get(point)).collect();
        if around.len() == 1 { around.first().copied() } else { None }
    }
}

impl SlowGame {
    pub(crate) fn new(board: Slow, to_move: Colour) -> SlowGame {
        SlowGame { boards: vec![board], passes: vec![false], to_move }
    }

    pub(crate) fn board(&self) -> &Slow {
        self.boards.last().expect("a game has a first board")
    }

    /// The table of repetitions, read line by line.
    pub(crate) fn ruling(&self, at: (u8, u8), repetition: Repetition) -> Ruling {
        if self.board().get(at).is_some() {
            return Ruling::Occupied;
        }
        let after = self.board().after(at, self.to_move);
        if after.get(at).is_none() {
            return Ruling::Suicide;
        }
        let now = self.boards.len();
        let turns: Vec<_> = (0..now).filter(|turn| self.boards[*turn] == after).collect();
        let Some(last) = turns.last().copied() else { return Ruling::Legal };
        let length = now - last;
        let pass_inside = (last + 1..now).any(|turn| self.passes[turn]);
        let faced = turns.iter().any(|turn| (now - turn).is_multiple_of(2));
        if length == 2 {
            return Ruling::Ko;
        }
        let balanced = length.is_multiple_of(2) && !pass_inside;
        match repetition {
            Repetition::Cn1988 | Repetition::Simple if balanced => Ruling::LongCycle,
            Repetition::Cn1988 | Repetition::Psk => Ruling::Repetition,
            Repetition::Situational if faced => Ruling::Repetition,
            Repetition::Situational | Repetition::Simple => Ruling::Legal,
        }
    }

    pub(crate) fn play(&mut self, at: (u8, u8)) {
        let after = self.board().after(at, self.to_move);
        self.boards.push(after);
        self.passes.push(false);
        self.to_move = self.to_move.other();
    }

    pub(crate) fn pass(&mut self) {
        self.boards.push(self.board().clone());
        self.passes.push(true);
        self.to_move = self.to_move.other();
    }
}

/// The point as the engine has it.
pub(crate) fn point((column, row): (u8, u8)) -> Point {
    Point::new(column, row).expect("the boards of the tests are small enough")
}
