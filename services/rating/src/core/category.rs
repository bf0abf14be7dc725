//! What ratings are kept by: the variant and the speed class.

use std::{fmt, sync::Arc};

/// The longest name of a variant, in bytes.
const VARIANT_BYTES_MAX: usize = 32;

/// The name of a variant, and behind a `-` of the board where it is not the usual one, as in `go-9`: 1 to 32 of `a`-`z`, `0`-`9` and `-`.
///
/// Whether such a variant exists is not known here: games of unknown ones do not come to be rated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant(Arc<str>);

/// How fast a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Speed {
    /// Under ten minutes a side are expected.
    Blitz,
    /// Ten minutes to under an hour.
    Rapid,
    /// An hour or more.
    Classical,
    /// Days a move, or no limit.
    Correspondence,
}

/// One kind of rating.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Category {
    /// The variant.
    pub variant: Variant,
    /// The speed class.
    pub speed: Speed,
}

impl Category {
    /// Whether both are the same but for the board, which games do not say that were told before boards were rated apart.
    pub fn is_alike(&self, other: &Category) -> bool {
        self.speed == other.speed && self.variant.base() == other.variant.base()
    }
}

impl Variant {
    /// The variant of a name; `None` when no variant can be called so.
    pub fn parse(name: &str) -> Option<Variant> {
        let fits = (1..=VARIANT_BYTES_MAX).contains(&name.len())
            && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        fits.then(|| Variant(name.into()))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name without the board.
    pub fn base(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variants() {
        let longest = "a".repeat(VARIANT_BYTES_MAX);
        for name in ["go", "go-19", "jiu", "9", longest.as_str()] {
            assert_eq!(Variant::parse(name).expect(name).as_str(), name);
        }
        let longer = format!("{longest}a");
        for name in ["", "Go", "go_19", "围棋", "go ", "go\0", longer.as_str()] {
            assert_eq!(Variant::parse(name), None, "{name:?}");
        }
    }
}
