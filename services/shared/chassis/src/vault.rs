//! Secrets that must be kept in a database are kept sealed: the key to them is elsewhere, in a file or in the
//! environment, so that a copy of the database alone is of no use.
//!
//! A vault has one key or several. The first seals; the others still open what they sealed, until everything is
//! sealed anew. A sealed secret is `SHV1`, eight bytes that name the key, a nonce, and the ciphertext with its tag
//! (ChaCha20-Poly1305). The nonce follows from key, place and secret, so that no chance is needed; each secret is
//! bound to its place, so that nobody can swap two rows.

use std::{fmt, fs, path::PathBuf, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use parking_lot::RwLock;
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};
use secrecy::{ExposeSecret as _, SecretSlice};

use crate::{
    Env,
    limit::{Amount, Limit},
};

/// How a sealed secret starts.
const MAGIC: &[u8; 4] = b"SHV1";
/// Bytes of a key.
pub const KEY_BYTES: usize = 32;
/// Bytes that name a key.
const ID_BYTES: usize = 8;
const HEAD_BYTES: usize = MAGIC.len() + ID_BYTES + NONCE_LEN;
/// Keys of a vault: the one that seals, and those of the backups that somebody may still want to open.
const KEYS_MAX: usize = 16;

/// The limits of a vault.
pub const LIMITS: &[Limit] = &[Limit {
    name: "keys that seal what is secret in the databases",
    amount: Amount::Count(KEYS_MAX as u64),
    setting: None,
    reason: "the one in use, and those that older backups were sealed with",
}];

/// Seals secrets and opens them; clones share their keys.
#[derive(Clone)]
pub struct Vault(Arc<Inner>);

struct Inner {
    keys: RwLock<Vec<Key>>,
    /// Read again when a secret is sealed with a key that is not known: somebody may have made a new one.
    file: Option<PathBuf>,
}

/// A key, with what follows from it.
struct Key {
    id: [u8; ID_BYTES],
    cipher: LessSafeKey,
    nonces: hmac::Key,
}

/// Why a secret cannot be had.
#[derive(Clone, Debug, thiserror::Error)]
pub enum VaultError {
    /// A key is 32 bytes in Base64.
    #[error("a key is 43 characters of URL-safe Base64; `shoutan keys make` prints one")]
    BadKey,
    /// No key, or too many.
    #[error("there must be 1 to 16 keys, and there are {0}")]
    Count(usize),
    /// The file of the keys cannot be read.
    #[error("the file of the keys cannot be read")]
    File(#[source] Arc<std::io::Error>),
    /// A secret is sealed with a key that is not at hand.
    #[error("a secret is sealed with the key {0}, which is not among those given")]
    UnknownKey(String),
    /// A secret was changed, or stands where another belongs.
    #[error("a sealed secret is damaged, or not in its place")]
    Damaged,
}

impl Vault {
    /// A vault with the keys of a text: URL-safe Base64, with spaces, commas or new lines between them. What follows
    /// a `#` in a line is not read. The first seals.
    ///
    /// # Errors
    /// When a key is malformed, or there is none.
    pub fn of_text(text: &str) -> Result<Self, VaultError> {
        Ok(Vault(Arc::new(Inner { keys: RwLock::new(parse(text)?), file: None })))
    }

    /// A vault with the keys of a file, which is read again when a key is wanted that it did not have.
    ///
    /// # Errors
    /// When it cannot be read, or as [`Vault::of_text`].
    pub fn of_file(file: PathBuf) -> Result<Self, VaultError> {
        let keys = RwLock::new(read(&file)?);
        Ok(Vault(Arc::new(Inner { keys, file: Some(file) })))
    }

    /// A vault with a key that is kept nowhere, for a service that has nothing to seal.
    pub fn nobodys(env: &Env) -> Self {
        Vault(Arc::new(Inner { keys: RwLock::new(vec![Key::of(&env.bytes())]), file: None }))
    }

    /// A vault whose key anybody knows, for tests and simulations.
    pub fn open_to_all() -> Self {
        Vault(Arc::new(Inner { keys: RwLock::new(vec![Key::of(&[0x5a; KEY_BYTES])]), file: None }))
    }

