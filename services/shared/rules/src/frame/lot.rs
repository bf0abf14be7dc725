use core::{fmt, num::NonZeroU32, str::FromStr};

use crate::prelude::*;
use sha2::{Digest as _, Sha256};

/// What a party puts into a lottery: a salt and a seed of 32 bytes each.
///
/// As text it is `SALT SEED`, each 64 hexadecimal digits. Both have a fixed length, so that a commitment to
/// them cannot be opened in two ways. `Debug` does not show them.
///
/// ```
/// use rules::Opening;
/// let text = format!("{} {}", "0".repeat(64), "1".repeat(64));
/// let opening: Opening = text.parse()?;
/// assert_eq!(opening.text(), text);
/// assert_eq!(format!("{opening:?}"), "Opening(..)");
/// assert!("00 11".parse::<Opening>().is_err());
/// # Ok::<(), rules::HexError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    salt: [u8; 32],
    seed: [u8; 32],
}

/// A promise of an [`Opening`]: SHA-256 of the 64 bytes `salt ‖ seed`. As text, 64 hexadecimal digits.
///
/// ```
/// use rules::{Commitment, Opening};
/// let promised = Opening::new([1; 32], [2; 32]).commitment();
/// assert_eq!(promised.to_string().parse::<Commitment>(), Ok(promised));
/// assert_ne!(promised, Opening::new([1; 32], [3; 32]).commitment());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment([u8; 32]);

/// The outcome of a lottery: a source of numbers that everybody can compute from the seeds.
///
/// All hashes are SHA-256, `‖` joins bytes, texts are ASCII without an end mark, `00` and `01` are single
/// bytes. With the purpose of the lottery and, in this order, the parts of the system, the first and the second
/// side, each part being `01 ‖ seed` (33 bytes), or `00` for a party that was left out:
///
/// ```text
/// root = SHA-256("shoutan lottery 1" ‖ 00 ‖ purpose ‖ 00 ‖ part ‖ part ‖ part)
/// ```
///
/// Number `index` below `n` is found by trying `attempt` = 0, 1, 2, …, with both as four bytes, the highest
/// first:
///
/// ```text
/// value = the first 8 bytes, highest first, of SHA-256("shoutan lot 1" ‖ 00 ‖ root ‖ index ‖ attempt)
/// ```
///
/// A value of 2^64 − (2^64 mod n) or more is rejected and the next attempt made; the number is the first
/// accepted value mod n. So every number is exactly equally likely.
///
/// ```
/// use core::num::NonZeroU32;
/// use rules::{Lot, Opening};
/// let house = Opening::new([1; 32], [2; 32]);
/// let lot = Lot::of("nigiri", [Some(&house), None, None]);
/// let die = NonZeroU32::new(6).unwrap();
/// let thrown: Vec<u32> = (0..100).map(|index| lot.number(index, die)).collect();
/// assert!((0..6).all(|face| thrown.contains(&face)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    root: [u8; 32],
}

/// The text is not 64 hexadecimal digits, or not two such numbers separated by a space.
///
/// ```
/// use rules::{Commitment, HexError};
/// assert_eq!("0g".repeat(32).parse::<Commitment>(), Err(HexError));
/// assert_eq!("00".repeat(31).parse::<Commitment>(), Err(HexError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("64 hexadecimal digits are wanted for each of salt, seed and hash")]
pub struct HexError;

impl Opening {
    /// Salt and seed. Whoever makes them takes them from a good source of randomness, anew for every lottery.
    ///
    /// ```
    /// let opening = rules::Opening::new([0xab; 32], [0xcd; 32]);
    /// assert_eq!(opening.text(), format!("{} {}", "ab".repeat(32), "cd".repeat(32)));
    /// ```
    pub const fn new(salt: [u8; 32], seed: [u8; 32]) -> Opening {
        Opening { salt, seed }
    }

