//! The random numbers of Zobrist hashing, made at compile time: the same in every build and on every machine.

use super::{POINTS, Phase, Point};
use crate::Side;

/// The number of a stone on a point.
pub(super) fn stone(side: Side, at: Point) -> u64 {
    STONES[side.index()][at.index()]
}

/// The number of a phase with a side to move.
pub(super) const fn turn(phase: Phase, to_move: Side) -> u64 {
    TURNS[phase as usize][to_move.index()]
}

/// Any seed does, as long as it stays.
const SEED: u64 = 0x4A69_7541_6261_3134;

static STONES: [[u64; POINTS as usize]; 2] = [table(SEED), table(SEED ^ 1 << 32)];
static TURNS: [[u64; 2]; 3] = {
    let numbers = table::<6>(SEED ^ 2 << 32);
    [[numbers[0], numbers[1]], [numbers[2], numbers[3]], [numbers[4], numbers[5]]]
};

const fn table<const N: usize>(seed: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = splitmix64(seed.wrapping_add(index as u64));
        index += 1;
    }
    numbers
}

/// The output function of `SplitMix64` (Steele, Lea and Flood, 2014).
const fn splitmix64(state: u64) -> u64 {
    let z = state.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut seen = BTreeSet::from([0]);
        assert!(STONES.iter().flatten().chain(TURNS.iter().flatten()).all(|number| seen.insert(*number)));
    }
}