    /// The name of the key that seals.
    pub fn key_id(&self) -> String {
        name(self.0.keys.read()[0].id)
    }

    /// Seals a secret for a place: `signing_keys:3`.
    pub fn seal(&self, place: &str, secret: &[u8]) -> Vec<u8> {
        let keys = self.0.keys.read();
        keys[0].seal(place, secret)
    }

    /// Opens the secret of a place.
    ///
    /// # Errors
    /// When its key is not at hand, or it was not sealed for this place.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretSlice<u8>, VaultError> {
        let id = id_of(sealed).ok_or(VaultError::Damaged)?;
        if let Some(opened) = self.try_open(id, place, sealed) {
            return opened;
        }
        if let Some(file) = &self.0.file {
            let keys = read(file)?;
            *self.0.keys.write() = keys;
        }
        self.try_open(id, place, sealed).unwrap_or_else(|| Err(VaultError::UnknownKey(name(id))))
    }

    /// Seals a stored secret with the key of today; one of before there was a vault is sealed for the first time.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn seal_again(&self, place: &str, stored: &[u8]) -> Result<Vec<u8>, VaultError> {
        if !Vault::is_sealed(stored) {
            return Ok(self.seal(place, stored));
        }
        Ok(self.seal(place, self.open(place, stored)?.expose_secret()))
    }

    /// Whether a stored text is sealed at all; those of before there was a vault are not.
    pub fn is_sealed(stored: &[u8]) -> bool {
        id_of(stored).is_some()
    }

    /// Whether a secret is sealed with the key that seals today.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        id_of(sealed) == Some(self.0.keys.read()[0].id)
    }

    fn try_open(
        &self,
        id: [u8; ID_BYTES],
        place: &str,
        sealed: &[u8],
    ) -> Option<Result<SecretSlice<u8>, VaultError>> {
        let keys = self.0.keys.read();
        keys.iter().find(|key| key.id == id).map(|key| key.open(place, sealed))
    }
}

impl Key {
    fn of(bytes: &[u8; KEY_BYTES]) -> Self {
        let root = hmac::Key::new(hmac::HMAC_SHA256, bytes);
        let derived = |what: &[u8]| hmac::sign(&root, what);
        let cipher = UnboundKey::new(&CHACHA20_POLY1305, derived(b"shoutan vault cipher").as_ref());
        let id = derived(b"shoutan vault key id");
        Key {
            id: id.as_ref()[..ID_BYTES].try_into().expect("a digest is longer"),
            cipher: LessSafeKey::new(cipher.expect("a digest is as long as a key")),
            nonces: hmac::Key::new(hmac::HMAC_SHA256, derived(b"shoutan vault nonces").as_ref()),
        }
    }

    fn seal(&self, place: &str, secret: &[u8]) -> Vec<u8> {
        let mut follows = hmac::Context::with_key(&self.nonces);
        follows.update(&(place.len() as u64).to_be_bytes());
        follows.update(place.as_bytes());
        follows.update(secret);
        let follows = follows.sign();
        let nonce: [u8; NONCE_LEN] = follows.as_ref()[..NONCE_LEN].try_into().expect("a digest is longer");
        let mut sealed = [MAGIC.as_slice(), &self.id, &nonce].concat();
        let mut text = secret.to_vec();
        let (nonce, place) = (Nonce::assume_unique_for_key(nonce), Aad::from(place.as_bytes()));
        self.cipher.seal_in_place_append_tag(nonce, place, &mut text).expect("a secret is short");
        sealed.append(&mut text);
        sealed
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretSlice<u8>, VaultError> {
        let nonce = &sealed[MAGIC.len() + ID_BYTES..HEAD_BYTES];
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| VaultError::Damaged)?;
        let mut text = sealed[HEAD_BYTES..].to_vec();
        let opened = self.cipher.open_in_place(nonce, Aad::from(place.as_bytes()), &mut text);
        Ok(opened.map_err(|_| VaultError::Damaged)?.to_vec().into())
    }
}

