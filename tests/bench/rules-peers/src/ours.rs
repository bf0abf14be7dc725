//! Our own engine: the board alone, and the game with its repetition.

use rules::go::Position;
use rules::goban::{Board, Colour, Move, Point, Repetition, Rules, Size};

use crate::engine::{At, Engine};

/// The board with simple ko, as an engine of the same scope as `go_game_board`.
pub struct SimpleKo {
    board: Board,
    to_move: Colour,
    ko: Option<Point>,
}

/// The game with the whole board compared to every earlier one (positional superko).
pub struct Superko(pub Position);

impl SimpleKo {
    fn put(&mut self, at: Point) -> bool {
        let mut count = 0;
        let mut last = at;
        self.board.put(at, self.to_move, |at, _| {
            count += 1;
            last = at;
        });
        let alone = || {
            self.board.neighbours(at).all(|beside| {
                beside == last || self.board.stone(beside).is_some_and(|colour| colour != self.to_move)
            })
        };
        self.ko = (count == 1 && alone()).then_some(last);
        self.to_move = self.to_move.other();
        count > 0
    }
}

impl Engine for SimpleKo {
    const NAME: &'static str = "shoutan, board and simple ko";

    fn new(size: u8) -> Self {
        SimpleKo { board: Board::new(side(size), side(size)), to_move: Colour::Black, ko: None }
    }

    fn apply(&mut self, at: Option<At>) {
        match at {
            Some(at) => {
                self.put(point(at));
            }
            None => self.pass(),
        }
    }

    fn try_play(&mut self, at: At) -> Option<bool> {
        let at = point(at);
        let legal = self.ko != Some(at)
            && self.board.consequence(at, self.to_move).is_some_and(|after| !after.suicide);
        legal.then(|| self.put(at))
    }

    fn pass(&mut self) {
        self.ko = None;
        self.to_move = self.to_move.other();
    }

    fn stones(&self) -> u32 {
        Colour::BOTH.map(|colour| u32::from(self.board.count(colour))).iter().sum()
    }
}

impl Engine for Superko {
    const NAME: &'static str = "shoutan, whole-board repetition and all rules";

    fn new(size: u8) -> Self {
        let rules = Rules { repetition: Repetition::Psk, ..Rules::default() };
        Superko(Position::new(side(size), rules))
    }

    /// There is no way around the rules: a move is examined however well it is known.
    fn apply(&mut self, at: Option<At>) {
        let mv = at.map_or(Move::Pass, |at| Move::Play(point(at)));
        self.0.play(mv).expect("the games are legal");
    }

    fn try_play(&mut self, at: At) -> Option<bool> {
        self.0.play(Move::Play(point(at))).ok()?;
        Some(!self.0.removed().is_empty())
    }

    fn pass(&mut self) {
        self.0.play(Move::Pass).expect("a player may pass");
    }

    fn stones(&self) -> u32 {
        Colour::BOTH.map(|colour| u32::from(self.0.board().count(colour))).iter().sum()
    }
}

/// Our size of so many points a side.
pub fn side(size: u8) -> Size {
    Size::new(size).expect("a size that boards have")
}

fn point(at: At) -> Point {
    Point::new(at.column(), at.row()).expect("a point of the board")
}
