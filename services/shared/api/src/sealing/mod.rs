//! Sealed moves: how a player commits to a move that nobody may know before it is opened.
//!
//! A move is sealed by 32 random bytes, the salt. What everybody sees is the commitment, SHA-256(salt ‖ move):
//! nobody can find the move from it, and the player cannot change it any more. Salt and move themselves go to
//! the platform, encrypted to its sealing key by HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256),
//! HKDF-SHA256 and ChaCha20Poly1305; the info string names game and ply, so that what was sealed for one game
//! opens in no other. At the resumption the platform tells salt and move, and [`commitment`] shows everybody that
//! they are what was sealed.
//!
//! A player calls [`seal`]; [`SecretKey`] is the platform's part.
//!
//! ```
//! use api::{game::v1::SealMoveRequest, sealing::{self, SecretKey}};
//! # struct Chance(u64);
//! # impl sealing::TryRng for Chance {
//! #     type Error = std::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.0 += 1; Ok(self.0 as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { self.0 += 1; Ok(self.0) }
//! #     fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Self::Error> {
//! #         to.iter_mut().for_each(|byte| { self.0 += 1; *byte = self.0 as u8 });
//! #         Ok(())
//! #     }
//! # }
//! # impl sealing::TryCryptoRng for Chance {}
//! # let mut rng = Chance(1);
//! # let secret = SecretKey::from_bytes([7; 32]);
//! # let key = secret.public("7");
//! # let (game_id, ply) = ("0190d6f0-0000-7000-8000-000000000000", 41);
//! // `key` is the answer of GetSealingKey, `ply` that of the game.
//! let sealed = sealing::seal(&key, game_id, ply, "Q16", &mut rng)?;
//! let request = SealMoveRequest {
//!     game_id: game_id.to_owned(),
//!     commitment: sealed.commitment.to_vec(),
//!     key_id: sealed.key_id,
//!     ciphertext: sealed.ciphertext,
//!     request_id: "0190d6f0-0000-7000-8000-000000000001".to_owned(),
//! };
//! # let opened = secret.open(game_id, ply, &request.ciphertext)?;
//! # assert_eq!(sealing::commitment(&opened.salt, &opened.act).as_slice(), request.commitment);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

/// What a source of chance has to be; the generators of `rand` are.
pub use hpke::rand_core::{CryptoRng, TryCryptoRng, TryRng};
use hpke::{
    Deserializable as _, Kem as _, OpModeR, OpModeS, Serializable as _, aead::ChaCha20Poly1305,
    kdf::HkdfSha256, kem::X25519HkdfSha256, setup_receiver, setup_sender_with_rng,
};
use sha2::{Digest as _, Sha256};

use crate::game::v1 as pb;

/// Bytes of a salt.
pub const SALT_BYTES: usize = 32;
/// Bytes of a commitment.
pub const COMMITMENT_BYTES: usize = 32;
/// Bytes of a key, public or secret.
pub const KEY_BYTES: usize = 32;
/// Longer moves are not sealed. One that names every point of the largest board is shorter.
pub const ACT_BYTES_MAX: usize = 4096;
/// Nothing that can be opened is longer: encapsulated key, salt, move and the tag of 16 bytes.
pub const CIPHERTEXT_BYTES_MAX: usize = KEY_BYTES + SALT_BYTES + ACT_BYTES_MAX + 16;

/// The suite by its numbers in RFC 9180: key encapsulation, key derivation, encryption.
const SUITE: [u32; 3] = [0x0020, 0x0001, 0x0003];

type Kem = X25519HkdfSha256;
type Aead = ChaCha20Poly1305;
type Kdf = HkdfSha256;

/// A move under seal, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedMove {
    /// What everybody will see.
    pub commitment: [u8; COMMITMENT_BYTES],
    /// The key to which it is encrypted.
    pub key_id: String,
    /// The encapsulated key, 32 bytes, and the ciphertext.
    pub ciphertext: Vec<u8>,
}

/// What was under seal. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    /// The salt.
    pub salt: [u8; SALT_BYTES],
    /// The move, not judged by any rules.
    pub act: String,
}

/// The secret part of a sealing key, which only the platform has. `Debug` does not show it.
#[derive(Clone)]
pub struct SecretKey(<Kem as hpke::Kem>::PrivateKey);

