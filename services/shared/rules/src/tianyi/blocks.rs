use crate::{
    goban::{Area, Board, Colour, Point, point::CELLS},
    prelude::*,
};

/// The blocks (块) of a board from which the dead stones have been removed: connected points of one owner, its
/// stones and what they alone enclose (T3). Filling one's own land joins all of it, so a block needs its two
/// eyes once.
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: Vec<Block>,
    /// By cell: the block, or [`NONE`].
    of: Box<[u16]>,
}

/// A block.
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
    pub fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// The block to which a point belongs; `None` if nobody owns the point.
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