/// The text of a key.
pub fn key_text(bytes: &[u8; KEY_BYTES]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read(file: &PathBuf) -> Result<Vec<Key>, VaultError> {
    let text = SecretSlice::from(fs::read(file).map_err(|error| VaultError::File(Arc::new(error)))?);
    parse(std::str::from_utf8(text.expose_secret()).map_err(|_| VaultError::BadKey)?)
}

fn parse(text: &str) -> Result<Vec<Key>, VaultError> {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(before, _)| before));
    let words = lines.flat_map(|line| line.split([',', ' ', '\t', '\r'])).filter(|word| !word.is_empty());
    let mut keys = Vec::new();
    for word in words {
        let bytes = URL_SAFE_NO_PAD.decode(word).map_err(|_| VaultError::BadKey)?;
        keys.push(Key::of(bytes.as_slice().try_into().map_err(|_| VaultError::BadKey)?));
    }
    if (1..=KEYS_MAX).contains(&keys.len()) { Ok(keys) } else { Err(VaultError::Count(keys.len())) }
}

fn id_of(sealed: &[u8]) -> Option<[u8; ID_BYTES]> {
    let rest = sealed.strip_prefix(MAGIC).filter(|_| sealed.len() > HEAD_BYTES)?;
    rest[..ID_BYTES].try_into().ok()
}

fn name(id: [u8; ID_BYTES]) -> String {
    use fmt::Write as _;
    id.iter().fold(String::new(), |mut name, byte| {
        let _infallible = write!(name, "{byte:02x}");
        name
    })
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").field("key_id", &self.key_id()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(byte: u8) -> String {
        key_text(&[byte; KEY_BYTES])
    }

    #[test]
    fn a_sealed_secret_is_opened_in_its_place_only_and_only_whole() {
        let vault = Vault::of_text(&text(1)).expect("a key");
        let sealed = vault.seal("signing_keys:1", b"seed");
        assert!(Vault::is_sealed(&sealed) && !Vault::is_sealed(&[7; 32]));
        assert!(!sealed.windows(4).any(|part| part == b"seed"));
        assert_eq!(vault.open("signing_keys:1", &sealed).expect("opens").expose_secret(), b"seed");
        assert!(matches!(vault.open("signing_keys:2", &sealed), Err(VaultError::Damaged)));
        for at in HEAD_BYTES - 1..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(matches!(vault.open("signing_keys:1", &changed), Err(VaultError::Damaged)));
        }
        let other = Vault::of_text(&text(2)).expect("a key");
        assert!(matches!(other.open("signing_keys:1", &sealed), Err(VaultError::UnknownKey(_))));
    }

    #[test]
    fn the_first_key_seals_and_the_others_open() {
        let old = Vault::of_text(&text(1)).expect("a key");
        let both = Vault::of_text(&format!("{}, # the new one\n{}", text(2), text(1))).expect("two keys");
        let sealed = old.seal("here", b"secret");
        assert!(!both.is_current(&sealed));
        assert_eq!(both.open("here", &sealed).expect("opens").expose_secret(), b"secret");
        assert!(both.is_current(&both.seal("here", b"secret")));
    }

    #[test]
    fn a_key_that_was_added_to_the_file_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key");
        fs::write(&file, text(1)).expect("writes");
        let vault = Vault::of_file(file.clone()).expect("a key");
        let newer = Vault::of_text(&text(2)).expect("a key");
        let sealed = newer.seal("here", b"secret");
        assert!(matches!(vault.open("here", &sealed), Err(VaultError::UnknownKey(_))));
        fs::write(&file, format!("{}\n{}", text(2), text(1))).expect("writes");
        assert_eq!(vault.open("here", &sealed).expect("opens").expose_secret(), b"secret");
        assert_eq!(vault.key_id(), newer.key_id());
    }

    #[test]
    fn what_is_no_key_is_refused_and_nothing_is_shown() {
        assert!(matches!(Vault::of_text("abc"), Err(VaultError::BadKey)));
        assert!(matches!(Vault::of_text("# nothing\n"), Err(VaultError::Count(0))));
        let vault = Vault::open_to_all();
        let shown = format!("{vault:?}");
        assert!(shown.starts_with("Vault { key_id: \"") && shown.len() < 60, "{shown}");
    }
}
