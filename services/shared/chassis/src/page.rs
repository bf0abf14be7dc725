//! Pages of lists: sizes and the opaque tokens that say where the next one starts.

use api::reason;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};

/// Entries of a page when the caller does not say, and at most.
const SIZES: Sizes = Sizes { default: 50, max: 200 };
/// No token of ours is longer.
const TOKEN_BYTES_MAX: usize = 512;

/// How many entries the pages of a list have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// When the caller does not say.
    pub default: u32,
    /// At most, whatever he says.
    pub max: u32,
}

/// The page of a list that is asked for; places in the list are `P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<P> {
    list: String,
    size: u32,
    /// The place after which it begins; `None` for the first page.
    pub after: Option<P>,
}

impl<P: Serialize + DeserializeOwned> Page<P> {
    /// The page of a request: 50 entries when it does not say, 200 at most. `list` says which list it is and how it is
    /// filtered: in any other its token would stand for another place, or for none.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with reason BAD_PAGE_TOKEN, also for the token of another list.
    pub fn of(list: impl Into<String>, size: u32, token: &str) -> Result<Self, api::Error> {
        Page::sized(SIZES, list, size, token)
    }

    /// The same for a list with sizes of its own.
    ///
    /// # Errors
    /// As [`Page::of`].
    pub fn sized(sizes: Sizes, list: impl Into<String>, size: u32, token: &str) -> Result<Self, api::Error> {
        let list = list.into();
        let after = decode(&list, token)?;
        Ok(Page { list, size: if size == 0 { sizes.default } else { size.min(sizes.max) }, after })
    }

    /// How many entries to look for: one more than the page has tells whether there is a next one.
    pub fn fetch(&self) -> u64 {
        u64::from(self.size) + 1
    }

    /// Cuts what was found to the page, and gives the token of the next; empty when this is the last.
    pub fn cut<T>(&self, mut found: Vec<T>, place: impl Fn(&T) -> P) -> (Vec<T>, String) {
        let more = found.len() as u64 >= self.fetch();
        found.truncate(self.size as usize);
        let last = found.last().filter(|_| more);
        let next = last.map(|last| encode(&self.list, &place(last))).unwrap_or_default();
        (found, next)
    }
}

impl Page<u32> {
    /// What of a list to look for whose entries are numbered from 1 without a gap, as far as they are meant.
    pub fn numbered<T>(
        &self,
        list: impl IntoIterator<Item = T>,
        is_meant: impl Fn(&T) -> bool,
    ) -> impl Iterator<Item = T> {
        let after = self.after.unwrap_or(0) as usize;
        let most = usize::try_from(self.fetch()).unwrap_or(usize::MAX);
        list.into_iter().skip(after).filter(move |it| is_meant(it)).take(most)
    }
}

/// The token for a position in a list.
pub fn encode<T: Serialize>(list: &str, position: &T) -> String {
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&(mark(list), position)).expect("positions are plain data"))
}

/// The position a token stands for in a list; `None` for the empty token of the first page.
fn decode<T: DeserializeOwned>(list: &str, token: &str) -> Result<Option<T>, api::Error> {
    let bad =
        || api::Error::invalid(reason::BAD_PAGE_TOKEN, "page_token", "not a token from the list before");
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
    fn pages_have_as_many_as_asked_for_within_limits_and_a_full_last_one_has_no_token() {
        let page = |asked, token: &str| Page::<u64>::of("numbers", asked, token).expect("a page");
        let after = |page: &Page<u64>| (page.after.unwrap_or(0)..400).map(|n| n + 1);
        for (asked, size) in [(0, 50), (1, 1), (200, 200), (u32::MAX, 200)] {
            let first = page(asked, "");
            assert_eq!(first.fetch(), size + 1);
            let (entries, next) = first.cut(after(&first).collect(), |last| *last);
            assert!(entries.into_iter().eq(1..=size));
            assert_eq!(page(asked, &next).after, Some(size));
        }
        let numbers: Page<u32> = Page::of("numbers", 10, &encode("numbers", &390_u32)).expect("a page");
        assert!(numbers.numbered(1..=395, |_| true).eq(391..=395), "and no more than there are");
        assert!(numbers.numbered(1..=400, |it| it % 3 == 0).eq([393, 396, 399]));
        let last = page(200, &encode("numbers", &200_u64));
        let (entries, next) = last.cut(after(&last).collect(), |last| *last);
        assert!(entries.into_iter().eq(201..=400) && next.is_empty());
    }
}
