use core::fmt;

use super::{
    Colour, Point, Size,
    point::{CELLS, STRIDE},
};
use crate::zobrist;

/// Stones on a board, with their chains and liberties: the engine under every rule set.
///
/// It knows what happens when a stone is put down (chains without liberty leave the board, the opponent's
/// first), not whether it may be. Everything is in fixed tables, so that playing never allocates:
///
/// * a border of its own kind around the points, so that no neighbour needs a bounds test;
/// * chains as circular lists of stones with one stone, the *head*, standing for the chain;
/// * for each chain the number of *pseudo-liberties*: pairs of a stone and an empty neighbour. It is zero
///   exactly when the chain has no liberty, and unlike liberties it can be kept up to date by counting;
/// * all that is known of a point side by side, because what is looked up together should lie together.
#[derive(Clone)]
pub struct Board {
    columns: Size,
    rows: Size,
    cells: [Cell; CELLS],
    hash: u64,
    count: [u16; 2],
}

/// A stone on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Where.
    pub at: Point,
    /// Its colour.
    pub colour: Colour,
}

/// What putting a stone on an empty point would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// How many stones of the opponent would leave the board.
    pub captures: u16,
    /// Whether the stone's own chain would then be left without liberty and leave the board instead.
    pub suicide: bool,
    /// The hash of the board afterwards.
    pub hash: u64,
}

/// A set of points: a word for each row from the top, in it a bit for each column from the left.
pub(super) type Rows = [u32; Size::MAX.get() as usize];

/// All that is known of a point.
#[derive(Clone, Copy)]
struct Cell {
    content: Content,
    /// The head of the stone's chain; [`NO_CHAIN`] without a stone.
    head: u16,
    /// The next stone of the chain.
    next: u16,
    /// Of a head: the chain's pseudo-liberties.
    liberties: u16,
    /// Of a head: how many stones the chain has.
    stones: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Empty,
    Black,
    White,
    Border,
}

/// The head of no chain: a cell of the border.
const NO_CHAIN: u16 = 0;

impl Board {
    /// An empty board.
    pub fn new(columns: Size, rows: Size) -> Board {
        let mut board = Board {
            columns,
            rows,
            cells: [Cell { content: Content::Border, head: NO_CHAIN, next: 0, liberties: 0, stones: 0 };
                CELLS],
            hash: 0,
            count: [0; 2],
        };
        for point in board.points() {
            board.cells[point.index()].content = Content::Empty;
        }
        board
    }

    /// Width in points.
    pub const fn columns(&self) -> Size {
        self.columns
    }

    /// Height in points.
    pub const fn rows(&self) -> Size {
        self.rows
    }

    /// Width and height as the frame has them.
    pub(crate) const fn size(&self) -> (u8, u8) {
        (self.columns.get(), self.rows.get())
    }

    /// How many points the board has, N of the rules.
    pub const fn point_count(&self) -> u16 {
        self.columns.get() as u16 * self.rows.get() as u16
    }

