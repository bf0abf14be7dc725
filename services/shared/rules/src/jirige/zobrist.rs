//! The random numbers of Zobrist hashing, made at compile time: the same in every build and on every machine.

use super::{POINTS, Phase, Point, Spears};
use crate::{Side, go::zobrist::mix};

/// The number of a stone on a point.
pub(super) fn stone(side: Side, at: Point) -> u64 {
    STONES[side.index()][at.index()]
}

/// The number of everything but the stones; that of the end of a game tells it from the position it ended in.
pub(super) fn rest(phase: Phase, to_move: Side, spears: [Spears; 2], owed: [u8; 5], ended: bool) -> u64 {
    let turn = (phase as u64) << 2 | (to_move.index() as u64) << 1 | u64::from(ended);
    let rights = u64::from(spears[0].bits()) << 18 | u64::from(spears[1].bits());
    let owed = owed.into_iter().fold(0, |sum, part| sum << 8 | u64::from(part));
    mix(mix(mix(!SEED ^ turn) ^ rights) ^ owed)
}

/// Any seed does, as long as it stays.
const SEED: u64 = 0x4A69_7269_6765_3831;

static STONES: [[u64; POINTS as usize]; 2] = [table(mix(SEED)), table(mix(mix(SEED)))];

const fn table(seed: u64) -> [u64; POINTS as usize] {
    let mut numbers = [0; POINTS as usize];
    let mut index = 0;
    while index < numbers.len() {
        numbers[index] = mix(seed ^ index as u64);
        index += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut seen = BTreeSet::from([0]);
        assert!(STONES.iter().flatten().all(|number| seen.insert(*number)));
        for phase in [Phase::Place, Phase::Open, Phase::Move] {
            for side in Side::BOTH {
                for spears in ["", "row:1", "col:A", "row:1+row:2"] {
                    let spears = spears.parse().unwrap();
                    for owed in [[0; 5], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]] {
                        assert!(seen.insert(rest(phase, side, [spears, Spears::NONE], owed, false)));
                        assert!(seen.insert(rest(phase, side, [Spears::NONE, spears], owed, true)));
                    }
                }
            }
        }
    }
}
