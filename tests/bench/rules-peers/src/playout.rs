//! Random games to the end, the same for every engine that plays by the same rules.

use crate::{
    engine::{At, Engine},
    random::Random,
};

/// What a player at random must know: which points are empty, and which are eyes of one colour.
///
/// It costs every engine the same: it keeps its own picture of the board and asks the engine only what the
/// engine is for, whether a move is legal and what it captures.
pub struct Playout {
    size: u8,
    colours: Vec<Colour>,
    /// The empty points, in an order that depends on the game alone.
    empty: Vec<u16>,
    /// Where a cell stands in `empty`.
    place: Vec<u16>,
    chain: Vec<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    Border,
    Empty,
    Black,
    White,
    /// In a chain that is being looked at.
    Lifted,
}

/// A row of the picture, with the border at its left; the border at its right is the next row's.
const STRIDE: usize = 32;

impl Playout {
    /// For boards of `size` points a side.
    pub fn new(size: u8) -> Playout {
        let cells = (usize::from(size) + 2) * STRIDE;
        let points = usize::from(size).pow(2);
        Playout {
            size,
            colours: vec![Colour::Border; cells],
            empty: Vec::with_capacity(points),
            place: vec![0; cells],
            chain: Vec::with_capacity(points),
        }
    }

    /// Plays a game to two passes, or to three moves a point, and returns the engine. A player chooses at
    /// random among the points that are no eye of his own and legal, and passes when there is none.
    pub fn run<E: Engine>(&mut self, random: &mut Random, mut played: impl FnMut(Option<At>)) -> E {
        self.reset();
        let mut engine = E::new(self.size);
        let (mut own, mut other) = (Colour::Black, Colour::White);
        let mut passes = 0;
        for _ in 0..3 * usize::from(self.size).pow(2) {
            let at = self.choose(&mut engine, own, random);
            played(at);
            if at.is_some() {
                passes = 0;
            } else {
                engine.pass();
                passes += 1;
                if passes == 2 {
                    break;
                }
            }
            (own, other) = (other, own);
        }
        engine
    }

    fn reset(&mut self) {
        self.colours.fill(Colour::Border);
        self.empty.clear();
        for row in 0..self.size {
            for column in 0..self.size {
                self.add_empty(cell(At::new(column, row)));
            }
        }
    }

    /// Plays at random; every point is tried at most once.
    fn choose<E: Engine>(&mut self, engine: &mut E, own: Colour, random: &mut Random) -> Option<At> {
        let mut left = self.empty.len();
        while left > 0 {
            let drawn = random.below(left);
            let cell = usize::from(self.empty[drawn]);
            if !self.is_eye(cell, own)
                && let Some(captured) = engine.try_play(at(cell))
            {
                self.note(cell, own, captured);
                return Some(at(cell));
            }
            left -= 1;
            self.exchange(drawn, left);
        }
        None
    }

    fn note(&mut self, cell: usize, own: Colour, captured: bool) {
        let place = usize::from(self.place[cell]);
        self.exchange(place, self.empty.len() - 1);
        self.empty.pop();
        self.colours[cell] = own;
        if captured {
            for beside in around(cell) {
                self.lift(beside, own.other());
            }
        }
    }

    /// Empties the points of the chain on this cell, if it is of this colour and has no liberty. Few engines
    /// tell which stones they captured, so each is spared the telling.
    fn lift(&mut self, from: usize, colour: Colour) {
        if self.colours[from] != colour {
            return;
        }
        self.chain.clear();
        self.chain.push(narrow(from));
        self.colours[from] = Colour::Lifted;
        let mut at = 0;
        let mut free = false;
        while at < self.chain.len() && !free {
            for beside in around(usize::from(self.chain[at])) {
                free |= self.colours[beside] == Colour::Empty;
                if self.colours[beside] == colour {
                    self.colours[beside] = Colour::Lifted;
                    self.chain.push(narrow(beside));
                }
            }
            at += 1;
        }
        for index in 0..self.chain.len() {
            let cell = usize::from(self.chain[index]);
            if free {
                self.colours[cell] = colour;
            } else {
                self.add_empty(cell);
            }
        }
    }

    fn add_empty(&mut self, cell: usize) {
        self.colours[cell] = Colour::Empty;
        self.place[cell] = narrow(self.empty.len());
        self.empty.push(narrow(cell));
    }

    fn exchange(&mut self, one: usize, two: usize) {
        self.empty.swap(one, two);
        for place in [one, two] {
            self.place[usize::from(self.empty[place])] = narrow(place);
        }
    }

    /// Whether a point is surrounded by one colour, with at most one corner of the other, none at the edge.
    fn is_eye(&self, here: usize, own: Colour) -> bool {
        let beside = around(here).map(|cell| self.colours[cell]);
        if !beside.iter().all(|colour| *colour == own || *colour == Colour::Border) {
            return false;
        }
        let corners = [here - STRIDE - 1, here - STRIDE + 1, here + STRIDE - 1, here + STRIDE + 1];
        let corners = corners.map(|cell| self.colours[cell]);
        let hostile = corners.iter().filter(|colour| **colour == own.other()).count();
        hostile + usize::from(corners.contains(&Colour::Border)) < 2
    }
}

impl Colour {
    fn other(self) -> Colour {
        if self == Colour::Black { Colour::White } else { Colour::Black }
    }
}

fn around(cell: usize) -> [usize; 4] {
    [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE]
}

fn cell(at: At) -> usize {
    (usize::from(at.row()) + 1) * STRIDE + usize::from(at.column()) + 1
}

fn at(cell: usize) -> At {
    let [column, row] = [cell % STRIDE, cell / STRIDE].map(|index| index.to_le_bytes()[0] - 1);
    At::new(column, row)
}

/// As the tables hold it: boards have few cells.
const fn narrow(index: usize) -> u16 {
    let [low, high, ..] = index.to_le_bytes();
    u16::from_le_bytes([low, high])
}
