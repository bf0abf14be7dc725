//! The keys: which signs now, which verify, and making new ones.

use std::{sync::Arc, time::Duration};

use chassis::{
    Database, Env, Vault,
    database::{StoreError, retry_contended},
    jwt::SigningKey,
};
use secrecy::{ExposeSecret as _, SecretBox};
use time::OffsetDateTime;
use tokio::sync::Mutex;

use crate::{
    core::{
        key::{KEYS_MAX, KeyRing, RELOAD_AGE, StoredKey},
        secret::Derivation,
    },
    error::{Error, Result},
    store,
};

/// The name of the secret from which others follow.
const DERIVATION: &str = "derivation";

/// The keys of the database, and a copy of the one that signs.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    env: Env,
    database: Database,
    vault: Vault,
    signing: Arc<Mutex<Option<CachedKey>>>,
}

/// The key that signed at a moment.
#[derive(Debug)]
struct CachedKey {
    at: OffsetDateTime,
    key: Arc<SigningKey>,
}

impl Keys {
    /// The keys of this database.
    pub(crate) fn new(env: Env, database: Database, vault: Vault) -> Self {
        Keys { env, database, vault, signing: Arc::default() }
    }

    /// The key to sign with; another replica's newer one is seen within five seconds.
    pub(crate) async fn signing(&self) -> Result<Arc<SigningKey>> {
        let now = self.env.now();
        // Held while reading, so that not every call at once reads the keys when they are due.
        let mut signing = self.signing.lock().await;
        // A clock that was set back makes a copy look newer than now; it is then read again.
        let is_fresh =
            |cached: &&CachedKey| Duration::try_from(now - cached.at).is_ok_and(|age| age < RELOAD_AGE);
        if let Some(cached) = signing.as_ref().filter(is_fresh) {
            return Ok(Arc::clone(&cached.key));
        }
        let key = self.ring().await?.signing;
        *signing = Some(CachedKey { at: now, key: Arc::clone(&key) });
        Ok(key)
    }

    /// All keys that are valid now. Always read from the database: a service that asks has met a token whose
    /// key it does not know, and the answer must have that key whichever replica gives it.
    pub(crate) async fn ring(&self) -> Result<KeyRing> {
        let stored = store::key::newest(self.database.read(), &self.vault).await?;
        KeyRing::of(&stored, self.env.now()).ok_or(Error::NoKey)
    }

    /// Makes a new key and signs with it from now on; its id.
    pub(crate) async fn rotate(&self) -> Result<String> {
        let mut signing = self.signing.lock().await;
        let kid = rotate(&self.database, &self.vault, &self.env).await?;
        *signing = None;
        Ok(kid)
    }
}

/// Makes the first key, unless there is one; keys of before there was a vault are sealed.
pub(crate) async fn first_key(database: &Database, vault: &Vault, env: &Env) -> Result<()> {
    let bare = |stored: &[u8]| !Vault::is_sealed(stored);
    let sealed = store::key::reseal(database.write(), vault, bare).await?;
    if sealed > 0 {
        tracing::info!(sealed, "keys that stood open in the database are sealed");
    }
    if store::key::newest(database.read(), vault).await?.is_empty() {
        // When another replica is faster, its key is as good.
        store::key::insert(database.write(), vault, &new_key(1, env)).await?;
    }
    Ok(())
}

/// Seals with the key of today whatever is sealed with another; how much.
pub(crate) async fn reseal(database: &Database, vault: &Vault) -> Result<u64> {
    let other = |stored: &[u8]| !vault.is_current(stored);
    let keys = store::key::reseal(database.write(), vault, other).await?;
    Ok(keys + store::server_secret::reseal(database.write(), vault).await?)
}

/// The secret from which the successors of refresh tokens and the marks of devices follow; made if there is none.
pub(crate) async fn derivation(database: &Database, vault: &Vault, env: &Env) -> Result<Derivation> {
    let on = database.write();
    if store::server_secret::find(on, vault, DERIVATION).await?.is_none() {
        // When another replica is faster, its secret is the one.
        store::server_secret::insert(on, vault, DERIVATION, &env.bytes::<32>()).await?;
    }
    let secret = store::server_secret::find(on, vault, DERIVATION).await?.ok_or(Error::NoKey)?;
    Ok(Derivation::new(secret.expose_secret()))
}

/// Makes a new key, which signs from now on; its id.
pub(crate) async fn rotate(database: &Database, vault: &Vault, env: &Env) -> Result<String> {
    retry_contended(async || {
        let stored = store::key::newest(database.read(), vault).await?;
        let valid = KeyRing::of(&stored, env.now()).map_or(0, |ring| ring.valid.len());
        if valid >= KEYS_MAX {
            return Err(Error::TooManyKeys);
        }
        let key = new_key(stored.first().map_or(1, |newest| newest.number + 1), env);
        if !store::key::insert(database.write(), vault, &key).await? {
            return Err(StoreError::Contended.into());
        }
        let kid = key.key().kid().to_owned();
        tracing::info!(kid, "tokens are signed with a new key");
        Ok(kid)
    })
    .await
}

fn new_key(number: i64, env: &Env) -> StoredKey {
    StoredKey { number, seed: SecretBox::new(Box::new(env.bytes())), created: env.now() }
}
