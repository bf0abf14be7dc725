//! Verifies tokens locally, with keys fetched from identity.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
    time::Duration,
};

use api::{
    identity::v1::{ListKeysRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use time::OffsetDateTime;
use tokio::time::Instant;

use super::{Caller, ClusterKey, Credential, PLAYERS, SERVICES};
use crate::{
    Ambient,
    jwt::{self, Claims, JwtError, VerifyingKeys},
};

/// Tokens seen lately are remembered, so that a player's thousandth move costs no signature. When the
/// memory is full it is emptied: that costs a verification each, nothing else.
const REMEMBERED_MAX: usize = 20_000;
/// Keys are fetched for an unknown key id at most this often, so that forged ids cannot flood identity.
const FETCH_INTERVAL: Duration = Duration::from_secs(2);
/// How long identity may take to answer.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// Keys are fetched anew after this long, so that retired ones are forgotten.
const KEYS_AGE_MAX: Duration = Duration::from_mins(5);

/// Tells what a token amounts to.
pub struct Verifier {
    ambient: Ambient,
    identity: IdentityServiceClient<Transport>,
    cluster: ClusterKey,
    cluster_keys: VerifyingKeys,
    keys: RwLock<VerifyingKeys>,
    fetched: tokio::sync::Mutex<Option<Instant>>,
    remembered: Mutex<HashMap<[u8; 32], (Credential, i64)>>,
}

impl Verifier {
    /// A verifier that fetches the keys of players from identity when it first needs them.
    pub fn new(identity: Transport, cluster: ClusterKey, ambient: Ambient) -> Self {
        Verifier {
            ambient,
            identity: IdentityServiceClient::new(identity),
            cluster_keys: cluster.verifying(),
            cluster,
            keys: RwLock::default(),
            fetched: tokio::sync::Mutex::default(),
            remembered: Mutex::default(),
        }
    }

    /// What a token amounts to now.
    pub async fn credential(&self, token: &str) -> Credential {
        let now = self.ambient.now();
        let digest = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
        let digest = <[u8; 32]>::try_from(digest.as_ref()).expect("SHA-256 has 32 bytes");
        if let Some((credential, expires_s)) = self.memory().get(&digest) {
            return if *expires_s > now.unix_timestamp() {
                credential.clone()
            } else {
                Credential::Refused(JwtError::Expired)
            };
        }
        match self.verify(token, now).await {
            Ok((credential, expires_s)) => {
                let mut memory = self.memory();
                if memory.len() >= REMEMBERED_MAX {
                    memory.clear();
                }
                memory.insert(digest, (credential.clone(), expires_s));
                credential
            }
            Err(error) => Credential::Refused(error),
        }
    }

    async fn verify(&self, token: &str, now: OffsetDateTime) -> Result<(Credential, i64), JwtError> {
        match jwt::verify(token, &self.cluster_keys, SERVICES, now) {
            Ok(claims) => return Ok((Credential::Service(claims.sub), claims.exp)),
            Err(JwtError::UnknownKey) => {}
            Err(error) => return Err(error),
        }
        let claims = match self.verify_player(token, now) {
            Err(JwtError::UnknownKey) => {
                self.fetch(FETCH_INTERVAL).await;
                self.verify_player(token, now)?
            }
            verdict => {
                self.fetch(KEYS_AGE_MAX).await;
                verdict?
            }
        };
        let caller = Caller::from_claims(&claims).ok_or(JwtError::Invalid)?;
        Ok((Credential::Account(caller), claims.exp))
    }

    fn verify_player(&self, token: &str, now: OffsetDateTime) -> Result<Claims, JwtError> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        jwt::verify(token, &keys, PLAYERS, now)
    }

    /// Fetches the keys unless that was done less than `age` ago. A failure keeps the old ones.
    async fn fetch(&self, age: Duration) {
        let mut fetched = self.fetched.lock().await;
        if fetched.is_some_and(|at| at.elapsed() < age) {
            return;
        }
        let mut identity = self.identity.clone();
        let answer = tokio::time::timeout(FETCH_TIMEOUT, identity.list_keys(ListKeysRequest {})).await;
        let Ok(Ok(answer)) = answer else {
            tracing::warn!("the token keys could not be fetched from identity");
            return;
        };
        let mut keys = VerifyingKeys::new();
        for key in answer.into_inner().keys {
            if keys.insert_encoded(&key.kid, &key.x).is_err() {
                tracing::warn!(kid = key.kid, "identity lists a malformed key; it is ignored");
            }
        }
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        *fetched = Some(Instant::now());
        // Tokens of forgotten keys must not live on in memory.
        self.memory().clear();
    }

    fn memory(&self) -> MutexGuard<'_, HashMap<[u8; 32], (Credential, i64)>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("cluster", &self.cluster).finish_non_exhaustive()
    }
}
