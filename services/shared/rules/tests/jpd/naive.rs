//! Ji Ping Dian Go in the fewest words: the sets G and I of section 3.1 as sets, turns as a list.

use std::collections::BTreeSet;

use rules::goban::Colour;

use crate::reference::Slow;

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Real((u8, u8)),
    Virtual,
    Pass,
}

/// What the rules say of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Legal,
    Occupied,
    ShapeAgain,
    BoardAgain,
}

type Cells = Vec<Option<Colour>>;

/// A game from any board; turns, agreements apart.
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub board: Slow,
    pub to_move: Colour,
    pub virtuals: [i32; 2],
    pub prisoners: [i32; 2],
    /// Who made each turn in which part of the game (0 before the first stop), and whether it was a suicide
    /// of one.
    pub turns: Vec<(Colour, Turn, usize, bool)>,
    pub part: usize,
    /// Passes in a row.
    passes: u32,
    /// G: whole shapes each colour has faced.
    shapes: [BTreeSet<(Cells, [i32; 2])>; 2],
    /// I: boards each colour has faced.
    boards: [BTreeSet<Cells>; 2],
}

impl Naive {
    pub(crate) fn new(board: Slow, to_move: Colour) -> Naive {
        let mut game = Naive {
            board,
            to_move,
            virtuals: [0; 2],
            prisoners: [0; 2],
            turns: Vec::new(),
            part: 0,
            passes: 0,
            shapes: Default::default(),
            boards: Default::default(),
        };
        game.face();
        game
    }

    fn face(&mut self) {
        self.shapes[self.to_move.index()].insert((self.board.cells.clone(), self.virtuals));
        self.boards[self.to_move.index()].insert(self.board.cells.clone());
    }

    /// Article 32.
    pub(crate) fn ruling(&self, turn: Turn) -> Ruling {
        let opponent = self.to_move.other().index();
        match turn {
            Turn::Real(at) if self.board.get(at).is_some() => Ruling::Occupied,
            Turn::Real(at) => {
                let after = self.board.after(at, self.to_move);
                let again = self.shapes[opponent].contains(&(after.cells, self.virtuals));
                if again { Ruling::ShapeAgain } else { Ruling::Legal }
            }
            Turn::Virtual if self.boards[opponent].contains(&self.board.cells) => Ruling::BoardAgain,
            Turn::Virtual | Turn::Pass => Ruling::Legal,
        }
    }

    /// Every legal turn: points in reading order, the virtual move, the pass.
    pub(crate) fn legal(&self) -> Vec<Turn> {
        let plays = self.board.points().into_iter().map(Turn::Real);
        plays.chain([Turn::Virtual, Turn::Pass]).filter(|turn| self.ruling(*turn) == Ruling::Legal).collect()
    }

    pub(crate) fn take(&mut self, turn: Turn) {
        let mut alone = false;
        match turn {
            Turn::Real(at) => {
                let after = self.board.after(at, self.to_move);
                let stones = |board: &Slow, colour| {
                    signed(board.cells.iter().filter(|cell| **cell == Some(colour)).count())
                };
                let own = self.to_move;
                let lost_own = stones(&self.board, own) + 1 - stones(&after, own);
                let lost_other = stones(&self.board, own.other()) - stones(&after, own.other());
                self.prisoners[own.index()] += lost_own;
                self.prisoners[own.other().index()] += lost_other;
                alone = lost_own == 1;
                self.board = after;
            }
            Turn::Virtual => self.virtuals[self.to_move.index()] += 1,
            Turn::Pass => {}
        }
        self.passes = if turn == Turn::Pass { self.passes + 1 } else { 0 };
        self.turns.push((self.to_move, turn, self.part, alone));
        self.to_move = self.to_move.other();
        self.face();
    }

    /// Whether both have just passed.
    pub(crate) fn stopped(&self) -> bool {
        self.passes == 2
    }

    /// Goes on after a stop.
    pub(crate) fn resume(&mut self, part: usize) {
        self.part = part;
        self.passes = 0;
    }

    /// Forgets everything faced.
    pub(crate) fn forget(&mut self) {
        self.shapes = Default::default();
        self.boards = Default::default();
        self.face();
    }

    /// How many more turns of these kinds Black made than White in these parts.
    pub(crate) fn more(&self, parts: impl Fn(usize) -> bool, kind: impl Fn(Turn, bool) -> bool) -> i32 {
        let of = |colour| {
            let turns = self.turns.iter();
            turns
                .filter(|(by, turn, part, alone)| *by == colour && parts(*part) && kind(*turn, *alone))
                .count()
        };
        signed(of(Colour::Black)) - signed(of(Colour::White))
    }
}

/// A small count with a sign.
pub(crate) fn signed(count: impl TryInto<i32>) -> i32 {
    count.try_into().ok().expect("the counts of the tests are small")
}
