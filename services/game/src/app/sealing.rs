//! The keys to which moves are sealed. Nothing else can open them.
//!
//! A key is made when one is asked for and there is none, or the newest has been used for long; every replica finds
//! the same one in the database. Keys are never thrown away: a game may be adjourned for long.

use std::sync::{PoisonError, RwLock};

use api::{
    game::v1 as pb,
    sealing::{KEY_BYTES, SecretKey, commitment},
};
use chassis::{Database, Env, Vault, database::StoreError, id::GameId};
use sea_orm::DbErr;
use secrecy::ExposeSecret as _;

use crate::{
    core::{CommandError, Opening, Sealed, SealedMove},
    error::Result,
    store::{micros, sealing_key},
    wire::decode_stored,
};

/// How long moves are sealed to a key. A key that is stolen opens what was sealed to it, and nothing else.
const USED_FOR: time::Duration = time::Duration::days(30);

/// A key with its id.
#[derive(Clone, Debug)]
struct Key {
    number: i64,
    created_us: i64,
    id: String,
    secret: SecretKey,
}

/// Keeps the keys and opens what is sealed to them.
#[derive(Debug)]
pub(crate) struct SealingKeyring {
    env: Env,
    database: Database,
    vault: Vault,
    /// The keys as last read, oldest first.
    known: RwLock<Vec<Key>>,
}

impl SealingKeyring {
    pub(crate) const fn new(env: Env, database: Database, vault: Vault) -> Self {
        SealingKeyring { env, database, vault, known: RwLock::new(Vec::new()) }
    }

    /// The key to which moves are sealed now; made if there is none of its time.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn current(&self) -> Result<pb::SealingKey> {
        let public = |key: Key| key.secret.public(&key.id);
        if let Some(key) = self.in_use() {
            return Ok(public(key));
        }
        self.read().await?;
        if let Some(key) = self.in_use() {
            return Ok(public(key));
        }
        let number = self.newest().map_or(0, |key| key.number) + 1;
        let (seed, now) = (self.env.bytes::<KEY_BYTES>(), micros(self.env.now()));
        sealing_key::insert(&self.database, &self.vault, number, &seed, now).await?;
        self.read().await?;
        Ok(self.newest().map(public).ok_or(StoreError::Corrupt("sealing_keys"))?)
    }

    /// Makes sure that a sealed move holds what it is committed to. Whether the rules allow it is not looked at, and
    /// nothing of it is kept.
    ///
    /// # Errors
    /// When it does not, or the database does not answer.
    pub(crate) async fn check(&self, game: GameId, ply: u32, sealed: &SealedMove) -> Result<()> {
        let (key_id, ciphertext) =
            sealed.sealed.as_ref().and_then(decode_stored).ok_or(CommandError::BadCiphertext)?;
        let key = self.key(key_id).await?.ok_or(CommandError::UnknownKey)?;
        let opening = key.secret.open(&game.to_string(), ply, &ciphertext);
        let opening = opening.map_err(|_| CommandError::BadCiphertext)?;
        if commitment(&opening.salt, &opening.act) != sealed.commitment {
            return Err(CommandError::BadCommitment.into());
        }
        Ok(())
    }

    /// Opens a sealed move; none if that cannot be done, now or ever.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn open(
        &self,
        game: GameId,
        ply: u32,
        sealed: &Sealed,
    ) -> Result<Option<Opening>, StoreError> {
        let Some((key_id, ciphertext)) = decode_stored(sealed) else { return Ok(None) };
        let key = self.key(key_id).await?;
        let opening = key.and_then(|key| key.secret.open(&game.to_string(), ply, &ciphertext).ok());
        Ok(opening.map(|opening| Opening { salt: opening.salt, act: opening.act }))
    }

    /// The key of an id.
    async fn key(&self, id: &str) -> Result<Option<Key>, StoreError> {
        let known = || {
            let keys = self.known.read().unwrap_or_else(PoisonError::into_inner);
            keys.iter().find(|key| key.id == id).cloned()
        };
        if let Some(key) = known() {
            return Ok(Some(key));
        }
        self.read().await?;
        Ok(known())
    }

    /// The newest key, if it has not been used for too long.
    fn in_use(&self) -> Option<Key> {
        let made_after = micros(self.env.now() - USED_FOR);
        self.newest().filter(|key| key.created_us > made_after)
    }

    fn newest(&self) -> Option<Key> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }

    async fn read(&self) -> Result<(), StoreError> {
        let rows = sealing_key::all(&self.database, &self.vault).await?;
        let keys = rows.into_iter().filter_map(|row| {
            let sealing_key::Opened { number, seed, created_us } = row;
            let secret = SecretKey::from_bytes(seed.expose_secret().try_into().ok()?);
            Some(Key { number, created_us, id: id_of(&secret), secret })
        });
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = keys.collect();
        Ok(())
    }
}

/// Seals the keys of before there was a vault, and makes sure that the vault opens them all: a service that finds out
/// later has adjourned games that nobody can resume.
///
/// # Errors
/// When the database does not answer, or a key cannot be opened.
pub(crate) async fn ready(database: &Database, vault: &Vault) -> Result<(), DbErr> {
    let checked = async {
        let sealed = sealing_key::reseal(database, vault, |stored| stored.len() == KEY_BYTES).await?;
        if sealed > 0 {
            tracing::info!(sealed, "keys of sealed moves that stood open in the database are sealed");
        }
        sealing_key::all(database, vault).await
    };
    match checked.await {
        Ok(_all_open) => Ok(()),
        Err(StoreError::Database(error)) => Err(error),
        Err(error) => Err(DbErr::Custom(error.to_string())),
    }
}

/// A key is named by its public part, so that an id never means two keys.
fn id_of(secret: &SecretKey) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, &secret.public("").public_key);
    let first = digest.as_ref().first_chunk().expect("SHA-256 has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}
