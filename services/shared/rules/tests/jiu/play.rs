//! What the tests share: positions from pictures, and players that choose by a seed.

use proptest::prelude::*;
use rules::{
    RuleSet, Side, engine,
    jiu::{Board, Displacement, Options, Phase, Point, PointSet, Position, Turn, VARIANT},
};

use crate::dice::Dice;

pub(crate) const WHITE: Side = Side::First;
pub(crate) const BLACK: Side = Side::Second;

pub(crate) fn at(name: &str) -> Point {
    name.parse().expect("a point")
}

/// What a check finds in a file: the label of the act and the reason.
pub(crate) fn faults(file: &str) -> Vec<(String, &'static str)> {
    let report = engine::check(&VARIANT, &RuleSet::named(""), file.as_bytes());
    let label = |about: &str| about.split(' ').next().unwrap_or_default().to_owned();
    report.faults.iter().map(|fault| (label(&fault.about), fault.reason)).collect()
}

pub(crate) fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

/// The points named, separated by blanks; `C` stands for all of row C and `4` for all of column 4.
pub(crate) fn points(names: &str) -> PointSet {
    names
        .split_whitespace()
        .flat_map(|name| {
            Point::all().filter(move |point| {
                let full = point.to_string();
                full == name || full[..1] == *name || full[1..] == *name
            })
        })
        .collect()
}

/// A board of these white and black stones.
pub(crate) fn board(white: &str, black: &str) -> Board {
    let mut board = Board::default();
    for (side, names) in [(WHITE, white), (BLACK, black)] {
        for point in points(names).iter() {
            assert_eq!(board.owner(point), None, "{point} is given twice");
            board.put(point, side);
        }
    }
    board
}

/// A position of the movement.
pub(crate) fn moving(board: Board, to_move: Side) -> Position {
    moving_under("aba", board, to_move)
}

pub(crate) fn moving_under(rule_set: &str, board: Board, to_move: Side) -> Position {
    Position::from_setup(board, Phase::Move, to_move, options(&RuleSet::named(rule_set))).expect("a position")
}

pub(crate) fn options(rule_set: &RuleSet) -> Options {
    Options::from_rule_set(rule_set).expect("a rule set")
}

/// Why a turn is refused; the position must be as before.
pub(crate) fn refusal(position: &Position, text: &str) -> &'static str {
    let mut tried = position.clone();
    let illegal = tried.play(&turn(text)).expect_err(text);
    assert_eq!(tried, *position, "a refused turn changes nothing");
    illegal.reason()
}

impl Dice {
    /// The turn with as many stones of choice as it owes.
    pub(crate) fn complete(&mut self, position: &Position, displacement: &Displacement) -> Turn {
        let jumped: PointSet = match &displacement.turn {
            Turn::Move(it) => it.jumped().unwrap_or_default().iter().copied().collect(),
            Turn::Point(_) => PointSet::default(),
        };
        let enemies = position.board().stones(position.to_move().other()) - jumped;
        let mut enemies: Vec<Point> = enemies.iter().collect();
        let chosen = (0..displacement.choices_left).map(|_| enemies.swap_remove(self.below(enemies.len())));
        displacement.turn.clone().removing(chosen.collect::<Vec<_>>())
    }

    /// A board of the movement: full but for some gaps, scattered, or nearly bare; sometimes with full lines.
    pub(crate) fn board(&mut self) -> Board {
        let (gaps, bias) = (self.pick(&[2, 20, 50, 80, 95]), self.pick(&[10, 50, 50, 85]));
        let mut board = Board::default();
        for point in Point::all() {
            if self.below(100) >= gaps {
                board.put(point, if self.below(100) < bias { WHITE } else { BLACK });
            }
        }
        let (side, first, count) = (self.pick(&Side::BOTH), self.below(14), self.below(5));
        let by_row = self.below(2) == 0;
        let crossed = if self.below(3) == 0 { self.below(14) } else { 14 };
        for point in Point::all() {
            let (line, place) =
                if by_row { (point.row(), point.column()) } else { (point.column(), point.row()) };
            if (first..first + count).contains(&usize::from(line)) || usize::from(place) == crossed {
                board.put(point, side);
            }
        }
        for _ in 0..self.below(6) {
            let stones: Vec<Point> = Point::all().collect();
            board.clear(self.pick(&stones));
        }
        self.thinned(board)
    }

    /// A board with two to four full lines side by side, each but for one gap, and hardly another empty point.
    pub(crate) fn gapped_board(&mut self) -> Board {
        let (side, first, count) = (self.pick(&Side::BOTH), self.below(11), 2 + self.below(3));
        let by_row = self.below(2) == 0;
        let gaps: Vec<usize> = (0..count).map(|_| self.below(14)).collect();
        let mut board = Board::default();
        for point in Point::all() {
            let (line, place) =
                if by_row { (point.row(), point.column()) } else { (point.column(), point.row()) };
            match usize::from(line).checked_sub(first).and_then(|line| gaps.get(line)) {
                Some(gap) if *gap == usize::from(place) => {}
                Some(_) => board.put(point, side),
                None => board.put(point, self.pick(&[side, side.other(), side.other()])),
            }
        }
        self.thinned(board)
    }

    /// At most 97 stones a side and at least four.
    fn thinned(&mut self, mut board: Board) -> Board {
        for side in Side::BOTH {
            while board.count(side) > 97 {
                let stones: Vec<Point> = board.stones(side).iter().collect();
                board.clear(self.pick(&stones));
            }
        }
        for side in Side::BOTH {
            while board.count(side) < 4 {
                let empty: Vec<Point> = board.empty().iter().collect();
                board.put(self.pick(&empty), side);
            }
        }
        board
    }
}

pub(crate) fn dice() -> impl Strategy<Value = Dice> {
    any::<u64>().prop_map(Dice)
}
