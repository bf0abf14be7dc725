//! Secrets that the platform gives out. Only their digests are kept.
//!
//! A secret has 256 bits of chance, so a plain SHA-256 of it can neither be guessed back nor be searched; the
//! slow hash that passwords need would only cost time here.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::Env;
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use super::name::NameKey;

/// How refresh tokens start, so that a leaked one is recognised for what it is.
const REFRESH_PREFIX: &str = "shr_";
/// How personal access tokens start.
const PERSONAL_PREFIX: &str = "shp_";
/// How the marks of devices start.
const DEVICE_PREFIX: &str = "shd_";
/// Bytes of chance in a device's mark, and of the proof that it is one.
const MARK_BYTES: usize = 16;
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

/// A secret of the service's own, from which others follow that need not be kept: nobody without it can tell what
/// follows, and with it the same always does.
#[derive(Clone)]
pub struct Derivation(hmac::Key);

/// The mark of a device on which the password of an account was right once. It opens nothing: whoever shows it has
/// tries of his own at that password.
pub struct DeviceMark {
    number: [u8; MARK_BYTES],
    text: SecretString,
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
    pub fn generate(session: Uuid, env: &Env) -> Self {
        RefreshToken::of(session, env.bytes())
    }

    fn of(session: Uuid, secret: [u8; SECRET_BYTES]) -> Self {
        let bytes = [session.as_bytes().as_slice(), &secret].concat();
        RefreshToken {
            session,
            text: format!("{REFRESH_PREFIX}{}", URL_SAFE_NO_PAD.encode(&bytes)).into(),
            digest: Digest::of(&bytes),
        }
    }

    /// The one token that comes after this one in its session, whoever asks and however often.
    #[must_use]
    pub fn successor(&self, derivation: &Derivation) -> Self {
        RefreshToken::of(self.session, derivation.derive("refresh", self.expose().as_bytes()))
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

impl Derivation {
    /// From the service's secret.
    pub fn new(secret: &[u8]) -> Self {
        Derivation(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    fn derive(&self, what: &str, from: &[u8]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        // No name has a zero in it, so that nothing follows from two things.
        for part in [what.as_bytes(), &[0], from] {
            context.update(part);
        }
        context.sign().as_ref().try_into().expect("SHA-256 has 32 bytes")
    }
}

impl fmt::Debug for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derivation(..)")
    }
}

impl DeviceMark {
    /// A new mark for devices of an account.
    pub fn generate(name: &NameKey, derivation: &Derivation, env: &Env) -> Self {
        let number = env.bytes();
        let bytes = [number, DeviceMark::proof(number, name, derivation)].concat();
        DeviceMark { number, text: format!("{DEVICE_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)).into() }
    }

    /// Reads a mark; `None` when it is none of this account.
    pub fn parse(text: String, name: &NameKey, derivation: &Derivation) -> Option<Self> {
        let text = SecretString::from(text);
        let bytes = decode::<{ 2 * MARK_BYTES }>(text.expose_secret(), DEVICE_PREFIX)?;
        let (number, proof) = bytes.split_at(MARK_BYTES);
        let number = number.try_into().ok()?;
        let good = DeviceMark::proof(number, name, derivation);
        // In constant time, lest a proof be found byte by byte.
        let differs = good.iter().zip(proof).fold(0, |differs, (one, other)| differs | (one ^ other));
        (differs == 0).then_some(DeviceMark { number, text })
    }

    fn proof(number: [u8; MARK_BYTES], name: &NameKey, derivation: &Derivation) -> [u8; MARK_BYTES] {
        let derived = derivation.derive("device", &[number.as_slice(), name.as_str().as_bytes()].concat());
        derived[..MARK_BYTES].try_into().expect("a digest is longer")
    }

    /// A name for the device, for keys of throttles.
    pub fn short(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.number)
    }

    /// The mark, to be told the device.
    pub fn expose(&self) -> &str {
        self.text.expose_secret()
    }
}

impl PersonalToken {
    /// A new token.
    pub fn generate(env: &Env) -> Self {
        let secret: [u8; SECRET_BYTES] = env.bytes();
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
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 3);
        let session = env.uuid();
        let first = RefreshToken::generate(session, &env);
        let second = RefreshToken::generate(session, &env);
        assert_ne!(first.digest(), second.digest());
        let read = RefreshToken::parse(first.expose().to_owned()).expect("our own");
        assert_eq!((read.session, read.digest()), (session, first.digest()));
        let personal = PersonalToken::generate(&env);
        let read = PersonalToken::parse(personal.expose().to_owned()).expect("our own");
        assert_eq!(read.digest(), personal.digest());
        assert!(PersonalToken::parse(first.expose().to_owned()).is_none());
        assert!(RefreshToken::parse(personal.expose().to_owned()).is_none());
    }

    #[test]
    fn a_successor_follows_from_the_token_and_the_servers_secret_together() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 3);
        let (ours, theirs) = (Derivation::new(&[1; 32]), Derivation::new(&[2; 32]));
        let token = RefreshToken::generate(env.uuid(), &env);
        let next = token.successor(&ours);
        assert_eq!((next.session, next.digest()), (token.session, token.successor(&ours).digest()));
        let others =
            [token.successor(&theirs), next.successor(&ours), RefreshToken::generate(token.session, &env)];
        assert!(others.iter().all(|other| other.digest() != next.digest()));
    }

    #[test]
    fn a_mark_is_of_one_account_and_one_server() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 3);
        let (ours, theirs) = (Derivation::new(&[1; 32]), Derivation::new(&[2; 32]));
        let name = |text| NameKey::of(text).expect("a good name");
        let mark = DeviceMark::generate(&name("anna"), &ours, &env);
        let text = mark.expose().to_owned();
        let read = DeviceMark::parse(text.clone(), &name("ANNA"), &ours).expect("our own");
        assert_eq!(read.short(), mark.short());
        assert!(DeviceMark::parse(text.clone(), &name("bert"), &ours).is_none());
        assert!(DeviceMark::parse(text.clone(), &name("anna"), &theirs).is_none());
        for at in 4..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert!(DeviceMark::parse(changed, &name("anna"), &ours).is_none(), "{at}");
        }
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
