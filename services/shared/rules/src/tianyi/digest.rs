use crate::{goban::Point, zobrist::mix};

/// A running hash of numbers in their order.
#[derive(Clone, Copy)]
pub(super) struct Digest(u64);

impl Digest {
    /// Starts with a number.
    pub(super) const fn new(start: u64) -> Digest {
        Digest(mix(start))
    }

    /// Adds a number.
    pub(super) const fn add(self, part: u64) -> Digest {
        Digest(mix(self.0 ^ part))
    }

    /// Adds points, and how many they are.
    pub(super) fn points(self, points: &[Point]) -> Digest {
        let start = self.add(points.len() as u64);
        points.iter().fold(start, |digest, at| digest.add(at.index() as u64))
    }

    /// Adds bytes, eight at a time.
    pub(super) fn bytes(self, bytes: &[u8]) -> Digest {
        bytes.chunks(8).fold(self, |digest, chunk| {
            digest.add(chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        })
    }

    /// The hash.
    pub(super) const fn value(self) -> u64 {
        self.0
    }
}
