//! Secrets that the platform gives out. Only their digests are kept.
//!
//! A secret has 256 bits of chance, so a plain SHA-256 of it can neither be guessed back nor be searched; the
//! slow hash that passwords need would only cost time here.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::Ambient;
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

/// How refresh tokens start, so that a leaked one is recognised for what it is.
const REFRESH_PREFIX: &str = "shr_";
/// How personal access tokens start.
const PERSONAL_PREFIX: &str = "shp_";
/// Bytes of chance in a secret.
const SECRET_BYTES: usize = 32;
/// Bytes of the session's id in a refresh token.
const ID_BYTES: usize = 16;

/// The SHA-256 digest of a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest([u8; 32]);

/// A refresh token: the id of its session and a secret that is good for one use.
pub struct RefreshToken {
    /// The session.
    pub session: Uuid,
    text: SecretString,
    digest: Digest,
}

/// A personal access token's secret.
pub struct PersonalToken {
    text: SecretString,
    digest: Digest,
}

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
        Digest(<[u8; 32]>::try_from(digest.as_ref()).expect("SHA-256 has 32 bytes"))
    }

    /// As it is stored.
    pub fn to_vec(self) -> Vec<u8> {
        self.0.to_vec()
    }

    /// As it was stored; `None` when it is no digest.
    pub fn from_stored(bytes: &[u8]) -> Option<Self> {
        <[u8; 32]>::try_from(bytes).ok().map(Digest)
    }

    /// A short name for what has this digest, for keys of throttles.
    pub fn short(self) -> String {
        URL_SAFE_NO_PAD.encode(&self.0[..12])
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(..)")
    }
}

impl RefreshToken {
    /// A new token of a session.
    pub fn generate(session: Uuid, ambient: &Ambient) -> Self {
        let secret: [u8; SECRET_BYTES] = ambient.bytes();
        let bytes = [session.as_bytes().as_slice(), &secret].concat();
        RefreshToken {
            session,
            text: format!("{REFRESH_PREFIX}{}", URL_SAFE_NO_PAD.encode(&bytes)).into(),
            digest: Digest::of(&bytes),
        }
    }

    /// Reads a token; `None` when it is none.
    pub fn parse(text: String) -> Option<Self> {
        let text = SecretString::from(text);
        let bytes = decode::<{ ID_BYTES + SECRET_BYTES }>(text.expose_secret(), REFRESH_PREFIX)?;
        let session = Uuid::from_slice(&bytes[..ID_BYTES]).ok()?;
        Some(RefreshToken { session, digest: Digest::of(&bytes), text })
    }

    /// What is kept of it.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The token, to be told its owner.
    pub fn expose(&self) -> &str {
        self.text.expose_secret()
    }
}

impl PersonalToken {
    /// A new token.
    pub fn generate(ambient: &Ambient) -> Self {
        let secret: [u8; SECRET_BYTES] = ambient.bytes();
        let text = format!("{PERSONAL_PREFIX}{}", URL_SAFE_NO_PAD.encode(secret)).into();
        PersonalToken { text, digest: Digest::of(&secret) }
    }

    /// Reads a token; `None` when it is none.
    pub fn parse(text: String) -> Option<Self> {
        let text = SecretString::from(text);
        let bytes = decode::<SECRET_BYTES>(text.expose_secret(), PERSONAL_PREFIX)?;
        Some(PersonalToken { text, digest: Digest::of(&bytes) })
    }

    /// What is kept of it.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The secret, to be told its owner once.
    pub fn expose(&self) -> &str {
        self.text.expose_secret()
    }
}

fn decode<const N: usize>(text: &str, prefix: &str) -> Option<[u8; N]> {
    let encoded = text.strip_prefix(prefix)?;
    // Base64 of N bytes; longer texts are not decoded at all.
    if encoded.len() != (N * 4).div_ceil(3) {
        return None;
    }
    <[u8; N]>::try_from(URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::OffsetDateTime;

    use super::*;

    #[test]
    fn tokens_round_trip_and_differ() {
        let (ambient, _) = Ambient::mock(OffsetDateTime::UNIX_EPOCH, 3);
        let session = ambient.uuid();
        let first = RefreshToken::generate(session, &ambient);
        let second = RefreshToken::generate(session, &ambient);
        assert_ne!(first.digest(), second.digest());
        let read = RefreshToken::parse(first.expose().to_owned()).expect("our own");
        assert_eq!((read.session, read.digest()), (session, first.digest()));
        let personal = PersonalToken::generate(&ambient);
        let read = PersonalToken::parse(personal.expose().to_owned()).expect("our own");
        assert_eq!(read.digest(), personal.digest());
        assert!(PersonalToken::parse(first.expose().to_owned()).is_none());
        assert!(RefreshToken::parse(personal.expose().to_owned()).is_none());
    }

    proptest! {
        #[test]
        fn strange_texts_are_no_tokens(text in "(shp_|shr_)?[A-Za-z0-9_=+/-]{0,90}") {
            // A text that is read is the one text of its token.
            if let Some(token) = RefreshToken::parse(text.clone()) {
                prop_assert_eq!(token.expose(), text);
            } else if let Some(token) = PersonalToken::parse(text.clone()) {
                prop_assert_eq!(token.expose(), text);
            }
        }
    }
}
