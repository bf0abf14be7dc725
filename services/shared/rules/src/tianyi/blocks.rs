use alloc::{boxed::Box, vec, vec::Vec};

use crate::go::{Area, Board, Colour, Point, point::CELLS};

/// The blocks (块) of a board from which the dead stones have been removed: connected points of one owner, its
/// stones and what they alone enclose (T3). Filling one's own land joins all of it, so a block needs its two
/// eyes once.
///
/// ```
/// use rules::{go::{Colour, Setup}, tianyi::Blocks};
/// let setup: Setup = ".xo.o/xxooo/...../xxxxx/.x.x.".parse()?;
/// let blocks = Blocks::of(setup.board());
/// let sizes: Vec<_> = blocks.all().iter().map(|block| (block.colour, block.points.len())).collect();
/// assert_eq!(sizes, [(Colour::Black, 4), (Colour::White, 6), (Colour::Black, 10)]);
/// // Nobody owns the row between them, so all three look like seki.
/// assert!(blocks.all().iter().all(|block| block.contested));
/// # Ok::<(), rules::go::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: Vec<Block>,
    /// By cell: the block, or [`NONE`].
    of: Box<[u16]>,
}

/// A block.
///
/// ```
/// use rules::{go::{Colour, Setup}, tianyi::Blocks};
/// let setup: Setup = ".xo../.xo../.xo../.xo../.xo..".parse()?;
/// let blocks = Blocks::of(setup.board());
/// let white = &blocks.all()[1];
/// assert_eq!((white.colour, white.points.len(), white.stones), (Colour::White, 15, 5));
/// assert!(!white.contested);
/// # Ok::<(), rules::go::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Whose it is.
    pub colour: Colour,
    /// Its points, stones and enclosed ones, in reading order.
    pub points: Vec<Point>,
    /// How many of them are stones.
    pub stones: u16,
    /// Whether it looks like a seki: it touches a point that nobody owns, or one of its chains has a single
    /// liberty (a seki with a double ko). This is the test of KataGo; it is a proposal and decides nothing.
    pub contested: bool,
}

const NONE: u16 = u16::MAX;

impl Blocks {
    /// The blocks of a board.
    ///
    /// ```
    /// use rules::{go::Setup, tianyi::Blocks};
    /// let sizes = |text: &str| {
    ///     let blocks = text.parse().map(|setup: Setup| Blocks::of(setup.board()));
    ///     blocks.map(|blocks| blocks.all().iter().map(|block| block.points.len()).collect::<Vec<_>>())
    /// };
    /// // Three black chains are one block, as they enclose land together; in the open each is its own.
    /// assert_eq!(sizes("..xo./.x.o./x..o./ooo../.....")?, [6, 16]);
    /// assert_eq!(sizes("x.o../...../o.x../...../.....")?, [1, 1, 1, 1]);
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub fn of(board: &Board) -> Blocks {
        let area = Area::of(board);
        let mut found = Blocks { blocks: Vec::new(), of: vec![NONE; CELLS].into_boxed_slice() };
        for at in board.points() {
            if let (Some(colour), NONE) = (area.owner(at), found.of[at.index()]) {
                let block = found.collect(board, &area, at, colour);
                found.blocks.push(block);
            }
        }
        found
    }

    /// Every block, in the reading order of their first points.
    ///
    /// ```
    /// use rules::{go::{Setup, Size}, tianyi::{Block, Blocks}};
    /// let setup: Setup = ".xo.o/xxooo/...../xxxxx/.x.x.".parse()?;
    /// let blocks = Blocks::of(setup.board());
    /// let names: Vec<_> = blocks.all().iter().map(Block::first).map(|at| at.name(Size::MIN)).collect();
    /// assert_eq!(names, ["A5", "C5", "A2"]);
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// The block to which a point belongs; `None` if nobody owns the point.
    ///
    /// ```
    /// use rules::{go::{Colour, Point, Setup, Size}, tianyi::Blocks};
    /// let setup: Setup = ".xo.o/xxooo/...../xxxxx/.x.x.".parse()?;
    /// let blocks = Blocks::of(setup.board());
    /// let owner = |name| blocks.at(Point::parse(name, Size::MIN).unwrap()).map(|block| block.colour);
    /// // An eye, and the row that nobody owns.
    /// assert_eq!((owner("D5"), owner("C3")), (Some(Colour::White), None));
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub fn at(&self, at: Point) -> Option<&Block> {
        self.blocks.get(usize::from(self.of[at.index()]))
    }

    fn collect(&mut self, board: &Board, area: &Area, start: Point, colour: Colour) -> Block {
        let number = u16::try_from(self.blocks.len()).unwrap_or(NONE);
        let mut block = Block { colour, points: vec![start], stones: 0, contested: false };
        self.of[start.index()] = number;
        let mut nth = 0;
        while let Some(at) = block.points.get(nth).copied() {
            nth += 1;
            block.stones += u16::from(board.stone(at).is_some());
            block.contested |= in_atari(board, at);
            for beside in board.neighbours(at) {
                match area.owner(beside) {
                    None => block.contested = true,
                    Some(owner) if owner == colour && self.of[beside.index()] == NONE => {
                        self.of[beside.index()] = number;
                        block.points.push(beside);
                    }
                    Some(_) => {}
                }
            }
        }
        block.points.sort_unstable();
        block
    }
}

impl Block {
    /// The first point in reading order, by which the block is named.
    ///
    /// ```
    /// use rules::{go::{Point, Setup, Size}, tianyi::Blocks};
    /// let setup: Setup = ".xo.o/xxooo/...../xxxxx/.x.x.".parse()?;
    /// let blocks = Blocks::of(setup.board());
    /// let block = blocks.at(Point::parse("C1", Size::MIN).unwrap()).unwrap();
    /// assert_eq!(block.first().name(Size::MIN), "A2");
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub fn first(&self) -> Point {
        self.points[0]
    }
}

/// Whether a chain stands for itself in this stone and has one liberty.
fn in_atari(board: &Board, at: Point) -> bool {
    if board.chain_head(at) != Some(at) {
        return false;
    }
    let around = board.chain(at).flat_map(|stone| board.neighbours(stone));
    let mut liberties = around.filter(|beside| board.stone(*beside).is_none());
    let first = liberties.next();
    liberties.all(|other| Some(other) == first)
}
