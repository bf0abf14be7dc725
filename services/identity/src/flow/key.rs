//! The keys: which signs now, which verify, and making new ones.

use std::{sync::Arc, time::Duration};

use chassis::{Ambient, Database, jwt::SigningKey};
use secrecy::SecretBox;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::ATTEMPTS_MAX;
use crate::{
    core::key::{KEYS_MAX, KeyRing, RELOAD_AGE, StoredKey},
    error::IdentityError,
    store,
};

/// The keys of the database, and a copy of the one that signs.
#[derive(Clone, Debug)]
pub struct Keys {
    ambient: Ambient,
    database: Database,
    signing: Arc<Mutex<Option<Copied>>>,
}

/// The key that signed at a moment.
#[derive(Debug)]
struct Copied {
    at: OffsetDateTime,
    key: Arc<SigningKey>,
}

impl Keys {
    /// The keys of this database.
    pub fn new(ambient: Ambient, database: Database) -> Self {
        Keys { ambient, database, signing: Arc::default() }
    }

    /// The key to sign with; another replica's newer one is seen within five seconds.
    pub async fn signing(&self) -> Result<Arc<SigningKey>, IdentityError> {
        let now = self.ambient.now();
        // Held while reading, so that not every call at once reads the keys when they are due.
        let mut signing = self.signing.lock().await;
        // A clock that was set back makes a copy look newer than now; it is then read again.
        let is_fresh =
            |copied: &&Copied| Duration::try_from(now - copied.at).is_ok_and(|age| age < RELOAD_AGE);
        if let Some(copied) = signing.as_ref().filter(is_fresh) {
            return Ok(Arc::clone(&copied.key));
        }
        let key = self.ring().await?.signing;
        *signing = Some(Copied { at: now, key: Arc::clone(&key) });
        Ok(key)
    }

    /// All keys that are valid now. Always read from the database: a service that asks has met a token whose
    /// key it does not know, and the answer must have that key whichever replica gives it.
    pub async fn ring(&self) -> Result<KeyRing, IdentityError> {
        let stored = store::key::newest(self.database.read()).await?;
        KeyRing::of(&stored, self.ambient.now()).ok_or(IdentityError::NoKey)
    }

    /// Makes a new key and signs with it from now on; its id.
    pub async fn rotate(&self) -> Result<String, IdentityError> {
        let mut signing = self.signing.lock().await;
        let kid = rotate(&self.database, &self.ambient).await?;
        *signing = None;
        Ok(kid)
    }
}

/// Makes the first key, unless there is one.
pub async fn first_key(database: &Database, ambient: &Ambient) -> Result<(), IdentityError> {
    if store::key::newest(database.read()).await?.is_empty() {
        // When another replica is faster, its key is as good.
        store::key::insert(database.write(), &new_key(1, ambient)).await?;
    }
    Ok(())
}

/// Makes a new key, which signs from now on; its id.
pub async fn rotate(database: &Database, ambient: &Ambient) -> Result<String, IdentityError> {
    for _ in 0..ATTEMPTS_MAX {
        let stored = store::key::newest(database.read()).await?;
        let valid = KeyRing::of(&stored, ambient.now()).map_or(0, |ring| ring.valid.len());
        if valid >= KEYS_MAX {
            return Err(IdentityError::TooManyKeys);
        }
        let key = new_key(stored.first().map_or(1, |newest| newest.number + 1), ambient);
        if store::key::insert(database.write(), &key).await? {
            let kid = key.key().kid().to_owned();
            tracing::info!(kid, "tokens are signed with a new key");
            return Ok(kid);
        }
    }
    Err(IdentityError::Contended)
}

fn new_key(number: i64, ambient: &Ambient) -> StoredKey {
    StoredKey { number, seed: SecretBox::new(Box::new(ambient.bytes())), created: ambient.now() }
}
