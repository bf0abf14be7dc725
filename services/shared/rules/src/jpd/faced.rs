//! What each player has faced (article 32): the sets G and I of the rules, both kept as one list of turns.

use crate::{
    goban::{Board, Colour, Stone, history::History},
    prelude::*,
    zobrist::mix,
};

/// Everything faced since the start, in turn order.
///
/// The players alternate, so a player has faced what lay on the board an even number of turns ago. Virtual
/// stones are never taken back, so the stones of an earlier turn are the first of those there now: their
/// number of each colour is the same exactly when their number altogether is, and whether numbers or order
/// make the whole shape (article 31.2) makes no difference.
#[derive(Clone, Debug)]
pub(super) struct Faced {
    boards: History,
    /// By turn: how many virtual stones there were.
    virtuals: Vec<u32>,
    digest: u64,
}

/// A turn at which the opponent has faced what it would face now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Again {
    /// How many turns ago; 2 is the turn before the last move.
    pub distance: usize,
}

impl Faced {
    /// Nothing but this board, faced by who moves now.
    pub(super) fn new(board: &Board, virtuals: [u32; 2]) -> Faced {
        Faced { boards: History::new(board), virtuals: Vec::from([virtuals.iter().sum()]), digest: 0 }
    }

    /// The next player faces this, after a turn that put this stone on the board and took those off it.
    pub(super) fn push(&mut self, board: &Board, put: Option<Stone>, removed: &[Stone], virtuals: [u32; 2]) {
        let total = virtuals.iter().sum();
        self.boards.push(board, put, removed);
        self.virtuals.push(total);
        self.digest = mix(self.digest ^ mix(u64::from(total)));
    }

    /// Whether a real move that makes the board with this hash would make the opponent face board and virtual
    /// stones again (set G); `next` tells every stone that it would put on the board or take off it.
    pub(super) fn shape_again(
        &self,
        hash: u64,
        virtuals: [u32; 2],
        next: impl FnOnce(&mut dyn FnMut(Stone)),
    ) -> Option<Again> {
        let total: u32 = virtuals.iter().sum();
        self.again(hash, next, |turn| self.virtuals[turn] == total)
    }

    /// Whether a virtual move, which leaves the board as it is, would make the opponent face it again (set
    /// I).
    pub(super) fn board_again(&self, board: &Board) -> Option<Again> {
        self.again(board.hash(), |_| (), |_| true)
    }

    /// A number that depends on everything faced, in its order.
    pub(super) fn digest(&self) -> u64 {
        mix(self.boards.digest() ^ self.digest)
    }

    fn again(
        &self,
        hash: u64,
        next: impl FnOnce(&mut dyn FnMut(Stone)),
        counts: impl Fn(usize) -> bool,
    ) -> Option<Again> {
        let now = self.virtuals.len();
        let mut distances =
            self.boards.turns_with(hash, next)?.filter(|turn| counts(*turn)).map(|turn| now - turn);
        distances.find(|distance| distance.is_multiple_of(2)).map(|distance| Again { distance })
    }
}

/// A number that depends on counts of two colours.
pub(super) fn digest_of(counts: [u32; 2]) -> u64 {
    Colour::BOTH.into_iter().fold(0, |hash, colour| mix(hash ^ u64::from(counts[colour.index()])))
}

#[cfg(test)]
mod tests {
    use super::{Again, Faced};
    use crate::goban::{Board, Colour, Point, Size, Stone};

    #[test]
    fn equal_hashes_of_different_boards_are_told_apart() {
        let mut board = Board::new(Size::NINE, Size::NINE);
        let mut faced = Faced::new(&board, [0, 0]);
        let [stone, other] =
            [4, 5].map(|row| Stone { at: Point::new(4, row).unwrap(), colour: Colour::Black });
        board.put(stone.at, stone.colour, |_, _| ());
        faced.push(&board, Some(stone), &[], [0, 0]);
        faced.push(&board, None, &[], [0, 1]);
        // Two turns from the board with a stone to the next turn: who faces that now has faced it then.
        let again = |virtuals, changed: &[Stone]| {
            faced
                .shape_again(board.hash(), virtuals, |change| changed.iter().for_each(|stone| change(*stone)))
        };
        assert_eq!(again([0, 0], &[]), Some(Again { distance: 2 }));
        assert_eq!(again([0, 0], &[other]), None);
        assert_eq!(again([0, 1], &[]), None);
        assert_eq!(again([1, 0], &[]), None);
        assert_eq!(faced.board_again(&board), Some(Again { distance: 2 }));
        assert_eq!(faced.board_again(&Board::new(Size::NINE, Size::NINE)), None);
    }

    #[test]
    fn the_digest_depends_on_virtual_stones_too() {
        let board = Board::new(Size::NINE, Size::NINE);
        let after = |virtuals: &[[u32; 2]]| {
            let mut faced = Faced::new(&board, [0, 0]);
            for virtuals in virtuals {
                faced.push(&board, None, &[], *virtuals);
            }
            faced.digest()
        };
        let digests =
            [after(&[]), after(&[[0, 0]]), after(&[[0, 1]]), after(&[[0, 0], [0, 1]]), after(&[[0, 1]; 2])];
        for (nth, digest) in digests.iter().enumerate() {
            assert!(!digests[..nth].contains(digest));
        }
    }
}
