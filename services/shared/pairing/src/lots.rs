//! Draws of lots that anybody can repeat from the seed.
//!
//! The organiser publishes the hash of a 32-byte seed before the list closes, and the seed afterwards (1.3).
//!
//! **The shuffle.** The stream of bytes is ChaCha20 as in RFC 8439 with the seed as key, a nonce of twelve zero bytes
//! and the counter beginning at zero. Words are 32 bits, little-endian, taken from the stream in order. From the last
//! place *i* down to the second, *n* = *i* + 1 (places count from 0): take words until one is below the greatest
//! multiple of *n* that is no greater than 2³²; the place to swap with is that word modulo *n*.
//!
//! **The coin.** The lowest bit of the first byte of SHA-256(seed ‖ round ‖ table), both numbers as 32 bits
//! little-endian (so it is the lowest bit of the first little-endian word, too).
//!
//! The same in Python:
//! ```python
//! import hashlib, struct
//! def block(key, counter):
//!     s = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, *struct.unpack("<8I", key), counter, 0, 0, 0]
//!     x, m = s[:], 0xffffffff
//!     def turn(a, b, c, d):
//!         for p, q, r, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
//!             x[p] = (x[p] + x[q]) & m
//!             x[r] = ((x[r] ^ x[p]) << n | (x[r] ^ x[p]) >> (32 - n)) & m
//!     for _ in range(10):
//!         for i in range(4): turn(i, 4 + i, 8 + i, 12 + i)
//!         for i in range(4): turn(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
//!     return [(a + b) & m for a, b in zip(x, s)]
//! def shuffle(seed, places):
//!     words = (word for counter in range(2**32) for word in block(seed, counter))
//!     for i in range(len(places) - 1, 0, -1):
//!         n = i + 1
//!         j = next(word for word in words if word < 2**32 // n * n) % n
//!         places[i], places[j] = places[j], places[i]
//!     return places
//! def coin(seed, round, table):
//!     return hashlib.sha256(seed + struct.pack("<II", round, table)).digest()[0] & 1
//! print(shuffle(bytes(range(32)), list(range(1, 11))), [coin(bytes(range(32)), 1, t) for t in range(8)])
//! ```
//! It prints `[7, 2, 10, 8, 1, 3, 5, 6, 9, 4] [0, 1, 0, 1, 1, 1, 0, 0]`, and so do the functions here:
//! ```
//! let seed = core::array::from_fn(|at| at as u8);
//! let mut places: Vec<u8> = (1..=10).collect();
//! pairing::lots::shuffle(&seed, &mut places);
//! assert_eq!(places, [7, 2, 10, 8, 1, 3, 5, 6, 9, 4]);
//! assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|table| u8::from(pairing::lots::coin(&seed, 1, table))), [0, 1, 0, 1, 1, 1, 0, 0]);
//! ```

use chacha20::{
    ChaCha20,
    cipher::{KeyIvInit, StreamCipher},
};
use sha2::{Digest, Sha256};

/// What lots are drawn from.
pub type Seed = [u8; 32];

/// Words of 32 bits, a block of 64 bytes at a time.
pub(crate) struct Words {
    stream: ChaCha20,
    block: [u8; 64],
    at: usize,
}

impl Words {
    pub(crate) fn new(seed: &Seed) -> Words {
        Words { stream: ChaCha20::new(seed.into(), &[0; 12].into()), block: [0; 64], at: 64 }
    }

    fn next(&mut self) -> u32 {
        if self.at == self.block.len() {
            self.block = [0; 64];
            self.stream.apply_keystream(&mut self.block);
            self.at = 0;
        }
        let bytes = core::array::from_fn(|offset| self.block[self.at + offset]);
        self.at += 4;
        u32::from_le_bytes(bytes)
    }

    /// A number below `n`, each equally likely.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        let end = (1_u64 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.next();
            if u64::from(word) < end {
                return word % n;
            }
        }
    }
}

/// Puts the items into the order that the seed draws. There are fewer than 2³² of them.
pub fn shuffle<T>(seed: &Seed, items: &mut [T]) {
    let mut words = Words::new(seed);
    for (last, n) in (1..items.len()).zip(2..).collect::<Vec<(usize, u32)>>().into_iter().rev() {
        items.swap(last, words.below(n) as usize);
    }
}

/// What a coin shows that is thrown for one table of one round.
pub fn coin(seed: &Seed, round: u32, table: u32) -> bool {
    let mut hash = Sha256::new();
    hash.update(seed);
    hash.update(round.to_le_bytes());
    hash.update(table.to_le_bytes());
    hash.finalize()[0] & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two sides, or a hundred thousand places, hardly ever is a word too great, so that no draw of theirs would show
    /// that those are passed over. Of this *n* there is one multiple below 2³², itself, and about half the words are
    /// no less.
    ///
    /// The keystream of RFC 8439, A.1, vector 1 (key and nonce of zeros, counter 0) begins, a word to four bytes:
    /// ```text
    /// 76b8e0ad a0f13d90 405d6ae5 5386bd28 bdd219b8 a08ded1a a836efcc 8b770dc7
    /// da41597c 5157488d 7724e03f b8d84a37 6a43b8f4 1518a11c c387b669 b2ee6586
    /// ```
    /// Read little-endian, the fourth byte of a word decides: from 80 on the word is too great. The 1st to 3rd are
    /// (ad, 90, e5), the 4th is not (28), the 5th is (b8), the 6th is not (1a), and so on.
    #[test]
    fn words_that_are_too_great_are_passed_over() {
        let mut words = Words::new(&[0; 32]);
        let drawn = [(); 7].map(|()| words.below(0x8000_0001));
        let taken =
            [0x28bd_8653, 0x1aed_8da0, 0x7c59_41da, 0x3fe0_2477, 0x374a_d8b8, 0x1ca1_1815, 0x69b6_87c3];
        assert_eq!(drawn, taken);
        // One word too great ends the block, and the next block begins with one.
        assert_eq!(words.below(u32::MAX), 0x8665_eeb2);
        assert_eq!(words.below(u32::MAX), 0xbee7_079f);
    }
}
