//! Pages of lists: sizes and the opaque tokens that say where the next one starts.

use api::{fault::Fault, reason};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};

/// Entries of a page when the caller does not say.
const SIZE_DEFAULT: u32 = 50;
/// Entries of a page at most.
const SIZE_MAX: u32 = 200;
/// No token of ours is longer.
const TOKEN_BYTES_MAX: usize = 512;

/// The size of a page: what was asked for, 50 for 0, and never more than 200.
pub fn size(asked: u32) -> u64 {
    u64::from(if asked == 0 { SIZE_DEFAULT } else { asked.min(SIZE_MAX) })
}

/// The token for a position in a list. `list` says which list it is and how it is filtered: in any other the token
/// would stand for another place, or for none.
pub fn encode<T: Serialize>(list: &str, position: &T) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&(mark(list), position)).expect("positions are plain data"))
}

/// The position a token stands for in a list; `None` for the empty token of the first page.
///
/// # Errors
/// INVALID_ARGUMENT with reason BAD_PAGE_TOKEN, also for the token of another list.
pub fn decode<T: DeserializeOwned>(list: &str, token: &str) -> Result<Option<T>, Fault> {
    let bad = || Fault::invalid(reason::BAD_PAGE_TOKEN, "page_token", "not a token from the list before");
    if token.is_empty() {
        return Ok(None);
    }
    if token.len() > TOKEN_BYTES_MAX {
        return Err(bad());
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| bad())?;
    let (marked, position): (u32, T) = serde_json::from_slice(&bytes).map_err(|_| bad())?;
    if marked == mark(list) { Ok(Some(position)) } else { Err(bad()) }
}

/// What tells lists apart (FNV-1a). It guards against mistakes: whoever forges a token only chooses where he reads.
fn mark(list: &str) -> u32 {
    list.bytes().fold(0x811c_9dc5, |mark: u32, byte| (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_round_trip_and_strange_ones_are_refused() {
        let token = encode("games/go", &(5_i64, 7_u32));
        assert_eq!(decode::<(i64, u32)>("games/go", &token).expect("ours"), Some((5, 7)));
        assert_eq!(decode::<u32>("games/go", "").expect("first page"), None);
        assert_eq!(
            decode::<(i64, u32)>("games/jiu", &token).expect_err("another list").reason,
            "BAD_PAGE_TOKEN"
        );
        for token in ["%", "AAAA", &"A".repeat(1000)] {
            assert_eq!(decode::<u32>("games/go", token).expect_err("strange").reason, "BAD_PAGE_TOKEN");
        }
    }

    #[test]
    fn sizes_are_limited() {
        assert_eq!((size(0), size(1), size(200), size(u32::MAX)), (50, 1, 200, 200));
    }
}
