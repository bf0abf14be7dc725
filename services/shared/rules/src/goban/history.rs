use super::{Board, Colour, Stone, point::CELLS};
use crate::{
    prelude::*,
    zobrist::{self, mix},
};

/// Every board after every turn, passes included, the first being the start.
///
/// Comparison is exact: a hash only finds candidates. A hash alone, however long, would not do: its keys are
/// public and it is linear, so that two boards with one hash can be computed. No board is stored for it: what
/// every turn put on the board and took off it tells how any two boards differ. A small filter on the hashes
/// answers the usual question ("never seen") at once.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The lower half of the hash of each board.
    hashes: Vec<u32>,
    /// What the turns changed, one after the other.
    changes: Vec<Change>,
    filter: [u64; FILTER_WORDS],
    /// The last turn that was a pass, 0 if there was none.
    last_pass: usize,
    digest: u64,
}

/// A stone that a turn put on the board or took off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change(u16);

/// Points that differ between two boards: a bit for each cell and colour.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Difference([u64; DIFFERENCE_WORDS]);

/// How a board that a move would make has been there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recurrence {
    /// Turns from the last time to now: 2 is an immediate retake.
    pub distance: usize,
    /// Whether the player who would now face the board has faced it.
    pub faced: bool,
    /// How many times it was there since the last pass.
    pub since_pass: u32,
}

/// 8192 bits: one in twenty asked in vain after 400 turns.
const FILTER_WORDS: usize = 128;

const DIFFERENCE_WORDS: usize = (2 * CELLS).div_ceil(64);

impl History {
    /// The history of a game that starts with this board.
    pub(crate) fn new(board: &Board) -> History {
        // Room for as many turns as most games have, so that playing does not allocate. A stone that is taken
        // off was put on by a turn or stood there at the start.
        let points = usize::from(board.point_count());
        let turns = 2 * points;
        let mut history = History {
            hashes: Vec::with_capacity(turns),
            changes: Vec::with_capacity(2 * turns + points),
            filter: [0; FILTER_WORDS],
            last_pass: 0,
            digest: 0,
        };
        history.add(board.hash());
        history
    }

    /// How many turns have been made.
    pub(crate) fn turns(&self) -> usize {
        self.hashes.len() - 1
    }

    /// A number that depends on every board and every pass so far, in their order.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// Adds the board after a turn, with the stone that the turn put on it, if it did, and those that it took
    /// off, that stone perhaps among them.
    pub(crate) fn push(&mut self, board: &Board, put: Option<Stone>, removed: &[Stone]) {
        self.changes.push(put.map_or(Change::NONE, Change::of).first_of_turn());
        self.changes.extend(removed.iter().map(|stone| Change::of(*stone)));
        let key = |stone: &Stone| zobrist::stone(stone.colour.index(), stone.at.index());
        let before = || put.iter().chain(removed).fold(board.hash(), |hash, stone| hash ^ key(stone));
        debug_assert!(self.hashes.last() == Some(&short(before())), "a turn tells all that it changed");
        self.add(board.hash());
    }

    /// Adds the unchanged board after a pass, voluntary or imposed.
    pub(crate) fn push_pass(&mut self, board: &Board) {
        self.push(board, None, &[]);
        self.last_pass = self.turns();
        self.digest = mix(self.digest);
    }

    /// How the board with this hash, which the next turn would make, has been there; `next` is that of
    /// [`History::turns_with`].
    pub(crate) fn recurrence(
        &self,
        hash: u64,
        next: impl FnOnce(&mut dyn FnMut(Stone)),
    ) -> Option<Recurrence> {
        let now = self.hashes.len();
        let mut found: Option<Recurrence> = None;
        for turn in self.turns_with(hash, next)? {
            let distance = now - turn;
            let recurrence = found.get_or_insert(Recurrence { distance, faced: false, since_pass: 0 });
            recurrence.faced |= distance.is_multiple_of(2);
            recurrence.since_pass += u32::from(turn >= self.last_pass);
        }
        found
    }

    /// The turns, the last one first, after which the board was the one with this hash; 0 is the start.
    /// `next` tells every stone that would have to be put on the board there is now or taken off it to make
    /// that one, and is asked only when the hash is known; `None` if it is not.
    pub(crate) fn turns_with(
        &self,
        hash: u64,
        next: impl FnOnce(&mut dyn FnMut(Stone)),
    ) -> Option<impl Iterator<Item = usize> + '_> {
        let (word, bit) = filter_place(hash);
        if self.filter[word] & bit == 0 || !self.hashes.contains(&short(hash)) {
            return None;
        }
        let mut difference = Difference::default();
        next(&mut |stone| difference.change(Change::of(stone)));
        let mut changes = self.changes.iter().rev();
        Some(self.hashes.iter().enumerate().rev().filter_map(move |(turn, known)| {
            let same = *known == short(hash) && difference == Difference::default();
            // Back over the turn that made this board.
            for change in changes.by_ref() {
                difference.change(*change);
                if change.is_first_of_turn() {
                    break;
                }
            }
            same.then_some(turn)
        }))
    }

    fn add(&mut self, hash: u64) {
        let (word, bit) = filter_place(hash);
        self.filter[word] |= bit;
        self.hashes.push(short(hash));
        self.digest = mix(self.digest ^ hash);
    }
}

impl Change {
    /// Nothing: what a pass changes. Its cell is one of the border.
    const NONE: Change = Change(0);
    const FIRST_OF_TURN: u16 = 1 << 15;

    fn of(stone: Stone) -> Change {
        Change(stone.at.cell() << 1 | u16::from(stone.colour == Colour::White))
    }

    const fn first_of_turn(self) -> Change {
        Change(self.0 | Change::FIRST_OF_TURN)
    }

    const fn is_first_of_turn(self) -> bool {
        self.0 & Change::FIRST_OF_TURN != 0
    }
}

impl Difference {
    /// Goes forth or back over a change, which is the same.
    fn change(&mut self, change: Change) {
        let bit = usize::from(change.0 & !Change::FIRST_OF_TURN);
        if bit > 0 {
            self.0[bit / 64] ^= 1 << (bit % 64);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of a hash is kept")]
const fn short(hash: u64) -> u32 {
    hash as u32
}

const fn filter_place(hash: u64) -> (usize, u64) {
    (((hash >> 6) % FILTER_WORDS as u64) as usize, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::{Board, History};
    use crate::goban::{Colour, Point, Size, Stone};

    #[test]
    fn equal_hashes_of_different_boards_are_told_apart() {
        let mut board = Board::new(Size::NINE, Size::NINE);
        let mut history = History::new(&board);
        let [put, other] = [4, 5].map(|row| Stone { at: Point::new(4, row).unwrap(), colour: Colour::Black });
        board.put(put.at, put.colour, |_, _| ());
        let hash = board.hash();
        history.push(&board, Some(put), &[]);
        history.push_pass(&board);
        let same = history.recurrence(hash, |_| ()).expect("the board was there");
        assert_eq!((same.distance, same.faced, same.since_pass), (1, true, 1));
        assert_eq!(history.recurrence(hash, |change| change(other)), None);
        // The empty board is there again if the next turn takes the stone off.
        let empty = Board::new(Size::NINE, Size::NINE).hash();
        let start = history.recurrence(empty, |change| change(put)).expect("the game began so");
        assert_eq!((start.distance, start.faced, start.since_pass), (3, false, 0));
        assert_eq!(history.recurrence(empty, |_| ()), None);
    }
}
