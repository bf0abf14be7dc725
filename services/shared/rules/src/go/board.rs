use core::fmt;

use super::{
    Colour, Point, Size,
    point::{CELLS, STRIDE},
    zobrist,
};

/// Stones on a board, with their chains and liberties: the engine under every rule set.
///
/// It knows what happens when a stone is put down (chains without liberty leave the board, the opponent's
/// first), not whether it may be. Everything is in fixed tables, so that playing never allocates:
///
/// * a border of its own kind around the points, so that no neighbour needs a bounds test;
/// * chains as circular lists of stones with one stone, the *head*, standing for the chain;
/// * for each chain the number of *pseudo-liberties*: pairs of a stone and an empty neighbour. It is zero
///   exactly when the chain has no liberty, and unlike liberties it can be kept up to date by counting;
/// * for each chain the xor of its stones' keys, so that the hash after a capture is known before it.
#[derive(Clone)]
pub struct Board {
    columns: Size,
    rows: Size,
    cells: [Cell; CELLS],
    head: [u16; CELLS],
    next: [u16; CELLS],
    /// By head: pseudo-liberties.
    liberties: [u16; CELLS],
    /// By head: number of stones.
    stones: [u16; CELLS],
    /// By head: xor of the keys of the stones.
    keys: [u64; CELLS],
    rows_packed: Rows,
    hash: u64,
    count: [u16; 2],
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

/// A whole board in little room: a row a word, black stones in the low and white ones in the high half.
pub(crate) type Rows = [u64; Size::MAX.get() as usize];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Black,
    White,
    Border,
}

