//! The fixed random keys from which the hashes of boards are made: the same in every build and on every machine.

use crate::goban::point::CELLS;

/// The key of a stone on a cell of a board; `owner` is 0 or 1.
pub(crate) fn stone(owner: usize, cell: usize) -> u64 {
    KEYS[owner][cell]
}

/// One step of the splitmix64 generator (Steele, Lea and Flood, 2014): a bijection that mixes all 64 bits.
pub(crate) const fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static KEYS: [[u64; CELLS]; 2] = [keys(0x5348_4f55_5441_4e31), keys(0x5348_4f55_5441_4e32)];

const fn keys(seed: u64) -> [u64; CELLS] {
    let mut keys = [0; CELLS];
    let mut state = seed;
    let mut cell = 0;
    while cell < CELLS {
        state = mix(state ^ cell as u64);
        keys[cell] = state;
        cell += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_keys_differ() {
        let mut seen = BTreeSet::from([0]);
        assert!(KEYS.iter().flatten().all(|key| seen.insert(*key)));
    }
}
