use alloc::vec::Vec;

use super::{Board, board::Rows, zobrist::mix};

/// Every board after every turn, passes included, the first being the start.
///
/// Comparison is exact: a 64-bit hash only finds candidates, and each is compared with the stored board. A
/// hash alone, however long, would not do: its keys are public and it is linear, so that two boards with one
/// hash can be computed. A small filter on the hashes answers the usual question ("never seen") at once.
#[derive(Clone, Debug)]
pub(crate) struct History {
    height: usize,
    hashes: Vec<u64>,
    /// The packed rows of board after board.
    boards: Vec<u64>,
    filter: [u64; FILTER_WORDS],
    /// The last turn that was a pass, 0 if there was none.
    last_pass: usize,
    digest: u64,
}

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

impl History {
    /// The history of a game that starts with this board.
    pub fn new(board: &Board) -> History {
        let height = usize::from(board.rows().get());
        // Room for as many turns as most games have, so that playing does not allocate.
        let turns = 2 * usize::from(board.point_count());
        let mut history = History {
            height,
            hashes: Vec::with_capacity(turns),
            boards: Vec::with_capacity(turns * height),
            filter: [0; FILTER_WORDS],
            last_pass: 0,
            digest: 0,
        };
        history.push(board);
        history
    }

    /// How many turns have been made.
    pub fn turns(&self) -> usize {
        self.hashes.len() - 1
    }

    /// A number that depends on every board and every pass so far, in their order.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Adds the board after a turn in which a stone was played.
    pub fn push(&mut self, board: &Board) {
        let hash = board.hash();
        let (word, bit) = filter_place(hash);
        self.filter[word] |= bit;
        self.hashes.push(hash);
        self.boards.extend_from_slice(&board.packed()[..self.height]);
        self.digest = mix(self.digest ^ hash);
    }

    /// Adds the unchanged board after a pass, voluntary or imposed.
    pub fn push_pass(&mut self, board: &Board) {
        self.push(board);
        self.last_pass = self.turns();
        self.digest = mix(self.digest);
    }

    /// How the board with this hash, which the next turn would make, has been there; `rows` gives the board
    /// itself and is asked only when the hash is known.
    pub fn recurrence(&self, hash: u64, rows: impl FnOnce() -> Rows) -> Option<Recurrence> {
        let now = self.hashes.len();
        let mut found: Option<Recurrence> = None;
        for turn in self.turns_with(hash, rows)? {
            let distance = now - turn;
            let recurrence = found.get_or_insert(Recurrence { distance, faced: false, since_pass: 0 });
            recurrence.faced |= distance.is_multiple_of(2);
            recurrence.since_pass += u32::from(turn >= self.last_pass);
        }
        found
    }

    /// The turns, the last one first, after which the board was the one with this hash; 0 is the start.
    /// `rows` gives the board itself and is asked only when the hash is known; `None` if it is not.
    pub fn turns_with(
        &self,
        hash: u64,
        rows: impl FnOnce() -> Rows,
    ) -> Option<impl Iterator<Item = usize> + '_> {
        let (word, bit) = filter_place(hash);
        if self.filter[word] & bit == 0 || !self.hashes.contains(&hash) {
            return None;
        }
        let rows = rows();
        let known = self.hashes.iter().enumerate().rev();
        Some(known.filter_map(move |(turn, known)| {
            (*known == hash && self.board(turn) == &rows[..self.height]).then_some(turn)
        }))
    }

    fn board(&self, turn: usize) -> &[u64] {
        &self.boards[turn * self.height..][..self.height]
    }
}

const fn filter_place(hash: u64) -> (usize, u64) {
    (((hash >> 6) % FILTER_WORDS as u64) as usize, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::{Board, History};
    use crate::go::{Colour, Point, Size};

    #[test]
    fn equal_hashes_of_different_boards_are_told_apart() {
        let mut board = Board::new(Size::NINE, Size::NINE);
        let mut history = History::new(&board);
        board.put(Point::new(4, 4).unwrap(), Colour::Black, |_, _| ());
        let hash = board.hash();
        history.push(&board);
        history.push_pass(&board);
        let same = history.recurrence(hash, || *board.packed()).expect("the board was there");
        assert_eq!((same.distance, same.faced, same.since_pass), (1, true, 1));
        let empty = Board::new(Size::NINE, Size::NINE);
        assert_eq!(history.recurrence(hash, || *empty.packed()), None);
    }
}
