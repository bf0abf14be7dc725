//! The keys that sign access tokens, and those that still verify.
//!
//! Keys are numbered. The one with the highest number signs; every other one was retired when the next was
//! made, and is forgotten when the last token that it signed has expired.

use std::{fmt, sync::Arc, time::Duration};

use chassis::jwt::{SigningKey, VerifyingKeys};
use secrecy::{ExposeSecret as _, SecretBox};
use time::OffsetDateTime;

use super::claims;

/// A replica may go on signing with a retired key until it has read the new one, and clocks differ: retired
/// keys verify for this much longer than the tokens they signed are valid.
pub const MARGIN: Duration = Duration::from_mins(5);
/// How long a replica may sign without looking for a newer key. Well below the margin.
pub const RELOAD_AGE: Duration = Duration::from_secs(5);
/// Keys that may be known at once. Verifiers take 64; more rotations than this within twenty minutes are
/// refused.
pub const KEYS_MAX: usize = 16;

/// A key as it is kept.
pub struct StoredKey {
    /// Its number: 1 for the first, and one more for each next.
    pub number: i64,
    /// The 32 bytes that it follows from.
    pub seed: SecretBox<[u8; 32]>,
    /// When it was made.
    pub created: OffsetDateTime,
}

/// The keys that are valid at a moment.
#[derive(Clone, Debug)]
pub struct KeyRing {
    /// The one that signs.
    pub signing: Arc<SigningKey>,
    /// Public keys with their ids, the newest first.
    pub valid: Vec<(String, [u8; 32])>,
}

impl StoredKey {
    /// The key itself.
    pub fn key(&self) -> SigningKey {
        SigningKey::from_seed(self.seed.expose_secret())
    }
}

impl fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredKey").field("number", &self.number).finish_non_exhaustive()
    }
}

impl KeyRing {
    /// The ring of these keys, of which the highest number comes first; `None` when there are none.
    pub fn of(newest_first: &[StoredKey], now: OffsetDateTime) -> Option<Self> {
        let signing = newest_first.first()?.key();
        let mut valid = vec![(signing.kid().to_owned(), signing.public_key())];
        for pair in newest_first.windows(2) {
            if !is_forgotten(pair[0].created, now) {
                let key = pair[1].key();
                valid.push((key.kid().to_owned(), key.public_key()));
            }
        }
        Some(KeyRing { signing: Arc::new(signing), valid })
    }

    /// The keys as verifiers have them.
    pub fn verifying(&self) -> VerifyingKeys {
        let mut keys = VerifyingKeys::new();
        for (kid, public) in &self.valid {
            keys.insert(kid, *public);
        }
        keys
    }
}

/// Whether a key that was retired then is forgotten by now.
pub fn is_forgotten(retired: OffsetDateTime, now: OffsetDateTime) -> bool {
    retired + claims::LIFETIME + MARGIN <= now
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(number: u8, created_s: u64) -> StoredKey {
        let created = OffsetDateTime::UNIX_EPOCH + Duration::from_secs(created_s);
        StoredKey { number: number.into(), seed: SecretBox::new(Box::new([number; 32])), created }
    }

    #[test]
    fn the_newest_signs_and_the_retired_verify_until_their_tokens_have_expired() {
        let keys = [stored(3, 2000), stored(2, 1000), stored(1, 0)];
        let ring_at = |now_s| {
            KeyRing::of(&keys, OffsetDateTime::UNIX_EPOCH + Duration::from_secs(now_s)).expect("not empty")
        };
        let kids: Vec<String> = keys.iter().map(|key| key.key().kid().to_owned()).collect();
        let valid = |now_s| ring_at(now_s).valid.into_iter().map(|(kid, _)| kid).collect::<Vec<_>>();
        assert_eq!(ring_at(2000).signing.kid(), kids[0]);
        // Key 1 was retired at 1000, key 2 at 2000; both verify for 1200 s more.
        assert_eq!(valid(2199), kids);
        assert_eq!(valid(2200), kids[..2]);
        assert_eq!(valid(3199), kids[..2]);
        assert_eq!(valid(3200), kids[..1]);
        assert!(KeyRing::of(&[], OffsetDateTime::UNIX_EPOCH).is_none());
    }

    #[test]
    fn seeds_are_not_shown() {
        assert_eq!(format!("{:?}", stored(7, 0)), "StoredKey { number: 7, .. }");
    }
}