    /// What is published before the seed is.
    ///
    /// ```
    /// let opening = rules::Opening::new([0; 32], [0; 32]);
    /// // SHA-256 of 64 zero bytes.
    /// let known = "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b";
    /// assert_eq!(opening.commitment().to_string(), known);
    /// ```
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::new().chain_update(self.salt).chain_update(self.seed).finalize().into())
    }

    /// `SALT SEED`. Who writes it down, gives it away.
    ///
    /// ```
    /// use rules::Opening;
    /// let opening = Opening::new([1; 32], [2; 32]);
    /// assert!(opening.text().parse() == Ok(opening));
    /// ```
    pub fn text(&self) -> String {
        format!("{} {}", hex::encode(self.salt), hex::encode(self.seed))
    }
}

impl Lot {
    /// The outcome of a lottery for a purpose (without a zero byte in it), from the openings of the system, the
    /// first and the second side; `None` for a party that was left out.
    ///
    /// ```
    /// use rules::{Lot, Opening};
    /// let [house, first] = [1, 2].map(|byte| Opening::new([byte; 32], [byte; 32]));
    /// let lot = Lot::of("nigiri", [Some(&house), Some(&first), None]);
    /// assert_ne!(lot, Lot::of("nigiri", [Some(&house), None, Some(&first)]));
    /// assert_ne!(lot, Lot::of("colours", [Some(&house), Some(&first), None]));
    /// ```
    pub fn of(purpose: &str, openings: [Option<&Opening>; 3]) -> Lot {
        let start = Sha256::new().chain_update("shoutan draw 1\0").chain_update(purpose).chain_update([0]);
        let all = openings.into_iter().fold(start, |hash, opening| match opening {
            Some(opening) => hash.chain_update([1]).chain_update(opening.seed),
            None => hash.chain_update([0]),
        });
        Lot { root: all.finalize().into() }
    }

    /// Number `index` of this lottery, from 0 and below `below`; every one is equally likely.
    ///
    /// ```
    /// use core::num::NonZeroU32;
    /// let lot = rules::Lot::of("nigiri", [None; 3]);
    /// let coin = NonZeroU32::new(2).unwrap();
    /// assert_eq!(lot.number(0, coin), lot.number(0, coin));
    /// assert!(lot.number(1, coin) < 2);
    /// ```
    pub fn number(&self, index: u32, below: NonZeroU32) -> u32 {
        let below = u64::from(below.get());
        let highest = highest(below);
        let mut value = u64::MAX;
        for attempt in 0u32.. {
            value = self.value(index, attempt);
            if value <= highest {
                break;
            }
        }
        u32::try_from(value % below).expect("a remainder is below its divisor, which has 32 bits")
    }

    fn value(&self, index: u32, attempt: u32) -> u64 {
        let hash = Sha256::new()
            .chain_update("shoutan lot 1\0")
            .chain_update(self.root)
            .chain_update(index.to_be_bytes())
            .chain_update(attempt.to_be_bytes())
            .finalize();
        hash.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
    }
}

impl Commitment {
    /// The 32 bytes of the hash.
    ///
    /// ```
    /// let promised: rules::Commitment = "ab".repeat(32).parse()?;
    /// assert_eq!(promised.bytes(), &[0xab; 32]);
    /// # Ok::<(), rules::HexError>(())
    /// ```
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for Opening {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Opening, HexError> {
        let (salt, seed) = text.split_once(' ').ok_or(HexError)?;
        Ok(Opening { salt: bytes(salt)?, seed: bytes(seed)? })
    }
}

impl FromStr for Commitment {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Commitment, HexError> {
        bytes(text).map(Commitment)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({self})")
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opening(..)")
    }
}

/// The highest value that is accepted for a number below `below`: 2^64 mod n values are rejected, and without
/// 2^64 that is (2^64 − n) mod n.
const fn highest(below: u64) -> u64 {
    u64::MAX - below.wrapping_neg() % below
}

fn bytes(text: &str) -> Result<[u8; 32], HexError> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| HexError)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::highest;

    #[test]
    fn as_many_values_are_accepted_as_make_every_number_equally_likely() {
        for below in [1, 2, 3, 7, 10, 36, 289, 1000, 65_537, u64::from(u32::MAX)] {
            assert_eq!(highest(below) % below, below - 1, "{below}");
            assert!(u64::MAX - highest(below) < below, "{below}");
        }
    }
}
