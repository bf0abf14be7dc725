//! Games played to the end by chance, from a board on which both have passed.

use super::{Board, Colour, PassAlive, Point, point::CELLS};
use crate::{prelude::*, zobrist::mix};

/// Plays on from a board, again and again.
///
/// Players of chance who know four things: an eye is not filled; what is in atari is taken, and saved if it can
/// be; stones are not thrown away but to spoil an eye; and what is settled is left alone. The third keeps a
/// seki what it is.
pub(super) struct Playouts<'a> {
    start: &'a Board,
    /// The empty points on which something is open.
    open: Vec<Point>,
    dice: u64,
    board: Board,
    empty: Vec<Point>,
    /// Where a point stands in `empty`; of use only for the points in it.
    place: Box<[u16]>,
    ko: Option<Point>,
}

/// The most moves of a playout, in moves a point. Games by chance take about one move a point from an empty
/// board; only kos taken again and again would take more.
const MOVES_A_POINT_MAX: usize = 2;

/// The largest chain thrown in to spoil an eye: no eye of seven points can be spoilt from within.
const THROWN_MAX: usize = 6;

impl<'a> Playouts<'a> {
    /// From this board, of which `alive` says what is settled; `seed` decides every choice.
    pub(super) fn new(start: &'a Board, alive: &PassAlive, seed: u64) -> Playouts<'a> {
        let open = |at: &Point| start.stone(*at).is_none() && alive.owner(*at).is_none();
        let open: Vec<Point> = start.points().filter(open).collect();
        Playouts {
            start,
            dice: seed,
            board: start.clone(),
            empty: Vec::with_capacity(usize::from(start.point_count())),
            place: vec![0; CELLS].into_boxed_slice(),
            ko: None,
            open,
        }
    }

    /// Plays to two passes, `first` first, and returns the last board.
    pub(super) fn run(&mut self, first: Colour) -> &Board {
        self.board.clone_from(self.start);
        self.empty.clear();
        for nth in 0..self.open.len() {
            self.add(self.open[nth]);
        }
        self.ko = None;
        let (mut own, mut last, mut passed) = (first, None, false);
        for _ in 0..MOVES_A_POINT_MAX * usize::from(self.start.point_count()) {
            let at = last.and_then(|last| self.answer(last, own)).or_else(|| self.choose(own));
            match at {
                Some(at) => self.put(at, own),
                None if passed => break,
                None => self.ko = None,
            }
            passed = at.is_none();
            last = at;
            own = own.other();
        }
        &self.board
    }

    /// What the last move calls for: to take its chain, or to save a chain that it put in atari.
    fn answer(&self, last: Point, own: Colour) -> Option<Point> {
        let taking = self.sole_liberty(last).filter(|at| self.is_open(*at) && self.is_legal(*at, own));
        taking.or_else(|| {
            let mine = last.around().into_iter().filter(|beside| self.board.stone(*beside) == Some(own));
            let mut exits = mine.filter_map(|beside| self.sole_liberty(beside));
            exits.find(|at| self.is_open(*at) && self.is_legal(*at, own) && self.is_safe(*at, own))
        })
    }

    /// A point by chance that is legal and not foolish; every point is tried at most once.
    fn choose(&mut self, own: Colour) -> Option<Point> {
        let mut left = self.empty.len();
        while left > 0 {
            let drawn = self.below(left);
            let at = self.empty[drawn];
            if !self.is_eye(at, own)
                && self.is_legal(at, own)
                && (self.is_safe(at, own) || self.is_thrown(at, own))
            {
                return Some(at);
            }
            left -= 1;
            self.exchange(drawn, left);
        }
        None
    }

    fn put(&mut self, at: Point, own: Colour) {
        debug_assert!(self.is_open(at), "it would be taken off the empty points in another's place");
        let place = usize::from(self.place[at.index()]);
        self.exchange(place, self.empty.len() - 1);
        self.empty.pop();
        let Playouts { board, empty, place, .. } = self;
        let before = empty.len();
        board.put(at, own, |at, _| {
            place[at.index()] = narrow(empty.len());
            empty.push(at);
        });
        let taken = (empty.len() - before == 1).then(|| empty[before]);
        let alone = self.board.chain(at).nth(1).is_none();
        self.ko = taken.filter(|_| alone && self.sole_liberty(at) == taken);
    }

    /// Whether something is open on an empty point: what is settled is left alone, also by who could take or save a chain there.
    fn is_open(&self, at: Point) -> bool {
        self.empty.get(usize::from(self.place[at.index()])) == Some(&at)
    }

    fn is_legal(&self, at: Point, own: Colour) -> bool {
        self.ko != Some(at) && self.board.consequence(at, own).is_some_and(|after| !after.suicide)
    }

    /// Whether a stone put here captures, or its chain then has two liberties.
    fn is_safe(&self, at: Point, own: Colour) -> bool {
        let captures = self.board.consequence(at, own).is_some_and(|after| after.captures > 0);
        captures || self.liberties_after(at, own)[1].is_some()
    }

    /// Two liberties, or as many as there are, of the chain of a stone put here that captures nothing.
    fn liberties_after(&self, at: Point, own: Colour) -> [Option<Point>; 2] {
        let mut first = None;
        let mut second = |liberty: &Point| *first.get_or_insert(*liberty) != *liberty;
        for beside in at.around() {
            let found = match self.board.stone(beside) {
                None => Some(beside).filter(|beside| self.board.is_empty(*beside) && second(beside)),
                Some(colour) if colour == own => {
                    self.liberties(beside).find(|liberty| *liberty != at && second(liberty))
                }
                Some(_) => None,
            };
            if found.is_some() {
                return [first, found];
            }
        }
        [first, None]
    }

    /// Whether a stone that leaves its chain one liberty is put there to spoil an eye: whoever takes the chain
    /// has room for one eye only where it stood, and must take it, having no other liberty either. A stone
    /// alone may always be thrown in: it may make an eye false.
    fn is_thrown(&self, at: Point, own: Colour) -> bool {
        let mut chain = [at; THROWN_MAX];
        let mut count = 1;
        for beside in at.around().into_iter().filter(|beside| self.board.stone(*beside) == Some(own)) {
            for stone in self.board.chain(beside) {
                if !chain[..count].contains(&stone) {
                    if count == THROWN_MAX {
                        return false;
                    }
                    chain[count] = stone;
                    count += 1;
                }
            }
        }
        let chain = &chain[..count];
        let [left, _] = self.liberties_after(at, own);
        let stuck =
            |enemy: Point| self.liberties(enemy).all(|liberty| liberty == at || Some(liberty) == left);
        let mut enemies = chain.iter().flat_map(|stone| stone.around());
        count == 1
            || makes_one_eye(chain)
                && enemies.all(|beside| self.board.stone(beside) != Some(own.other()) || stuck(beside))
    }

    /// Whether a point is surrounded by one colour, with at most one corner of the other, none at the edge.
    fn is_eye(&self, at: Point, own: Colour) -> bool {
        let around = at.around();
        if around
            .iter()
            .any(|beside| self.board.stone(*beside) != Some(own) && !self.board.is_border(*beside))
        {
            return false;
        }
        // From the cells at the sides, above and below which there are cells even at the edge.
        let [_, left, right, _] = around;
        let [above_left, .., below_left] = left.around();
        let [above_right, .., below_right] = right.around();
        let corners = [above_left, below_left, above_right, below_right];
        let hostile = corners.iter().filter(|at| self.board.stone(**at) == Some(own.other())).count();
        let edge = corners.iter().any(|at| self.board.is_border(*at));
        hostile + usize::from(edge) < 2
    }

    /// The only liberty of the chain of the stone here; `None` if it has several.
    fn sole_liberty(&self, at: Point) -> Option<Point> {
        let mut liberties = self.liberties(at);
        let first = liberties.next()?;
        liberties.all(|other| other == first).then_some(first)
    }

    /// The liberties of the chain of the stone here, some of them several times.
    fn liberties(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        let around = self.board.chain(at).flat_map(Point::around);
        around.filter(|beside| self.board.is_empty(*beside))
    }

    fn add(&mut self, at: Point) {
        self.place[at.index()] = narrow(self.empty.len());
        self.empty.push(at);
    }

    fn exchange(&mut self, one: usize, two: usize) {
        self.empty.swap(one, two);
        for place in [one, two] {
            self.place[self.empty[place].index()] = narrow(place);
        }
    }

    /// A number below `count`, which is at most the points of a board.
    fn below(&mut self, count: usize) -> usize {
        self.dice = mix(self.dice);
        let drawn = ((self.dice >> 32) * count as u64) >> 32;
        usize::try_from(drawn).expect("less than the count")
    }
}

/// Whether a chain taken off leaves room for one eye only: up to three points, four around one or in a square, and
/// five or six as close together.
fn makes_one_eye(chain: &[Point]) -> bool {
    let degree = |stone: &Point| stone.around().iter().filter(|beside| chain.contains(beside)).count();
    let (sum, most) = chain.iter().map(degree).fold((0, 0), |(sum, most), one| (sum + one, one.max(most)));
    match chain.len() {
        0..=3 => true,
        4 => most == 3 || sum == 8,
        5 => most == 4 || sum == 10,
        6 => most == 4 && sum == 12,
        _ => false,
    }
}

fn narrow(place: usize) -> u16 {
    u16::try_from(place).expect("a board has at most 625 points")
}