impl Board {
    /// An empty board.
    pub fn new(columns: Size, rows: Size) -> Board {
        let mut board = Board {
            columns,
            rows,
            cells: [Cell::Border; CELLS],
            head: [0; CELLS],
            next: [0; CELLS],
            liberties: [0; CELLS],
            stones: [0; CELLS],
            keys: [0; CELLS],
            rows_packed: Rows::default(),
            hash: 0,
            count: [0; 2],
        };
        for point in board.points() {
            board.cells[point.index()] = Cell::Empty;
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
        self.cells[at.index()].colour()
    }

    /// How many stones of a colour are on the board.
    pub const fn count(&self, colour: Colour) -> u16 {
        self.count[colour.index()]
    }

    /// The points beside this one.
    pub fn neighbours(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        at.around().into_iter().filter(|point| self.cells[point.index()] != Cell::Border)
    }

    /// The stones of the chain to which the stone on `at` belongs, in no useful order; none if the point is
    /// empty.
    ///
    /// ```
    /// use rules::go::{Board, Colour, Point, Size};
    /// let mut board = Board::new(Size::NINE, Size::NINE);
    /// let at = |name| Point::parse(name, Size::NINE).unwrap();
    /// board.put(at("C3"), Colour::Black, |_, _| ());
    /// board.put(at("C4"), Colour::Black, |_, _| ());
    /// assert_eq!(board.chain(at("C3")).count(), 2);
    /// assert_eq!(board.chain(at("D3")).count(), 0);
    /// ```
    pub fn chain(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        let start = self.stone(at).map(|_| at);
        let next = |point: Point| Point::from_cell(self.next[point.index()]);
        core::iter::successors(start, move |point| Some(next(*point)).filter(|point| *point != at))
    }

    /// One stone that stands for the whole chain of the stone on `at`; which one, the engine chooses.
    pub fn chain_head(&self, at: Point) -> Option<Point> {
        self.stone(at).map(|_| Point::from_cell(self.head[at.index()]))
    }

    /// Whether the chain of the stone on `at` has a liberty; `false` on an empty point.
    pub fn has_liberty(&self, at: Point) -> bool {
        self.stone(at).is_some() && self.liberties[self.head_of(at)] > 0
    }

    /// The hash of the stones on the board: equal boards have equal hashes, whatever led to them.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// What putting a stone of this colour on `at` would do; `None` if the point is not empty.
    ///
    /// Article 4: the opponent's chains without liberty leave first; only then does the own chain count.
    pub fn consequence(&self, at: Point, colour: Colour) -> Option<Consequence> {
        if self.cells[at.index()] != Cell::Empty {
            return None;
        }
        let around = at.around();
        let mut captures = 0;
        let mut captured_keys = 0;
        let mut own_keys = 0;
        let mut free = false;
        for (nth, beside) in around.into_iter().enumerate() {
            let Some(owner) = self.stone(beside) else {
                free |= self.cells[beside.index()] == Cell::Empty;
                continue;
            };
            let head = self.head_of(beside);
            let touches = |point: &&Point| self.stone(**point).is_some() && self.head_of(**point) == head;
            if around[..nth].iter().any(|point| touches(&point)) {
                continue;
            }
            let taken = around[nth..].iter().filter(touches).count();
            let left = usize::from(self.liberties[head]) - taken;
            if owner == colour {
                free |= left > 0;
                own_keys ^= self.keys[head];
            } else if left == 0 {
                captures += self.stones[head];
                captured_keys ^= self.keys[head];
            }
        }
        let suicide = !free && captures == 0;
        let hash =
            if suicide { self.hash ^ own_keys } else { self.hash ^ captured_keys ^ zobrist::key(at, colour) };
        Some(Consequence { captures, suicide, hash })
    }

    /// Puts a stone on an empty point and removes what is then without liberty, the opponent's chains
    /// first. `removed` is told of every stone that leaves the board. Nothing happens on a point that is
    /// not empty.
    pub fn put(&mut self, at: Point, colour: Colour, mut removed: impl FnMut(Point, Colour)) {
        if self.cells[at.index()] != Cell::Empty {
            return;
        }
        self.add(at, colour);
        for beside in at.around() {
            if self.stone(beside) == Some(colour.other()) && self.liberties[self.head_of(beside)] == 0 {
                self.lift_chain(beside, &mut removed);
            }
        }
        for beside in at.around() {
            if self.stone(beside) == Some(colour) {
                self.join(at, beside);
            }
        }
        if self.liberties[self.head_of(at)] == 0 {
            self.lift_chain(at, &mut removed);
        }
    }

    /// Takes the chain of the stone on `at` off the board, telling `removed` of every stone.
    pub fn lift_chain(&mut self, at: Point, mut removed: impl FnMut(Point, Colour)) {
        let Some(colour) = self.stone(at) else { return };
        let head = self.head_of(at);
        self.hash ^= self.keys[head];
        self.count[colour.index()] -= self.stones[head];
        let mut stone = at;
        loop {
            self.cells[stone.index()] = Cell::Empty;
            self.flip_row(stone, colour);
            for beside in stone.around() {
                // The chain's own stones are counted up too, which does no harm: their chain is gone.
                if self.stone(beside).is_some() {
                    self.liberties[self.head_of(beside)] += 1;
                }
            }
            removed(stone, colour);
            stone = Point::from_cell(self.next[stone.index()]);
            if stone == at {
                break;
            }
        }
    }

    /// The whole board in little room; two boards of one size are equal exactly when these are.
    pub(crate) const fn packed(&self) -> &Rows {
        &self.rows_packed
    }

    fn head_of(&self, at: Point) -> usize {
        usize::from(self.head[at.index()])
    }

    /// Puts a stone down as a chain of its own and takes its point from the liberties around.
    fn add(&mut self, at: Point, colour: Colour) {
        let index = at.index();
        let mut liberties = 0;
        for beside in at.around() {
            match self.cells[beside.index()] {
                Cell::Empty => liberties += 1,
                Cell::Border => {}
                Cell::Black | Cell::White => self.liberties[self.head_of(beside)] -= 1,
            }
        }
        let key = zobrist::key(at, colour);
        self.cells[index] = Cell::of(colour);
        self.head[index] = at.cell();
        self.next[index] = at.cell();
        self.liberties[index] = liberties;
        self.stones[index] = 1;
        self.keys[index] = key;
        self.hash ^= key;
        self.count[colour.index()] += 1;
        self.flip_row(at, colour);
    }

    /// Joins the chains of two stones of one colour; the smaller takes the head of the larger.
    fn join(&mut self, one: Point, other: Point) {
        let (mut large, mut small) = (self.head_of(one), self.head_of(other));
        if large == small {
            return;
        }
        let mut moved = other;
        if self.stones[small] > self.stones[large] {
            (large, small, moved) = (small, large, one);
        }
        let head = self.head[large];
        let mut stone = moved.index();
        loop {
            self.head[stone] = head;
            stone = usize::from(self.next[stone]);
            if stone == moved.index() {
                break;
            }
        }
        // Exchanging the successors of one stone of each ring makes one ring of two.
        self.next.swap(large, moved.index());
        self.liberties[large] += self.liberties[small];
        self.stones[large] += self.stones[small];
        self.keys[large] ^= self.keys[small];
    }

    fn flip_row(&mut self, at: Point, colour: Colour) {
        flip(&mut self.rows_packed, at, colour);
    }
}

impl Cell {
    const fn of(colour: Colour) -> Cell {
        match colour {
            Colour::Black => Cell::Black,
            Colour::White => Cell::White,
        }
    }

    const fn colour(self) -> Option<Colour> {
        match self {
            Cell::Black => Some(Colour::Black),
            Cell::White => Some(Colour::White),
            Cell::Empty | Cell::Border => None,
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        (self.columns, self.rows) == (other.columns, other.rows) && self.rows_packed == other.rows_packed
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

fn flip(rows: &mut Rows, at: Point, colour: Colour) {
    let shift = u32::from(at.column()) + if colour == Colour::Black { 0 } else { 32 };
    rows[usize::from(at.row())] ^= 1 << shift;
}