/// Why a move cannot be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The key is of another suite, or none.
    #[error("the sealing key is not one of this suite")]
    BadKey,
    /// The move is too long.
    #[error("a sealed move has at most {ACT_BYTES_MAX} bytes")]
    ActTooLong,
}

/// What was to be opened was not sealed for this key, game and ply, or holds no salt and move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was not sealed for this key, game and ply, or holds no salt and move")]
pub struct OpenError;

/// Seals a move of a game at a ply to the platform's key. The salt is drawn from `rng` first, then what the
/// encryption needs; sealing the same move twice gives nothing in common.
///
/// # Errors
/// When the key cannot be used, or the move is too long.
pub fn seal(
    key: &pb::SealingKey,
    game_id: &str,
    ply: u32,
    act: &str,
    rng: &mut impl CryptoRng,
) -> Result<SealedMove, SealError> {
    if act.len() > ACT_BYTES_MAX {
        return Err(SealError::ActTooLong);
    }
    if [key.kem_id, key.kdf_id, key.aead_id] != SUITE {
        return Err(SealError::BadKey);
    }
    let to = <Kem as hpke::Kem>::PublicKey::from_bytes(&key.public_key).map_err(|_| SealError::BadKey)?;
    let mut salt = [0; SALT_BYTES];
    rng.fill_bytes(&mut salt);
    let info = info(game_id, ply);
    let (encapsulated, mut context) =
        setup_sender_with_rng::<Aead, Kdf, Kem>(&OpModeS::Base, &to, info.as_bytes(), rng)
            .map_err(|_| SealError::BadKey)?;
    let plain = [&salt, act.as_bytes()].concat();
    let sealed = context.seal(&plain, &[]).map_err(|_| SealError::BadKey)?;
    let ciphertext = [encapsulated.to_bytes().as_slice(), &sealed].concat();
    Ok(SealedMove { commitment: commitment(&salt, act), key_id: key.id.clone(), ciphertext })
}

/// What a salt and a move are committed to: SHA-256(salt ‖ move).
pub fn commitment(salt: &[u8; SALT_BYTES], act: &str) -> [u8; COMMITMENT_BYTES] {
    Sha256::new().chain_update(salt).chain_update(act).finalize().into()
}

impl SecretKey {
    /// A key from 32 random bytes.
    pub fn from_bytes(random: [u8; KEY_BYTES]) -> Self {
        SecretKey(Kem::derive_keypair(&random).0)
    }

    /// Its public part, as GetSealingKey tells it, under an id.
    pub fn public(&self, id: &str) -> pb::SealingKey {
        let [kem_id, kdf_id, aead_id] = SUITE;
        let public_key = Kem::sk_to_pk(&self.0).to_bytes().to_vec();
        pb::SealingKey { id: id.to_owned(), public_key, kem_id, kdf_id, aead_id }
    }

    /// Opens what [`seal`] has sealed for a game and a ply.
    ///
    /// # Errors
    /// When it was sealed for something else, or does not hold a salt and a move of at most 4,096 bytes.
    pub fn open(&self, game_id: &str, ply: u32, ciphertext: &[u8]) -> Result<Opening, OpenError> {
        if ciphertext.len() > CIPHERTEXT_BYTES_MAX {
            return Err(OpenError);
        }
        let (encapsulated, sealed) = ciphertext.split_at_checked(KEY_BYTES).ok_or(OpenError)?;
        let encapsulated =
            <Kem as hpke::Kem>::EncappedKey::from_bytes(encapsulated).map_err(|_| OpenError)?;
        let info = info(game_id, ply);
        let mut context =
            setup_receiver::<Aead, Kdf, Kem>(&OpModeR::Base, &self.0, &encapsulated, info.as_bytes())
                .map_err(|_| OpenError)?;
        let plain = context.open(sealed, &[]).map_err(|_| OpenError)?;
        let (salt, act) = plain.split_first_chunk::<SALT_BYTES>().ok_or(OpenError)?;
        let act = String::from_utf8(act.to_vec()).map_err(|_| OpenError)?;
        Ok(Opening { salt: *salt, act })
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opening(..)")
    }
}

/// What binds a sealed move to its place.
fn info(game_id: &str, ply: u32) -> String {
    format!("shoutan sealed move: game {game_id}, ply {ply}")
}
