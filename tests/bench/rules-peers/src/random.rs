//! Chance that is the same in every run.

/// The generator `SplitMix64` (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that always gives the same numbers for one seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `bound`, which must not be 0 and should be small.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let wide = u128::from(z ^ (z >> 31)) * bound as u128;
        usize::try_from(wide >> 64).expect("less than the bound")
    }
}
