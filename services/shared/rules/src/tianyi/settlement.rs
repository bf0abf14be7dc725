use super::{Blocks, Illegal};
use crate::{
    goban::{
        Board, Point, Terms,
        agreement::{canonical_chains, sorted, without},
    },
    prelude::*,
};

/// What both players agree on before the count: which chains are dead, which blocks are in seki, and which
/// empty points their owner may fill in a seki (T4).
///
/// As text: `dead D4,Q16 seki A1 fill B1`. Chains and blocks are named by any of their points when proposed,
/// and by the first in reading order when written; `seki` and `fill` are left out when there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// A stone of each dead chain.
    pub dead: Vec<Point>,
    /// A point of each block in seki, on the board without the dead stones.
    pub seki: Vec<Point>,
    /// Empty points of blocks in seki that count for their owner.
    pub fill: Vec<Point>,
}

impl Settlement {
    /// What the system would propose if these chains are dead: seki is what fails the test of
    /// [`super::Block::contested`]. It is a proposal; where neutral points are left that somebody could still
    /// fill, the blocks beside them fail the test as well, and are taxed nevertheless unless both agree that
    /// they are in seki (T5).
    pub fn proposed(board: &Board, dead: &[Point]) -> Settlement {
        let blocks = Blocks::of(&without(board, dead));
        let seki = blocks.all().iter().filter(|block| block.contested).map(super::Block::first).collect();
        Settlement { dead: dead.to_vec(), seki, fill: Vec::new() }
    }
}

impl Terms for Settlement {
    type Illegal = Illegal;
    const WORDS: &'static [&'static str] = &["seki", "fill"];

    fn lists(&self) -> Vec<&[Point]> {
        Vec::from([&*self.dead, &self.seki, &self.fill])
    }

    fn of_lists(mut lists: impl Iterator<Item = Vec<Point>>) -> Settlement {
        let mut next = || lists.next().unwrap_or_default();
        Settlement { dead: next(), seki: next(), fill: next() }
    }

    /// The same with every chain and block by its first point, each once, in reading order.
    ///
    /// # Errors
    /// A point that names no chain, no block, or nothing that could be filled.
    fn canonical(&self, board: &Board) -> Result<Settlement, Illegal> {
        let dead = canonical_chains(board, &self.dead)?;
        let board = without(board, &dead);
        let blocks = Blocks::of(&board);
        let named = |at: &Point| blocks.at(*at).map(super::Block::first);
        let seki: Option<Vec<Point>> = self.seki.iter().map(named).collect();
        let seki = sorted(seki.ok_or(Illegal::NoBlock)?);
        let may_be_filled = |at: &Point| {
            board.stone(*at).is_none() && named(at).is_some_and(|block| seki.binary_search(&block).is_ok())
        };
        if !self.fill.iter().all(may_be_filled) {
            return Err(Illegal::NotFillable);
        }
        Ok(Settlement { dead, seki, fill: sorted(self.fill.clone()) })
    }
}
