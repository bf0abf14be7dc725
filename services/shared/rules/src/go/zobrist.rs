//! The fixed random keys from which the hash of a board is made.

use super::{Colour, Point, point::CELLS};

/// The key of a stone on a point.
pub(crate) fn key(at: Point, colour: Colour) -> u64 {
    KEYS[colour.index()][at.index()]
}

/// One step of the splitmix64 generator: a bijection that mixes all 64 bits.
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