    /// Every point, in reading order.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let columns = u16::from(self.columns.get());
        (1..=u16::from(self.rows.get()))
            .flat_map(move |row| (1..=columns).map(move |column| Point::from_cell(row * STRIDE + column)))
    }

    /// Whether the board has this point.
    pub fn contains(&self, at: Point) -> bool {
        at.column() < self.columns.get() && at.row() < self.rows.get()
    }

    /// The colour of the stone on a point, if one stands there; `None` also off the board.
    pub fn stone(&self, at: Point) -> Option<Colour> {
        self.cells[at.index()].content.colour()
    }

    /// How many stones of a colour are on the board.
    pub const fn count(&self, colour: Colour) -> u16 {
        self.count[colour.index()]
    }

    /// The points beside this one.
    pub fn neighbours(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        at.around().into_iter().filter(|point| self.cells[point.index()].content != Content::Border)
    }

    /// The stones of the chain to which the stone on `at` belongs, in no useful order; none if the point is
    /// empty.
    pub fn chain(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        let start = self.stone(at).map(|_| at);
        let next = |point: Point| Point::from_cell(self.cells[point.index()].next);
        core::iter::successors(start, move |point| Some(next(*point)).filter(|point| *point != at))
    }

    /// One stone that stands for the whole chain of the stone on `at`; which one, the engine chooses.
    pub fn chain_head(&self, at: Point) -> Option<Point> {
        self.stone(at).map(|_| Point::from_cell(self.cells[at.index()].head))
    }

    /// Whether the chain of the stone on `at` has a liberty; `false` on an empty point.
    pub fn has_liberty(&self, at: Point) -> bool {
        self.stone(at).is_some() && self.cells[self.head_of(at)].liberties > 0
    }

    /// The hash of the stones on the board: equal boards have equal hashes, whatever led to them.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// What putting a stone of this colour on `at` would do; `None` if the point is not empty.
    ///
    /// Article 4: the opponent's chains without liberty leave first; only then does the own chain count.
    pub fn consequence(&self, at: Point, colour: Colour) -> Option<Consequence> {
        if self.cells[at.index()].content != Content::Empty {
            return None;
        }
        let (own, other) = (Content::of(colour), Content::of(colour.other()));
        let around = at.around();
        let heads = self.heads(around);
        let (mut free, mut takes) = (false, false);
        // What stands beside a point cannot be foretold, so nothing branches on it.
        for (beside, head) in around.into_iter().zip(heads) {
            let chain = &self.cells[usize::from(head)];
            let loses = heads.map(|other| u16::from(other == head)).iter().sum::<u16>();
            let (lives, dies) = (chain.liberties != loses, chain.liberties == loses);
            free |= self.cells[beside.index()].content == Content::Empty;
            free |= (chain.content == own) & lives;
            takes |= (chain.content == other) & dies;
        }
        if takes {
            return Some(self.capture(at, colour));
        }
        let hash = if free {
            self.hash ^ zobrist::stone(colour.index(), at.index())
        } else {
            self.hash_after_suicide(at, colour)
        };
        Some(Consequence { captures: 0, suicide: !free, hash })
    }

    /// Puts a stone on an empty point and removes what is then without liberty, the opponent's chains
    /// first. `removed` is told of every stone that leaves the board. Nothing happens on a point that is
    /// not empty.
    pub fn put(&mut self, at: Point, colour: Colour, mut removed: impl FnMut(Point, Colour)) {
        if self.cells[at.index()].content != Content::Empty {
            return;
        }
        let own = Content::of(colour);
        let around = at.around();
        // Read before anything leaves the board: a point that is then emptied counts its liberties itself.
        let content = |nth: usize| self.cells[around[nth].index()].content;
        let contents = [content(0), content(1), content(2), content(3)];
        let liberties = contents.map(|content| u16::from(content == Content::Empty)).iter().sum();
        let cell = at.cell();
        self.cells[at.index()] = Cell { content: own, head: cell, next: cell, liberties, stones: 1 };
        self.hash ^= zobrist::stone(colour.index(), at.index());
        self.count[colour.index()] += 1;
        for (beside, content) in around.into_iter().zip(contents) {
            if content.colour().is_none() {
                continue;
            }
            let head = self.head_of(beside);
            self.cells[head].liberties -= 1;
            if content == own {
                self.join(at, beside);
            } else if self.cells[head].liberties == 0 {
                self.lift_chain(beside, &mut removed);
            }
        }
        if self.cells[self.head_of(at)].liberties == 0 {
            self.lift_chain(at, &mut removed);
        }
    }

    /// Takes the chain of the stone on `at` off the board, telling `removed` of every stone.
    pub fn lift_chain(&mut self, at: Point, mut removed: impl FnMut(Point, Colour)) {
        let Some(colour) = self.stone(at) else { return };
        self.count[colour.index()] -= self.cells[self.head_of(at)].stones;
        let mut stone = at;
        loop {
            let cell = &mut self.cells[stone.index()];
            cell.content = Content::Empty;
            cell.head = NO_CHAIN;
            let next = Point::from_cell(cell.next);
            self.hash ^= zobrist::stone(colour.index(), stone.index());
            for beside in stone.around() {
                // The chain's own stones are counted up too, which does no harm: their chain is gone.
                if self.stone(beside).is_some() {
                    self.cells[self.head_of(beside)].liberties += 1;
                }
            }
            removed(stone, colour);
            stone = next;
            if stone == at {
                break;
            }
        }
    }

    /// The stones of both colours and the empty points, each as rows.
    pub(super) fn bits(&self) -> ([Rows; 2], Rows) {
        let (mut stones, mut empty) = ([Rows::default(); 2], Rows::default());
        let columns = usize::from(self.columns.get());
        for row in 0..usize::from(self.rows.get()) {
            let first = (row + 1) * usize::from(STRIDE) + 1;
            for (column, cell) in self.cells[first..first + columns].iter().enumerate() {
                stones[0][row] |= u32::from(cell.content == Content::Black) << column;
                stones[1][row] |= u32::from(cell.content == Content::White) << column;
                empty[row] |= u32::from(cell.content == Content::Empty) << column;
            }
        }
        (stones, empty)
    }

    /// Whether a point of the board is without a stone.
    pub(super) fn is_empty(&self, at: Point) -> bool {
        self.cells[at.index()].content == Content::Empty
    }

    /// Whether a cell is beyond the edge.
    pub(super) fn is_border(&self, at: Point) -> bool {
        self.cells[at.index()].content == Content::Border
    }

    fn head_of(&self, at: Point) -> usize {
        usize::from(self.cells[at.index()].head)
    }

    fn heads(&self, [a, b, c, d]: [Point; 4]) -> [u16; 4] {
        let head = |at: Point| self.cells[at.index()].head;
        [head(a), head(b), head(c), head(d)]
    }

    /// The xor of the keys of a chain's stones.
    fn chain_key(&self, at: Point, colour: Colour) -> u64 {
        self.chain(at).fold(0, |key, stone| key ^ zobrist::stone(colour.index(), stone.index()))
    }

    /// What a stone put on `at` does if it captures.
    fn capture(&self, at: Point, colour: Colour) -> Consequence {
        let mut hash = self.hash ^ zobrist::stone(colour.index(), at.index());
        let mut captures = 0;
        for (beside, touches) in self.chains_beside(at, colour.other()) {
            let chain = &self.cells[self.head_of(beside)];
            if chain.liberties == touches {
                captures += chain.stones;
                hash ^= self.chain_key(beside, colour.other());
            }
        }
        Consequence { captures, suicide: false, hash }
    }

    /// The hash once a stone put on `at` has left the board with all chains of its colour that it touches.
    fn hash_after_suicide(&self, at: Point, colour: Colour) -> u64 {
        let chains = self.chains_beside(at, colour);
        chains.fold(self.hash, |hash, (beside, _)| hash ^ self.chain_key(beside, colour))
    }

    /// The chains of a colour beside a point: each by one of its stones there, and how many those are.
    fn chains_beside(&self, at: Point, colour: Colour) -> impl Iterator<Item = (Point, u16)> {
        let around = at.around();
        let heads = self.heads(around);
        (0..around.len()).filter_map(move |nth| {
            let first = self.stone(around[nth]) == Some(colour) && !heads[..nth].contains(&heads[nth]);
            let touches = heads.map(|head| u16::from(head == heads[nth])).iter().sum();
            first.then_some((around[nth], touches))
        })
    }

    /// Joins the chains of two stones of one colour; the smaller takes the head of the larger.
    fn join(&mut self, one: Point, other: Point) {
        let (mut large, mut small) = (self.head_of(one), self.head_of(other));
        if large == small {
            return;
        }
        let mut moved = other.index();
        if self.cells[small].stones > self.cells[large].stones {
            (large, small, moved) = (small, large, one.index());
        }
        let Cell { liberties, stones, .. } = self.cells[small];
        let Cell { head, next, .. } = self.cells[large];
        let mut stone = moved;
        let last = loop {
            let cell = &mut self.cells[stone];
            cell.head = head;
            if usize::from(cell.next) == moved {
                break cell;
            }
            stone = usize::from(cell.next);
        };
        // The smaller ring is opened before the moved stone and put in after the larger one's head.
        let first = core::mem::replace(&mut last.next, next);
        let large = &mut self.cells[large];
        large.next = first;
        large.liberties += liberties;
        large.stones += stones;
    }
}

impl Content {
    const fn of(colour: Colour) -> Content {
        match colour {
            Colour::Black => Content::Black,
            Colour::White => Content::White,
        }
    }

    const fn colour(self) -> Option<Colour> {
        match self {
            Content::Black => Some(Colour::Black),
            Content::White => Some(Colour::White),
            Content::Empty | Content::Border => None,
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let contents = |(one, other): (&Cell, &Cell)| one.content == other.content;
        (self.hash, self.columns, self.rows) == (other.hash, other.columns, other.rows)
            && self.cells.iter().zip(&other.cells).all(contents)
    }
}

impl Eq for Board {}

/// The board as rows from the top: `.` empty, `x` black, `o` white.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in self.points() {
            if point.column() == 0 && point.row() > 0 {
                f.write_str("/")?;
            }
            f.write_str(match self.stone(point) {
                None => ".",
                Some(Colour::Black) => "x",
                Some(Colour::White) => "o",
            })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
